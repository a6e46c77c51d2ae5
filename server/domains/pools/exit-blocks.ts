import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { ExitBlocks, LeavingEffects } from '../membership/exit.queries.ts';
import { placesOfPools } from './pool-access.ts';

/**
 * Why somebody cannot be paid out of a sacco yet. They have money in a pool of its members, which may back others' loans. A pool guarantees
 * a loan of theirs here, or has paid for one. An open pool holds back who would be in no active sacco any more.
 */
export const poolExitBlocks: ExitBlocks = async (reader, { userId, saccoId }) => {
  const sql = reader.sql as never as (parts: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>;
  const [positions, guarantees, claims] = await Promise.all([
    sql`
      select p.id, p.name, m.position_cents as cents from pool_members m join pools p on p.id = m.pool_id
      where m.user_id = ${userId} and m.position_cents > 0 and (p.sacco_id = ${saccoId} or p.sacco_id is null and not exists (
        select from memberships o join saccos s on s.id = o.sacco_id
        where o.user_id = ${userId} and o.sacco_id <> ${saccoId} and o.state in ('provisional', 'active') and s.state = 'active'))
      order by p.id`,
    sql`
      select c.loan_id as id, p.name, c.outstanding_cents as cents from pool_contracts c join pools p on p.id = c.pool_id
      where c.user_id = ${userId} and c.sacco_id = ${saccoId} and c.outstanding_cents > 0 and c.activated_at is not null
      order by c.id`,
    sql`
      select c.loan_id as id, p.name, c.claim_cents - c.recovered_cents as cents from pool_contracts c join pools p on p.id = c.pool_id
      where c.user_id = ${userId} and c.sacco_id = ${saccoId} and c.claim_cents > c.recovered_cents order by c.id`,
  ]);
  const amount = (cents: number) => formatShillings(shillingsFromCents(cents));
  return [
    ...positions.map(({ id, name: pool, cents }) => ({
      text: sentence('You have {amount} in the guarantor pool {pool}. Withdraw it from the pool first.', {
        amount: amount(cents),
        pool,
      }),
      at: { kind: 'pool' as const, id },
    })),
    ...guarantees.map(({ id, name: pool, cents }) => ({
      text: sentence('The guarantor pool {pool} guarantees {amount} of a loan of yours here. Repay it first.', {
        amount: amount(cents),
        pool,
      }),
      at: { kind: 'loan' as const, id },
    })),
    ...claims.map(({ id, name: pool, cents }) => ({
      text: sentence('The guarantor pool {pool} has paid {amount} of a loan of yours here. Pay it back first.', {
        amount: amount(cents),
        pool,
      }),
      at: { kind: 'loan' as const, id },
    })),
  ];
};

/** What leaving a sacco does to its pools: those of which nobody else is a steward have nobody who decides in one's place. */
export const poolLeavingEffects: LeavingEffects = async ({ sql, now }, { userId, saccoId }) => {
  const reader = { sql: sql as Tx['sql'], now };
  const pools = await reader.sql<{ id: string; name: string }[]>`
    select p.id, p.name from pools p
    where p.sacco_id = ${saccoId} and p.state <> 'CLOSED'
      and exists (select from pool_stewards w where w.pool_id = p.id and w.user_id = ${userId})
    order by p.id`;
  const places = await placesOfPools(
    reader,
    pools.map(({ id }) => id),
  );
  const alone = pools.filter(({ id }) =>
    places.every(({ pool_id, user_id, decides }) => pool_id !== id || user_id === userId || !decides),
  );
  return alone.map(({ name: pool }) =>
    sentence(
      'You are the only steward of the guarantor pool {pool}: nobody else decides about its requests. If it is not to go on, close it first.',
      { pool },
    ),
  );
};

interface Row {
  /** The pool's, or the loan's that it guarantees. */
  readonly id: string;
  readonly name: string;
  readonly cents: number;
}
