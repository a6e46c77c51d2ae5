import { longDateTime, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Outcome } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';

/** People who are told in one transaction. */
const CHUNK = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Telling {
  readonly proposal_id: string;
  readonly what: 'published' | 'opened' | 'second_round' | 'result';
  readonly after_id: string | null;
  readonly sacco_name: string;
  readonly title: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly outcome: Outcome | null;
}

/** Tells the members of each roll what is to be told, in chunks that commit with their mark: nobody is told twice. */
export async function tellVoters(database: Database): Promise<void> {
  while (await database.transaction(tellChunk));
}

async function tellChunk(tx: Tx): Promise<boolean> {
  const [telling] = await tx.sql<Telling[]>`
    select t.proposal_id, t.what, t.after_id, s.name as sacco_name, p.title, p.opens_at, p.closes_at, p.outcome
    from proposal_tellings t join proposals p on p.id = t.proposal_id join saccos s on s.id = p.sacco_id
    where not t.is_done order by t.created_at, t.proposal_id limit 1 for update of t skip locked`;
  if (!telling) return false;
  const people = await tx.sql<{ member_id: string }[]>`
    select member_id from proposal_roll
    where proposal_id = ${telling.proposal_id} and member_id > ${telling.after_id ?? FIRST} order by member_id limit ${CHUNK}`;
  const text = wordsOf(telling);
  const template = `vote_${telling.what}`;
  await notifyAll(
    tx,
    people.map(({ member_id: userId }) => ({ userId, topic: 'saccos', template, text })),
  );
  await tx.sql`
    update proposal_tellings set after_id = ${people.at(-1)?.member_id ?? telling.after_id}, is_done = ${people.length < CHUNK}
    where proposal_id = ${telling.proposal_id} and what = ${telling.what}`;
  return true;
}

function wordsOf({ what, sacco_name: name, title, opens_at, closes_at, outcome }: Telling): Sentence {
  const [from, until] = [longDateTime(opens_at), longDateTime(closes_at)];
  if (what === 'published')
    return sentence('{name}: a vote is coming, “{title}”. You vote from {from} to {until}.', {
      name,
      title,
      from,
      until,
    });
  if (what === 'opened') return sentence('{name}: vote now on “{title}”, until {until}.', { name, title, until });
  if (what === 'second_round') {
    return sentence('{name}: too few voted on “{title}”. You vote once more, from {from} to {until}.', {
      ...{ name, title, from, until },
    });
  }
  return sentence('{name}: “{title}” {outcome}. Read the result under Voting.', {
    name,
    title,
    outcome: outcomeSaid(outcome),
  });
}

function outcomeSaid(outcome: Outcome | null): Sentence {
  if (outcome === 'passed') return sentence('has passed');
  if (outcome === 'no_candidates') return sentence('had no candidates');
  return outcome === 'rejected' ? sentence('was voted down') : sentence('had too few votes to count');
}
