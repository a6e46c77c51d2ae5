import type { LoanRecovery, RecoveryTake } from '@ushirika/contract/loan-recovery';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { previewCall } from '../pools/call-guarantee.ts';
import { savingsOf } from './loan-facts.ts';
import type { Reader } from './loan-rows.ts';
import { guarantorsPay, ownSavingsTaken } from './recovery.rules.ts';
import type { LateLoan, Recovery } from './recovery-facts.ts';

type Source = RecoveryTake['from'][number];

interface Held {
  readonly kind: 'self' | 'member';
  readonly name: string;
  readonly pledged_cents: Cents;
}

/**
 * What each step of a recovery that is still to come would take, and from whom, as the accounts are now: by the rules that take it. A step counts
 * with what those before it leave of the principal. Asked of the platform.
 */
export async function takesOf(reader: Reader, loan: LateLoan, { steps }: Recovery): Promise<LoanRecovery['takes']> {
  const isAhead = (kind: RecoveryTake['step']) =>
    steps.some((step) => step.kind === kind && (step.state === 'now' || step.state === 'later'));
  const held = await heldFor(reader, loan.id);
  const takes: RecoveryTake[] = [];
  let principal = loan.principal_cents;
  const add = (step: RecoveryTake['step'], from: readonly Source[], ofPrincipal: Cents) => {
    principal -= ofPrincipal;
    const amount = from.reduce((sum, each) => sum + each.amount, 0);
    takes.push({
      step,
      from: from
        .filter((each) => each.amount > 0)
        .map((each) => ({ ...each, amount: shillingsFromCents(each.amount) })),
      amount: shillingsFromCents(amount),
      principal_left: shillingsFromCents(principal),
    });
  };
  if (isAhead('own_deposits')) {
    const { from, ofPrincipal } = await ownSavings(reader, loan, held);
    add('own_deposits', from, ofPrincipal);
  }
  if (isAhead('pool')) {
    const from = await fromPool(reader, loan.id, principal);
    add('pool', from, sumOf(from));
  }
  if (isAhead('guarantors')) {
    const members = held.filter(({ kind }) => kind === 'member');
    const shares = guarantorsPay(
      principal,
      members.map(({ pledged_cents }) => pledged_cents),
    );
    const from = members.map(({ name }, index): Source => ({ source: 'guarantor', name, amount: shares[index] ?? 0 }));
    add(
      'guarantors',
      from.toSorted((one, other) => other.amount - one.amount),
      sumOf(from),
    );
  }
  return takes;
}

const sumOf = (from: readonly Source[]) => from.reduce((sum, { amount }) => sum + amount, 0);

async function heldFor({ sql }: Reader, loanId: string): Promise<Held[]> {
  return (sql as Tx['sql'])<Held[]>`
    select g.kind, p.first_name || ' ' || p.last_name as name, g.pledged_cents
    from loan_guarantees g join people p on p.id = g.guarantor_id
    where g.loan_id = ${loanId} and g.state = 'live' and g.pledged_cents > 0 order by g.id`;
}

async function ownSavings(reader: Reader, loan: LateLoan, held: readonly Held[]) {
  const own = held.find(({ kind }) => kind === 'self')?.pledged_cents ?? 0;
  const { free } = await savingsOf(reader, loan.sacco_id, loan.borrower_id);
  const owed = { principal: loan.principal_cents, interest: loan.interest_cents, penalty: loan.penalty_cents };
  const taken = ownSavingsTaken(owed, { held: own, free });
  const from: Source[] = [
    { source: 'pledged_savings', name: null, amount: taken.fromHeld },
    {
      source: 'savings',
      name: null,
      amount: taken.fromFree,
    },
  ];
  return { from, ofPrincipal: taken.principal };
}

async function fromPool(reader: Reader, loanId: string, shortfall: Cents): Promise<Source[]> {
  const call = await previewCall({ sql: reader.sql as Tx['sql'], now: reader.now }, { loanId, shortfall });
  if (!call) return [];
  const { poolName: name, own, reserve, members } = call;
  return [
    { source: 'pool_own', name, amount: own },
    { source: 'pool_reserve', name, amount: reserve },
    { source: 'pool_members', name, amount: members },
  ];
}
