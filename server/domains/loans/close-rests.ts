import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import { post } from '../../ledger/post.ts';
import { lockContracts, releaseGuarantees } from '../pools/guarantee-life.ts';
import { allocateOrClose } from './closing.rules.ts';
import { journalsBeside } from './closing.ts';
import { isClaimed } from './loan-rows.ts';
import { allOwed, type Following, followingOf, owedWith, type PayableLoan, payableLoans } from './payable-loans.ts';
import { accountsOf, carryOn, idOf, journalOfRepayment, outOf, releasedBy, repayingTransfers } from './repay-loans.ts';
import { tellOfLoans } from './tell-of-loans.ts';
import { type Applied, writeRepaid } from './write-repayments.ts';

/** Loans that one transaction closes. */
const AT_ONCE = 200;

/**
 * Closes the loans of a sacco whose last instalment is due by a day that was run, and of which no more than the tolerance is owed: as a
 * payment of nothing would, by the same journals (docs/decisions/221). Repeated until none is left. A loan in recovery on which guarantors
 * or a pool have a claim waits for a payment, which is theirs first.
 */
export async function closeRests(
  tx: Tx,
  of: { readonly saccoId: string; readonly day: string },
): Promise<{ isDone: boolean }> {
  const { day } = of;
  const ids = await restsOf(tx, of);
  if (ids.length === 0) return { isDone: true };
  // Pools are locked before loans.
  await lockContracts(tx, ids);
  const payables = await payableLoans(tx, ids, day, { isLocking: true });
  const accounts = await lockAccounts(
    tx,
    payables.flatMap((payable) => accountsOf(payable, [])),
  );
  // Asked again under the locks: a payment or a recovery may have changed them meanwhile.
  const still = new Set(await restsOf(tx, of));
  const following = await followingOf(tx, payables);
  const closing = payables.filter(({ loan }) => still.has(loan.id));
  const applied = closing.flatMap((payable) => forgiven(tx, { payable, day, following }));
  const ofPools = await releaseGuarantees(tx, outOf(applied, day));
  await writeRepaid(tx, { day, following, applied });
  const journals = [
    ...applied.map(({ journal }) => journal).filter(({ transfers }) => transfers.length > 0),
    ...journalsBeside(applied),
    ...ofPools,
  ];
  const results = await post(tx, journals, accounts);
  for (const [index, journal] of journals.entries()) idOf(results[index], journal);
  await tellOfLoans(tx, null, applied.flatMap(toldOf));
  return { isDone: ids.length < AT_ONCE };
}

async function restsOf(
  tx: Tx,
  { saccoId, day }: { readonly saccoId: string; readonly day: string },
): Promise<string[]> {
  const found = await tx.sql<{ id: string }[]>`
    select l.id from loans l
    where l.sacco_id = ${saccoId} and l.state in ('active', 'in_arrears', 'defaulted', 'recovering') and l.principal_cents > 0
      and l.accrued_through >= ${day}::date and l.principal_cents + l.interest_cents + l.penalty_cents <= (
        select cents from loan_tolerances where valid_from <= ${day}::date order by valid_from desc limit 1)
      and not exists (select from loan_instalments i where i.loan_id = l.id and i.due_on > ${day}::date
                        and i.principal_cents > i.paid_principal_cents)
      and not (l.state = 'recovering' and ${isClaimed(tx)})
    order by l.id limit ${AT_ONCE}`;
  return found.map(({ id }) => id);
}

interface Closing {
  readonly payable: PayableLoan;
  readonly day: string;
  readonly following: Following;
}

function forgiven(tx: Tx, { payable, day, following }: Closing): Applied[] {
  const { loan } = payable;
  const shared = allocateOrClose(
    owedWith(payable, following),
    { amount: 0, day, surplus: loan.surplus },
    null,
    loan.tolerance_cents,
  );
  const { allocation, back, forgiven } = shared;
  if (!allocation.isPaidOff) return [];
  const releases = releasedBy(payable, 0);
  const cash = { book: loan.sacco_id, kind: 'cash', owner: null } as const;
  const journal = journalOfRepayment(tx, payable, null, repayingTransfers(payable, cash, { allocation, releases }));
  carryOn(payable, following, shared, releases);
  const repayment = { payerId: null, channel: 'none', key: journal.idempotencyKey } as const;
  const owedAfter = allOwed(payable);
  return [
    {
      payable,
      repayment,
      allocation,
      releases,
      journal,
      back,
      forgiven,
      countsOn: null,
      owedAfter,
      excusedUntil: null,
    },
  ];
}

/** The borrower, and the guarantors whose pledges are over. */
const toldOf = ({ payable: { loan, guarantees } }: Applied) => [
  { loan, event: 'closed' as const },
  ...guarantees
    .filter(({ kind, state }) => kind === 'member' && state !== 'asked')
    .map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
];
