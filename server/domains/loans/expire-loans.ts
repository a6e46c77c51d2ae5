import type { Tx } from '../../db/tx.ts';
import { tellOfAnswers } from './tell-of-restructures.ts';

/** Offers that one transaction ends. */
const AT_ONCE = 200;

/**
 * Offers of new schedules that not everybody has agreed to in time come to nothing, and so do those that no second official has confirmed:
 * of these nobody was told. Repeated until none is left. The conditions stand twice: the outer ones are asked again of a row that a
 * confirmation or an answer has changed at this moment.
 */
export async function expireInChunks(
  tx: Tx,
  { saccoId }: { readonly saccoId: string },
): Promise<{ expired: number; isDone: boolean }> {
  const lapsed = await tx.sql<{ loan_id: string; is_confirmed: boolean }[]>`
    update loan_restructures set state = 'lapsed', state_at = ${tx.now}
    where state in ('unconfirmed', 'proposed') and answer_by <= ${tx.now} and id in (
      select r.id from loan_restructures r join loans l on l.id = r.loan_id
      where l.sacco_id = ${saccoId} and r.state in ('unconfirmed', 'proposed') and r.answer_by <= ${tx.now}
      order by r.answer_by, r.id limit ${AT_ONCE})
    returning loan_id, confirmed_by is not null as is_confirmed`;
  const loanIds = lapsed.filter(({ is_confirmed }) => is_confirmed).map(({ loan_id }) => loan_id);
  if (loanIds.length > 0) await tellOfAnswers(tx, null, loanIds, 'lapsed');
  return { expired: lapsed.length, isDone: lapsed.length < AT_ONCE };
}
