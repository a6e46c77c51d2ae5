import { texts } from '../../ledger/sql-arrays.ts';
import type { Renaming } from '../identity/identity.types.ts';
import { endPoolsUnderName, poolsUnderName } from '../pools/end-under-name.ts';
import { lockPools } from '../pools/pool-rows.ts';
import { lockSaccos } from '../saccos/lock-sacco.ts';
import type { LoanRow } from './loan-rows.ts';
import { endApplications, voidGuarantees } from './pledges.ts';
import { tellOfLoans } from './tell-of-loans.ts';

const OPEN = ['guarantors_pending', 'returned', 'submitted', 'approved', 'accepted', 'disbursing'];

/**
 * A new name ends what somebody asked for under the one before: applications that are not paid out, requests and signatures of guarantors who are
 * to stand in for others, and what pools were asked or have approved. Nobody stands for a name that they did not read.
 * Saccos, pools and loans are locked at once, before the person's own row; what it gives ends them.
 */
export const endUnderName: Renaming = async (tx, userId) => {
  const saccos = await tx.sql<{ sacco_id: string }[]>`select sacco_id from memberships where user_id = ${userId}`;
  await lockSaccos(
    tx,
    saccos.map(({ sacco_id }) => sacco_id),
  );
  const found = await tx.sql<{ id: string }[]>`
    select id from loans where borrower_id = ${userId} and (state = any (${texts(OPEN)}::text[]) or exists (
      select from loan_guarantees g where g.loan_id = loans.id and g.replaces_id is not null and g.state in ('asked', 'accepted')))`;
  const ids = found.map(({ id }) => id);
  await lockPools(tx, await poolsUnderName(tx, userId));
  const loans = await tx.sql<LoanRow[]>`
    select * from loans where id = any (${texts(ids)}::uuid[]) order by id for update`;
  return async () => {
    const open = loans.filter(({ state }) => OPEN.includes(state));
    const ended = await endApplications(tx, open, { state: 'withdrawn', byId: userId });
    const exchanges = loans.filter(({ state }) => !OPEN.includes(state));
    const freed = await voidGuarantees(tx, exchanges, ({ replaces_id: old }) => old !== null);
    await endPoolsUnderName(tx, userId);
    const loanOf = new Map(loans.map((loan) => [loan.id, loan]));
    await tellOfLoans(
      tx,
      userId,
      [...ended, ...freed]
        .filter(({ kind, state }) => kind === 'member' && state === 'accepted')
        .map((guarantee) => ({
          loan: loanOf.get(guarantee.loan_id) as LoanRow,
          event: 'pledge_free' as const,
          guarantee,
        })),
    );
  };
};
