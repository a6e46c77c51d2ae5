import { leaveOut } from '../../../server/faults.proving.ts';
import type { Answer } from '../../support/product.ts';
import type { Actor, SaccoOfStory, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

const BOUNDARY = 'complaint';

/** A complaint is a form, for the sake of its picture. */
function complain({ ask }: Scene, by: Actor, { id }: SaccoOfStory, fields: Record<string, string>): Promise<Answer> {
  const parts = Object.entries({ sacco: id, kind: 'other', ...fields }).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return ask(by, 'POST', '/complaints', undefined, { raw: `${parts.join('')}--${BOUNDARY}--\r\n`, headers });
}

/** The rule is in our code and in PostgreSQL: both are left out. */
async function officialsJudgeThemselves({ product }: Scene): Promise<void> {
  leaveOut('complaints.sides');
  await product.database.owner`alter table complaint_steps disable trigger complaint_step_fits`;
}

/** What a complaint can be used for, by whoever makes it and by whom it is about. */
export const complaintStories: readonly Story[] = [
  {
    name: 'complaints-as-a-flood',
    tells: 'a member with a grudge sends complaint after complaint, so that the officials answer nobody else in time',
    without: 'complaints.limits',
    breaks: 'a member complains as often as they like',
    expected: /one member made 12 complaints in a day/,
    async play(scene) {
      const { person, sacco, member, ask, mustNot } = scene;
      const [grudge, own] = [await person('Grudge'), await sacco()];
      await member(grudge, own, 10);
      let [made, open] = [0, 0];
      for (let n = 1; n <= 12; n += 1) {
        const { status, body } = await complain(scene, grudge, own, { text: `You know very well what I mean, ${n}.` });
        if (status !== 201) continue;
        made += 1;
        // Closes every second one at once, to have room for more.
        if (n % 2 === 0) await ask(grudge, 'POST', `/complaints/${body.complaint.id}/closure`);
        else open += 1;
      }
      mustNot(made > 5, `one member made ${made} complaints in a day`);
      mustNot(open > 3, `the officials have ${open} open complaints of one member before them`);
    },
  },
  {
    name: 'official-judges-their-own-case',
    tells: 'the treasurer answers the complaint that names the treasurer, finally and before the chair has seen it',
    without: officialsJudgeThemselves,
    breaks: 'an official answers what names them',
    expected: /the treasurer closed the mouth of who complained about the treasurer/,
    async play(scene) {
      const { person, sacco, member, ask, does, mustNot } = scene;
      const [robbed, own] = [await person('Robbed'), await sacco()];
      await member(robbed, own, 10);
      const { body: terms } = await does(robbed, 'GET', `/sacco/${own.id}/complaint-terms`);
      const about = terms.officials.find(({ office }: { office: string }) => office === 'treasurer').id;
      const text = 'The treasurer took Ksh. 2,000 of mine in cash and wrote nothing down.';
      const { id } = (await complain(scene, robbed, own, { kind: 'conduct', about, text })).body.complaint;
      const at = { sacco: own.id };
      const read = await ask(own.treasurer, 'GET', `/sacco/complaints/${id}`, undefined, at);
      mustNot(read.text.includes('Ksh. 2,000'), 'the treasurer read who complains about the treasurer');
      const answer = { text: 'Nothing of this is true; the matter is closed.', is_final: true };
      await ask(own.treasurer, 'POST', `/sacco/complaints/${id}/answer`, answer, at);
      const { state } = (await does(robbed, 'GET', `/complaints/${id}`)).body;
      mustNot(state === 'answered', 'the treasurer closed the mouth of who complained about the treasurer');
    },
  },
];
