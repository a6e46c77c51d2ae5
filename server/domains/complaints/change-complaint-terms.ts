import { changeComplaintTerms as route } from '@ushirika/contract/complaints';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { complaintTermsOf } from './make-complaint.ts';

/**
 * How other time limits for complaints come into force: for complaints that come later. Members are not told, since the
 * public page says them and each complaint keeps its own.
 */
export const complaintTermsChange: ChangeExecutor = {
  offices: route.offices ?? [],
  isDelayed: true,
  words: sentence('the time limits for complaints'),
  async current(tx, about) {
    const { answerDays, resolveDays } = await complaintTermsOf(tx, saccoOf(about));
    return { answer_days: answerDays, resolve_days: resolveDays };
  },
  refusalOf: async () => null,
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    await setComplaintTerms(
      tx,
      { userId: about.proposedBy },
      { saccoId: saccoOf(about), ...route.body.parse(payload) },
    );
  },
};

/** The sacco's lock is held: of two changes at once the second holds from a millisecond later. */
async function setComplaintTerms(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly answer_days: number; readonly resolve_days: number },
): Promise<void> {
  await tx.sql`
    insert into complaint_terms (sacco_id, valid_from, answer_days, resolve_days, changed_by)
    select ${input.saccoId}, greatest(${tx.now}::timestamptz, max(valid_from) + interval '1 millisecond'),
      ${input.answer_days}, ${input.resolve_days}, ${actor.userId}
    from complaint_terms where sacco_id = ${input.saccoId}`;
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Time limits for complaints are of a sacco.');
  return saccoId;
}
