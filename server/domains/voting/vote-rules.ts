import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import type { ReplyOf } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { readGovernance, type readVoteRules } from '@ushirika/contract/voting';
import { FIRST_GOVERNANCE, type Governance } from '@ushirika/contract/voting-rules';
import type { Database, Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { termsUnderway } from './votes-underway.ts';

/* The rules of a sacco's votes, and the moments from which they held (docs/decisions/196). */

interface RulesRow {
  readonly number: number;
  readonly valid_from: Date;
  readonly rules: Governance;
  readonly proposal_id: string;
}

async function versionsOf(reader: Pick<Database, 'sql'> | Pick<Tx, 'sql'>, saccoId: string): Promise<RulesRow[]> {
  return (reader.sql as Tx['sql'])<RulesRow[]>`
    select number, valid_from, rules, proposal_id from vote_rules where sacco_id = ${saccoId} order by number desc`;
}

/** The rules that hold now. */
export async function governanceOf(tx: Pick<Tx, 'sql'>, saccoId: string): Promise<Governance> {
  return (await versionsOf(tx, saccoId))[0]?.rules ?? FIRST_GOVERNANCE;
}

/** Members set the rules of their votes, by a vote of two thirds. Each version stays; a vote has those of its publication. */
export const voteRulesChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('the rules of votes'),
  current: async (tx, about): Promise<ChangedValues> => ({ ...(await governanceOf(tx, saccoOf(about))) }),
  async refusalOf(_, __, payload) {
    return isGovernance(payload) ? null : new Refusal('change_conflict');
  },
  announce: async () => {},
  recall: async () => {},
  apply: setRules,
};

function isGovernance(payload: ChangedValues): boolean {
  try {
    readGovernance(payload);
    return true;
  } catch {
    return false;
  }
}

/** In the transaction that carries out the vote, under the sacco's lock. */
async function setRules(tx: Tx, about: About, payload: ChangedValues): Promise<void> {
  const saccoId = saccoOf(about);
  if (about.proposalId === undefined) throw new Error('The rules of votes are set by a vote.');
  const [last] = await versionsOf(tx, saccoId);
  const rules = JSON.stringify(readGovernance(payload));
  await tx.sql`
    insert into vote_rules (sacco_id, number, valid_from, rules, proposal_id)
    values (${saccoId}, ${(last?.number ?? 0) + 1}, ${tx.now}, ${rules}::text::jsonb, ${about.proposalId})`;
}

/** What holds now, every version, and which terms members decide on now, for members. */
export async function voteRulesShown(database: Database, saccoId: string): Promise<ReplyOf<typeof readVoteRules>> {
  const [versions, underway] = await Promise.all([
    versionsOf(database, saccoId),
    termsUnderway(database, saccoId, database.now()),
  ]);
  return {
    now: versions[0]?.rules ?? FIRST_GOVERNANCE,
    versions: versions.map(({ rules, valid_from, proposal_id }) => ({
      ...rules,
      valid_from: valid_from.toISOString(),
      proposal: proposal_id,
    })),
    underway: underway.map(({ id, number, title, kind, subject, is_decided, until }) => ({
      ...{ id, number, title, kind, subject, is_decided },
      until: until.toISOString(),
    })),
  };
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Rules of votes are of a sacco.');
  return saccoId;
}
