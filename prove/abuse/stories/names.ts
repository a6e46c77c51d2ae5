import type { Actor, Scene } from '../scene.ts';
import type { Story } from '../story.ts';

/** Names that deceive those who read them. */
export const nameStories: readonly Story[] = [
  {
    name: 'lookalike-sacco-name',
    tells: 'somebody registers a sacco whose name looks like that of a known one, in other letters',
    without: 'names_that_look_alike',
    breaks: 'two saccos may have names that look alike',
    expected: /a second sacco stood on the public list as .*Mwangaza Traders Sacc0/,
    async play({ person, ask, does, mustNot }) {
      const [founder, thief] = [await person('Founder'), await person('Thief')];
      await does(founder, 'POST', '/sacco/create', undefined, sacco(founder, 'Mwangaza Traders Sacco', 'CS/70001'));
      const names = [
        'Mwangaza Traders Sacc0',
        'Mwаngаzа Trаdеrs Sассо',
        'MWANGAZA TRADERS SACCO',
        'Mwángaza Traders Sacco',
        'Mwangaza Traders Saccoo',
        'Mwangaza Traders Sacco Society Ltd',
      ];
      for (const [n, name] of names.entries()) {
        await ask(thief, 'POST', '/sacco/create', undefined, sacco(thief, name, `CS/7001${n}`));
      }
      const { body } = await ask(null, 'GET', '/sacco/list?sort=newest&limit=20');
      const taken = body.results.filter((row: Row) => row.created_by === thief.id).map((row: Row) => row.name);
      mustNot(taken.length > 0, `a second sacco stood on the public list as ${taken.join(', ')}`);
    },
  },
  {
    name: 'invisible-letters-in-a-name',
    tells: 'somebody registers the name of a known sacco with something in it that nobody sees, or hardly',
    without: 'names_that_look_alike',
    breaks: 'a sacco may have the name of another one but for a full stop and a blank',
    expected: /1 more on the public list read like Jua Kali Savings/,
    async play({ person, ask, does, mustNot }) {
      const [founder, thief] = [await person('Founder'), await person('Thief')];
      await does(founder, 'POST', '/sacco/create', undefined, sacco(founder, 'Jua Kali Savings', 'CS/70002'));
      const hidden = [
        '\u200b',
        '\u200d',
        '\u00ad',
        '\u2060',
        '\u202e',
        '\u3164',
        '\ufe0f',
        '\u{e0041}',
        '\u0301\u0301\u0301',
      ];
      for (const [n, letter] of [...hidden, ' .'].entries()) {
        await ask(thief, 'POST', '/sacco/create', undefined, sacco(thief, `Jua Kali${letter} Savings`, `CS/7002${n}`));
      }
      const { body } = await ask(null, 'GET', '/sacco/list?name=kali&limit=20');
      const more = body.results.filter((row: Row) => row.created_by === thief.id);
      mustNot(more.length > 0, `${more.length} more on the public list read like Jua Kali Savings`);
    },
  },
  {
    name: 'chair-with-the-operators-name',
    tells: 'a chair takes the name of an operator of the platform and speaks in it to members',
    without: 'operators_names',
    breaks: 'an official may take an operator’s name',
    expected: /the sacco’s page showed the operator’s name as its chair/,
    async play({ operator, sacco: found, ask, does, mustNot }) {
      await operator('Zawadi');
      const { id, chair, treasurer } = await found();
      for (const first_name of ['Zawadi', 'ZAWADI', 'Zawadi.', 'Zàwadi']) {
        const { phone: phone_number, email } = chair;
        await ask(chair, 'PATCH', '/client/', { first_name, last_name: 'Attacked', phone_number, email });
        const { waiting_name } = (await does(chair, 'GET', '/client/')).body;
        await ask(treasurer, 'POST', `/sacco/changes/${waiting_name?.change}/confirmation`, undefined, { sacco: id });
        const { body } = await ask(null, 'GET', `/sacco/${id}`);
        const shown = body.officials.some(({ name }: Row) => name.normalize('NFD').match(/^Z.?.?awadi/i));
        mustNot(shown, 'the sacco’s page showed the operator’s name as its chair');
      }
    },
  },
  {
    name: 'chair-renames-herself',
    tells: 'a chair takes another name overnight, as if somebody else led the sacco, and no other official knows',
    without: 'official_names',
    breaks: 'an official’s name changes without another official',
    expected: /the sacco’s page showed Amina Mpya as its chair, on the chair’s word alone/,
    async play({ sacco: found, ask, does, mustNot }) {
      const { id, chair, treasurer } = await found();
      const { phone: phone_number, email } = chair;
      const wanted = { first_name: 'Amina', last_name: 'Mpya', phone_number, email };
      const shown = async () =>
        (await ask(null, 'GET', `/sacco/${id}`)).body.officials.some(({ name }: Row) => name === 'Amina Mpya');
      await does(chair, 'PATCH', '/client/', wanted);
      const { waiting_name } = (await does(chair, 'GET', '/client/')).body;
      const change = `/sacco/changes/${waiting_name?.change}`;
      await ask(chair, 'POST', `${change}/confirmation`, undefined, { sacco: id });
      mustNot(await shown(), 'the sacco’s page showed Amina Mpya as its chair, on the chair’s word alone');
      await ask(treasurer, 'POST', `${change}/refusal`, undefined, { sacco: id });
      await ask(chair, 'POST', `${change}/confirmation`, undefined, { sacco: id });
      mustNot(await shown(), 'the sacco’s page showed Amina Mpya as its chair, although the treasurer had said no');
    },
  },
  {
    name: 'sacco-in-the-platforms-name',
    tells: 'somebody registers a sacco that is called like the platform’s security, or like a mobile-money company',
    without: 'reserved_names',
    breaks: 'anybody may be called Ushirika Security or Safaricom',
    expected: /the public list showed .*Ushirika Security/,
    async play({ person, ask, mustNot }) {
      const thief = await person('Thief');
      const names = ['Ushirika Security', 'Safaric0m Loans', 'M Pesa Boost', 'Central Bank Savings'];
      for (const [n, name] of names.entries()) {
        await ask(thief, 'POST', '/sacco/create', undefined, sacco(thief, name, `CS/7003${n}`));
      }
      const { body } = await ask(null, 'GET', '/sacco/list?sort=newest&limit=20');
      const shown = body.results.filter((row: Row) => row.created_by === thief.id).map((row: Row) => row.name);
      mustNot(shown.length > 0, `the public list showed ${shown.reverse().join(', ')}`);
    },
  },
  {
    name: 'pool-with-a-link-on-the-public-list',
    tells: 'somebody in no sacco fills the public list of pools with advertisements',
    without: 'pools_are_reviewed',
    breaks: 'everybody sees a pool as soon as it is made',
    expected: /visitors saw Free loan for everybody call Juma/,
    async play({ person, ask, mustNot }) {
      const [thief, visitor] = [await person('Thief'), await person('Visitor')];
      const names = ['Free loan https://evil.example', 'Free loan evil.example', 'Free loan for everybody call Juma'];
      for (const name of [...names, ...Array.from({ length: 7 }, (_, n) => `Free loan ${n}`)]) {
        await ask(thief, 'POST', '/guarantors/pools', { ...POOL, name });
      }
      const made = (await ask(thief, 'GET', '/guarantors/pools?search=free')).body.results;
      for (const reader of [null, visitor]) {
        const { body } = await ask(reader, 'GET', '/guarantors/pools?search=free&limit=20');
        const names = body.results.map(({ name }: Row) => name);
        mustNot(names.length > 0, `visitors saw ${names.join(', ')}`);
      }
      mustNot(made.length > 1, `the operators’ desk got ${made.length} pools of one person in no sacco`);
    },
  },
  {
    name: 'pending-sacco-shows-description',
    tells: 'somebody registers a sacco and uses its page, before an operator has seen it, to advertise',
    without: 'saccos_are_reviewed',
    breaks: 'strangers read everything of a sacco that nobody has looked at',
    expected: /a stranger read "Your money doubled in a week, call Juma"/,
    async play({ person, does, ask, mustNot }) {
      const [thief, stranger] = [await person('Thief'), await person('Stranger')];
      const form = sacco(thief, 'Pata Haraka Group', 'EARN/BIG', 'Your money doubled in a week, call Juma');
      const { id } = (await does(thief, 'POST', '/sacco/create', undefined, form)).body.sacco;
      for (const reader of [null, stranger]) {
        const { body: page } = await ask(reader, 'GET', `/sacco/${id}`);
        const { body: list } = await ask(reader, 'GET', '/sacco/list?name=haraka');
        for (const shown of [page, ...list.results]) {
          mustNot(shown.description !== '', `a stranger read "${shown.description}"`);
          mustNot(shown.reg_no !== '', `a stranger read ${shown.reg_no}`);
        }
        mustNot(page.officials.length > 0, 'a stranger read who its officials are');
      }
    },
  },
];

const POOL = {
  min_contribution: '1000',
  min_contribution_perc: '20',
  min_member_period: '90',
  base_risk_percentage: '3',
  risk_weight_factor: '1.5',
  min_trust_score: '60',
};

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire
type Row = any;

/** The form of a sacco, as the page sends it. */
function sacco(
  founder: Actor,
  name: string,
  regNo: string,
  description = 'Savings.',
): NonNullable<Parameters<Scene['ask']>[4]> {
  const fields = { ...PARTICULARS, description, name, reg_no: regNo, created_by: founder.id };
  const parts = Object.entries(fields).map(
    ([field, text]) => `--form\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`,
  );
  return {
    raw: `${parts.join('')}--form--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=form' },
  };
}

const PARTICULARS = { reg_fee: '500', min_shares: '10', share_value: '100' };
