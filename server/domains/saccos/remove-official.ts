import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import type { About, ChangeExecutor } from './changes.types.ts';

const DAY_MS = 86_400_000;
const LATELY_DAYS = 90;

interface HeldOffice {
  readonly user_id: string;
  readonly office: Office;
}

/**
 * How members end an office before its time: by a vote alone, since no office proposes it (docs/decisions/195). It is about a person and
 * an office: whoever resigns before the count is voted out all the same, also out of the same office taken up anew, and only an election
 * brings them back (`refuseVotedOut`).
 */
export const officialRemovalChange: ChangeExecutor = {
  offices: [],
  isDelayed: false,
  words: sentence('the end of an office'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const held = await termOf(tx, about, payload);
    return held ? { official: String(payload.official), office: held.office } : {};
  },
  async refusalOf(tx, about, payload) {
    if (await termOf(tx, about, payload)) return null;
    return new Refusal('change_conflict', { message: sentence('Nobody holds this office in this sacco any more.') });
  },
  personOf: async (tx, about, payload) => (await termOf(tx, about, payload))?.user_id ?? null,
  announce: async () => {},
  recall: async () => {},
  apply: endOffice,
};

/** An office that somebody holds, or held until lately: nobody escapes a vote by resigning as it is drafted. */
async function termOf(tx: Tx, { saccoId }: About, { official }: ChangedValues): Promise<HeldOffice | null> {
  const [held] = await tx.sql<HeldOffice[]>`
    select user_id, office from offices
    where id = ${String(official)}::uuid and sacco_id = ${saccoId}::uuid
      and least(ended_at, until) > ${new Date(tx.now.getTime() - LATELY_DAYS * DAY_MS)}`;
  return held ?? null;
}

/** Whoever held it, the officials who are left, and operators where those are too few, are told by a job. The sacco's lock is held. */
async function endOffice(tx: Tx, { saccoId }: About, { official }: ChangedValues): Promise<void> {
  const [ended] = await tx.sql<{ user_id: string; sacco_id: string }[]>`
    update offices o set ended_at = greatest(o.since, ${tx.now})
    from offices voted
    where voted.id = ${String(official)}::uuid and voted.sacco_id = ${saccoId}::uuid and o.sacco_id = voted.sacco_id
      and o.user_id = voted.user_id and o.office = voted.office and o.ended_at is null
    returning o.user_id, o.sacco_id`;
  // An official who has resigned holds nothing that ends.
  if (!ended) return;
  // As with a notice: what only they have said is not said any more.
  await tx.sql`
    update office_invitations set state = 'withdrawn', ended_by = ${ended.user_id}, ended_at = greatest(created_at, ${tx.now})
    where sacco_id = ${ended.sacco_id} and invited_by = ${ended.user_id} and state = 'waiting' and accepted_at is null
      and expires_at > ${tx.now}`;
  await enqueue(tx, 'tell_of_ended_offices', { user: ended.user_id, sacco: ended.sacco_id, cause: 'vote' });
}
