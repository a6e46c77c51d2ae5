import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { noteAction } from '../operator/note-action.ts';
import { tellPeople } from '../saccos/change-officials.ts';
import { refuseOwnSacco } from '../saccos/refuse-own-sacco.ts';
import { addEvent, noSuchProposal, type ProposalRow, voteSaid } from './proposal-rows.ts';

interface Shown {
  readonly id: string;
  readonly isShown: boolean;
  readonly reason: string;
}

/** By PostgreSQL's own table, for the person who asks. @throws Refusal `not_allowed` */
export async function refuseUnlessOperator({ sql }: Database): Promise<void> {
  const [asker] = await sql<{ is_operator: boolean }[]>`select is_operator()`;
  if (!asker?.is_operator) throw new Refusal('not_allowed');
}

/**
 * An operator hides the title of a published vote from strangers, or shows it again: what is written of somebody would else stand on a public
 * page. Members read the title as before, and beside it that it is hidden and why. Whoever drafted it is told. Asked once more, nothing changes.
 * @returns what is said to the operator
 * @throws Refusal `not_found` also for drafts and for what was taken back, `not_allowed` for a sacco of one's own,
 *   `vote_conflict` where strangers never read it: of a vote about a person, or of a pool
 */
export async function showTitle(
  tx: Tx,
  actor: { readonly userId: string },
  { id, isShown, reason }: Shown,
): Promise<Sentence> {
  const [row] = await tx.sql<(ProposalRow & { is_hidden: boolean; sacco_name: string })[]>`
    select p.*, title_is_hidden(p.id) as is_hidden, s.name as sacco_name from proposals p join saccos s on s.id = p.sacco_id
    where p.id = ${id} and p.published_at is not null and p.cancelled_at is null for no key update of p`;
  if (!row) throw noSuchProposal();
  await refuseOwnSacco(tx, actor, { id: row.sacco_id });
  if (row.about_id !== null) throw new Refusal('vote_conflict', { message: NEVER_SHOWN });
  if (row.pool_id !== null) throw new Refusal('vote_conflict', { message: OF_POOL });
  const said = isShown ? sentence('Strangers read the title again.') : sentence('Strangers do not read the title.');
  if (row.is_hidden !== isShown) return said;
  await addEvent(tx, id, { kind: isShown ? 'title_shown' : 'title_hidden', text: reason });
  const action = isShown ? 'vote_title_shown' : 'vote_title_hidden';
  await noteAction(tx, actor, { action, about: { type: 'vote', id }, reason });
  const text = saidToDrafter(isShown, { name: row.sacco_name, vote: voteSaid(row) });
  await tellPeople(tx, actor.userId, [row.drafted_by], { template: action, text });
  return said;
}

const saidToDrafter = (isShown: boolean, values: { readonly name: string; readonly vote: Sentence }): Sentence =>
  isShown
    ? sentence('{name}: strangers read the title of {vote} again, which you drafted. Read why on its page.', values)
    : sentence(
        '{name}: an operator has hidden the title of {vote} from strangers, which you drafted. Members read it as before. Read why on its page.',
        values,
      );

const NEVER_SHOWN = sentence('Strangers never read the title of a vote about a person.');
const OF_POOL = sentence('Strangers never read the title of a vote of a guarantor pool.');
