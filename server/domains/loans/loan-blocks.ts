import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { memberKey } from '../market/market.types.ts';
import type { ExitBlocks } from '../membership/exit.queries.ts';
import { isClaimed, savingsAccounts } from './loan-rows.ts';

/**
 * Why somebody cannot be paid out of a sacco yet: a loan of theirs, an application, what guarantors have paid for them, or savings that
 * are pledged for another's loan. It is read as that person, to whom the loans of others are hidden: what is held for them is asked
 * of the ledger.
 */
export const loanExitBlocks: ExitBlocks = async (reader, { userId, saccoId }) => {
  const sql = reader.sql as Database['sql'];
  const [loans, claims, [own], [held = 0]] = await Promise.all([
    sql<{ id: string; number: string; cents: number; is_owed: boolean }[]>`
      select id, number, principal_cents + interest_cents + penalty_cents as cents, disbursed_at is not null as is_owed
      from loans where borrower_id = ${userId} and sacco_id = ${saccoId}
        and state not in ('closed', 'rejected', 'withdrawn', 'expired') order by id`,
    sql<{ id: string; number: string; cents: number }[]>`
      select l.id, l.number, sum(g.called_cents - g.refunded_cents)::bigint as cents
      from loans l join loan_guarantees g on g.loan_id = l.id
      where l.borrower_id = ${userId} and l.sacco_id = ${saccoId} and g.kind = 'member' and g.called_cents > g.refunded_cents
      group by l.id order by l.id`,
    sql<{ cents: number }[]>`
      select coalesce(sum(g.pledged_cents), 0)::bigint as cents
      from loan_guarantees g join loans l on l.id = g.loan_id
      where g.kind = 'self' and l.borrower_id = ${userId} and l.sacco_id = ${saccoId}`,
    balances({ sql: sql as unknown as Tx['sql'] }, [savingsAccounts(saccoId, userId).pledged]),
  ]);
  const pledged = held - (own?.cents ?? 0);
  const amount = (cents: number) => formatShillings(shillingsFromCents(cents));
  const ofLoan = (id: string, text: Sentence) => ({ text, at: { kind: 'loan' as const, id } });
  return [
    ...loans
      .filter(({ cents, is_owed }) => !is_owed || cents > 0)
      .map(({ id, number, cents, is_owed }) =>
        ofLoan(
          id,
          is_owed
            ? sentence('You owe {amount} of loan {number}. Repay it first.', { amount: amount(cents), number })
            : sentence('Your application for loan {number} is open. Take it back first.', { number }),
        ),
      ),
    ...claims.map(({ id, number, cents }) =>
      ofLoan(
        id,
        sentence('Guarantors have paid {amount} of loan {number} for you. Pay them back first.', {
          amount: amount(cents),
          number,
        }),
      ),
    ),
    ...(pledged > 0
      ? [
          {
            text: sentence(
              '{amount} of your savings is pledged for loans of other members. Ask their borrowers to name somebody else.',
              { amount: amount(pledged) },
            ),
            at: { kind: 'guarantees' as const },
          },
        ]
      : []),
  ];
};

/**
 * Why members may not trade shares now: a loan that is behind, guarantors or a pool who paid for them and have not got it back. Who has given notice sells only once
 * nothing is owed and nothing pledged (domain.md 4.3).
 */
export async function loanTradeBlocks(
  tx: Tx,
  people: readonly { readonly userId: string; readonly saccoId: string }[],
): Promise<ReadonlyMap<string, Sentence>> {
  if (people.length === 0 || !isGuarded('loans.late_sellers')) return new Map();
  const today = nairobiDay(tx.now);
  const rows = await tx.sql<{ user_id: string; sacco_id: string; late: boolean; claimed: boolean; bound: boolean }[]>`
    select asked.user_id, asked.sacco_id, l.late, c.claimed, m.state = 'leaving' and (l.owed or g.pledged) as bound
    from unnest(${texts(people.map(({ userId }) => userId))}::uuid[], ${texts(people.map(({ saccoId }) => saccoId))}::uuid[])
      as asked (user_id, sacco_id)
    join memberships m on m.sacco_id = asked.sacco_id and m.user_id = asked.user_id
    cross join lateral (
      select coalesce(bool_or(state in ('in_arrears', 'defaulted', 'recovering', 'written_off')
          or state = 'active' and due_on < ${today}), false) as late,
        coalesce(bool_or(disbursed_at is not null and state <> 'closed'), false) as owed
      from loans where borrower_id = asked.user_id and sacco_id = asked.sacco_id
    ) l
    cross join lateral (
      select exists (select from loans l where l.borrower_id = asked.user_id and l.sacco_id = asked.sacco_id
        and l.disbursed_at is not null and ${isClaimed(tx)}) as claimed
    ) c
    cross join lateral (
      select coalesce(bool_or(g.pledged_cents > 0), false) as pledged
      from loan_guarantees g join loans of_loan on of_loan.id = g.loan_id
      where g.guarantor_id = asked.user_id and g.kind = 'member' and of_loan.sacco_id = asked.sacco_id
    ) g
    where l.late or c.claimed or m.state = 'leaving' and (l.owed or g.pledged)`;
  return new Map(
    rows.map((row) => [
      memberKey(row.sacco_id, row.user_id),
      row.late
        ? sentence('An instalment of your loan is overdue. Pay it, then you can trade again.')
        : row.claimed
          ? sentence('Guarantors or a pool have paid for a loan of yours. Pay them back, then you can trade again.')
          : sentence('Repay your loan and be replaced as a guarantor before you sell your shares to leave.'),
    ]),
  );
}
