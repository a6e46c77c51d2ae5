import postgres from 'postgres';
import { applicationForPool, repaymentHistoriesOf } from '../server/domains/loans/pool-needs.ts';
import { mayBeDecided, mayJoin } from '../server/domains/loans/who-is-left.ts';
import { approveGuarantee } from '../server/domains/pools/approve-guarantee.ts';
import { createPool } from '../server/domains/pools/create-pool.ts';
import { lockRequest, type PoolNeeds, requestGuarantee } from '../server/domains/pools/request-guarantee.ts';
import { relativesOf } from '../server/domains/referrals/related.ts';
import type { Bench, Measurement } from './bench.types.ts';
import { type LoanDatabase, openLoans, processorTimeOf } from './loan-database.ts';
import { median, quantile, seeded } from './statistics.ts';

const members = Number(process.env.POOL_MEMBERS ?? 10_000);
const millisecondsMost = 20;
/** Guarantees that the pool has given already; each locks a part of every member's money. */
const guarantees = 20;
const needs: PoolNeeds = {
  historiesOf: repaymentHistoriesOf,
  applicationOf: applicationForPool,
  relativesOf,
  mayBeDecided,
  mayJoin,
};

export const bench: Bench = {
  id: 'B15',
  title: `A request for a guarantee in a pool of ${members.toLocaleString('en-US')} members that has given ${guarantees}`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const book = { loansPerSacco: members, loansPerBorrower: 1, daysMost: 330, part: 1_000_000 };
    const of = await openLoans(server, 'pool', { loans: members, book, more: [seen] });
    try {
      const pool = await openPool(of);
      const approvals = await giveGuarantees(of, pool);
      const ratios: number[] = [];
      const costs: number[] = [];
      const random = seeded(15);
      const ask = () => request(of, pool, pool.people[Math.floor(random() * pool.people.length)] ?? '');
      for (let warm = 0; warm < 100; warm += 1) await ask();
      for (let pair = 0; pair < context.pairs; pair += 1) {
        const waits: number[] = [];
        const ends = performance.now() + context.seconds * 1_000;
        const spent = await processorTimeOf(server, async () => {
          while (performance.now() < ends) {
            const started = performance.now();
            await ask();
            waits.push(performance.now() - started);
          }
        });
        ratios.push(quantile(waits, 0.99));
        costs.push((spent.node + spent.postgres) / waits.length / 1_000);
        context.say(
          `${waits.length} requests, p50 ${median(waits).toFixed(1)} ms, p99 ${ratios.at(-1)?.toFixed(1)} ms; ${costs.at(-1)?.toFixed(1)} ms of processor each`,
        );
      }
      return [
        {
          title: 'p99 of a request in milliseconds, from its first statement to the acknowledged commit',
          ratios,
          threshold: { is: 'most', value: millisecondsMost },
          details: [
            `processor time: ${median(costs).toFixed(1)} ms a request, PostgreSQL’s included`,
            `an approval, which locks a part of each member's money: ${median(approvals).toFixed(0)} ms`,
          ],
        },
      ];
    } finally {
      await of.database.close();
    }
  },
};

/** Everybody's card was seen by an operator. */
const seen = `
  insert into identity_checks (id, user_id, seen_by, document, seen_at)
  select gen_random_uuid(), id, (select max(id::text)::uuid from users u where u.id <> users.id), 'national_id', now() from users`;

interface Pool {
  readonly id: string;
  /** Members who have asked for nothing yet. */
  readonly people: string[];
}

/** A pool that everybody has joined, as its rows are; its books are empty, and a request does not read them. */
async function openPool({ database, url }: LoanDatabase): Promise<Pool> {
  const people = (await database.sql<{ id: string }[]>`select id from users order by id`).map(({ id }) => id);
  const [sacco] = await database.sql<{ id: string }[]>`select id from saccos limit 1`;
  const id = await database.transaction((tx) =>
    createPool(
      tx,
      { userId: people[0] ?? '' },
      {
        saccoId: sacco?.id ?? '',
        fields: {
          name: 'A large pool',
          min_contribution: 100_000,
          min_contribution_perc: 1_000,
          min_member_period: 0,
          base_risk_percentage: 300,
          risk_weight_factor: 150,
          min_trust_score: 40,
        },
      },
    ),
  );
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner`
    insert into pool_members (id, pool_id, user_id, sequence, joined_at, position_cents)
    select gen_random_uuid(), ${id}, id, row_number() over (order by id), '2026-01-01', 10000000 from users`;
  await owner`
    update pools set state = 'OPEN', members_count = ${people.length}, positions_cents = ${people.length * 10_000_000}
    where id = ${id}`;
  await owner`vacuum analyze`;
  await owner.end();
  return { id, people: people.slice(1) };
}

const request = ({ database }: LoanDatabase, { id }: Pool, userId: string) =>
  database.transaction((tx) =>
    requestGuarantee(
      tx,
      { userId, poolId: id, amount: 5_000_000, months: 12, loanId: null, purpose: 'School fees' },
      needs,
    ),
  );

/** Some members have a guarantee already. Returns how long each approval took, in milliseconds. */
async function giveGuarantees(of: LoanDatabase, pool: Pool): Promise<number[]> {
  const times: number[] = [];
  for (const userId of pool.people.splice(0, guarantees)) {
    const requestId = await request(of, pool, userId);
    const started = performance.now();
    await of.database.transaction(async (tx) => {
      const locked = await lockRequest(tx, requestId);
      await tx.sql`
        update pool_requests set signed_name = 'A member', signed_at = ${tx.now}, memorandum_hash = repeat('0', 64),
          state = 'IN_REVIEW', is_automatic = true where id = ${requestId}`;
      await approveGuarantee(tx, { ...locked, approvedBy: null });
    });
    times.push(performance.now() - started);
  }
  return times;
}
