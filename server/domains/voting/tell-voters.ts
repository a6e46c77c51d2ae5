import { longDateTime, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { OffRollReason, Outcome } from '@ushirika/contract/voting-rules';
import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import { offRollSaid } from './off-roll.ts';
import { type ProposalRow, voteSaid } from './proposal-rows.ts';

/** People who are told in one transaction. */
const CHUNK = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Telling {
  readonly proposal_id: string;
  readonly what: 'published' | 'opened' | 'second_round' | 'result' | 'cancelled' | 'held' | 'voided';
  readonly after_id: string | null;
  /** The sacco's name, with the pool's behind it where its members vote. */
  readonly electorate: string;
  readonly vote: Pick<ProposalRow, 'number' | 'office' | 'change_kind' | 'title'>;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly outcome: Outcome | null;
  readonly is_cancelled: boolean;
  /** Voting has ended: nobody is told any more to vote now. */
  readonly is_closed: boolean;
}

interface Person {
  readonly member_id: string;
  /** Null: on the roll. */
  readonly reason: OffRollReason | null;
}

/**
 * Tells the members of each roll what is to be told, in chunks that commit with their mark: nobody is told twice. Of a publication all
 * active members are told, with the reason why somebody is not on the roll. Nobody is told of a vote that was taken back by then; those
 * who were told of it before are told of that. Of each vote one chunk is told in turn, so that a large one holds up no other, nor does
 * one that goes wrong.
 * @throws what went wrong, after the others
 */
export async function tellVoters(database: Database): Promise<void> {
  const rows = await database.sql<{ proposal_id: string }[]>`
    select proposal_id from proposal_tellings where not is_done group by proposal_id order by min(created_at), proposal_id`;
  let left = rows.map(({ proposal_id }) => proposal_id);
  const faults: unknown[] = [];
  while (left.length > 0) {
    const again: string[] = [];
    const chunks = left.map((id) => async () => {
      if (await database.transaction((tx) => tellChunk(tx, id))) again.push(id);
    });
    await eachPart(chunks).catch((fault) => faults.push(fault));
    left = again;
  }
  if (faults.length > 0) throw faults[0];
}

/** Tells the next people of one vote; false where none is left. */
async function tellChunk(tx: Tx, proposalId: string): Promise<boolean> {
  const [telling] = await tx.sql<Telling[]>`
    select t.proposal_id, t.what, t.after_id, s.name || coalesce(', ' || g.name, '') as electorate,
      jsonb_build_object('number', p.number, 'office', p.office, 'change_kind', p.change_kind, 'title', p.title) as vote, p.opens_at, p.closes_at, p.outcome,
      p.cancelled_at is not null as is_cancelled, p.closes_at <= ${tx.now} as is_closed
    from proposal_tellings t join proposals p on p.id = t.proposal_id join saccos s on s.id = p.sacco_id left join pools g on g.id = p.pool_id
    where t.proposal_id = ${proposalId} and not t.is_done and (t.what <> 'cancelled' or exists (
      select from proposal_tellings p where p.proposal_id = t.proposal_id and p.what = 'published' and p.is_done))
    order by t.created_at limit 1 for update of t skip locked`;
  if (!telling) return false;
  const people = await nextPeople(tx, telling);
  const template = `vote_${telling.what}`;
  await notifyAll(
    tx,
    people.map(({ member_id: userId, reason }) => ({
      userId,
      topic: 'saccos',
      template,
      text: wordsOf(telling, reason),
      causedBy: null,
    })),
  );
  await tx.sql`
    update proposal_tellings set after_id = ${people.at(-1)?.member_id ?? telling.after_id}, is_done = ${people.length < CHUNK}
    where proposal_id = ${telling.proposal_id} and what = ${telling.what}`;
  return true;
}

async function nextPeople(
  tx: Tx,
  { proposal_id: id, what, after_id, is_cancelled, is_closed }: Telling,
): Promise<Person[]> {
  if ((is_cancelled && what !== 'cancelled') || (is_closed && what === 'opened')) return [];
  const after = after_id ?? FIRST;
  if (what !== 'published' && what !== 'cancelled') {
    return tx.sql<Person[]>`
      select member_id, null as reason from proposal_roll
      where proposal_id = ${id} and member_id > ${after} order by member_id limit ${CHUNK}`;
  }
  // The last one who was told of the publication.
  const until = tx.sql`(select p.after_id from proposal_tellings p where p.proposal_id = ${id} and p.what = 'published')`;
  return tx.sql<Person[]>`
    select member_id, reason from (
      select member_id, null as reason from proposal_roll where proposal_id = ${id} and member_id > ${after}
      union all select member_id, reason from proposal_off_roll where proposal_id = ${id} and member_id > ${after}) member
    where ${what === 'published' ? tx.sql`true` : tx.sql`member_id <= ${until}`}
    order by member_id limit ${CHUNK}`;
}

function wordsOf(
  { what, electorate: name, vote: row, opens_at, closes_at, outcome }: Telling,
  reason: OffRollReason | null,
): Sentence {
  const vote = voteSaid(row);
  if (what === 'cancelled') return sentence('{name}: {vote} was taken back. Nobody votes on it.', { name, vote });
  if (reason !== null) {
    return sentence('{name}: {vote} is coming. You are not on its roll: {reason}', {
      ...{ name, vote, reason: offRollSaid(reason) },
    });
  }
  const times = { name, vote, from: longDateTime(opens_at), until: longDateTime(closes_at) };
  if (what === 'published') return sentence('{name}: {vote} is coming. You vote from {from} to {until}.', times);
  if (what === 'opened')
    return sentence('{name}: {vote} has begun. Vote until {until}.', { name, vote, until: times.until });
  if (what === 'second_round')
    return sentence('{name}: too few voted on {vote}. You vote once more, from {from} to {until}.', times);
  if (what === 'held') {
    return sentence('{name}: the supervisory committee holds the result of {vote}. Read why under Voting.', {
      ...{ name, vote },
    });
  }
  if (what === 'voided') {
    return sentence(
      '{name}: the supervisory committee has voided the result of {vote}. It is never carried out. Read why under Voting.',
      { name, vote },
    );
  }
  return sentence('{name}: {vote} {outcome}. Read the result under Voting.', {
    ...{ name, vote, outcome: outcomeSaid(outcome) },
  });
}

function outcomeSaid(outcome: Outcome | null): Sentence {
  if (outcome === 'passed') return sentence('has passed');
  if (outcome === 'no_candidates') return sentence('had no candidates');
  return outcome === 'rejected' ? sentence('was voted down') : sentence('had too few votes to count');
}
