import type { Tx } from '../../db/tx.ts';
import { tellOfAnswers } from './tell-of-restructures.ts';

/** Rows of each kind that one transaction ends. */
const AT_ONCE = 200;

/** Offers of new schedules that not everybody has agreed to in time come to nothing. Repeated until none is left. */
export async function expireInChunks(
  tx: Tx,
  { saccoId }: { readonly saccoId: string },
): Promise<{ expired: number; isDone: boolean }> {
  const lapsed = await tx.sql<{ loan_id: string }[]>`
    update loan_restructures set state = 'lapsed', state_at = ${tx.now}
    where id in (
      select r.id from loan_restructures r join loans l on l.id = r.loan_id
      where l.sacco_id = ${saccoId} and r.state = 'proposed' and r.answer_by <= ${tx.now}
      order by r.id limit ${AT_ONCE})
    returning loan_id`;
  const loanIds = lapsed.map(({ loan_id }) => loan_id);
  if (loanIds.length > 0) await tellOfAnswers(tx, loanIds, 'lapsed');
  return { expired: lapsed.length, isDone: lapsed.length < AT_ONCE };
}
