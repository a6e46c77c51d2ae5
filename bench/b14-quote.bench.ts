import { quoteOf } from '../server/domains/loans/quote-loan.ts';
import type { Bench, Measurement } from './bench.types.ts';
import { type LoanDatabase, openLoans, processorTimeOf } from './loan-database.ts';
import { median, seeded } from './statistics.ts';

const millisecondsMost = 2;
const loans = 10_000;

export const bench: Bench = {
  id: 'B14',
  title: 'The quote of a loan: its schedule, true rate, limit and cover, for a member with ten loans',
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const of = await openLoans(server, 'quotes', { loans });
    try {
      const members = await membersOf(of);
      const measurements: Measurement[] = [];
      for (const months of [12, 120]) {
        const ratios: number[] = [];
        const waits: number[] = [];
        const quote = quoteFor(of, members, months);
        for (let warm = 0; warm < 1_000; warm += 1) await quote();
        for (let pair = 0; pair < context.pairs; pair += 1) {
          let count = 0;
          const ends = performance.now() + context.seconds * 1_000;
          const spent = await processorTimeOf(server, async () => {
            for (; performance.now() < ends; count += 1) {
              const started = performance.now();
              await quote();
              waits.push(performance.now() - started);
            }
          });
          ratios.push((spent.node + spent.postgres) / count / 1_000);
          context.say(
            `${months} months: ${(spent.node / count).toFixed(0)} µs here and ${(spent.postgres / count).toFixed(0)} µs in PostgreSQL, ${count} quotes`,
          );
        }
        measurements.push({
          title: `milliseconds of processor for a quote over ${months} months, as JSON, PostgreSQL’s included`,
          ratios,
          threshold: { is: 'most', value: millisecondsMost },
          details: [`one after the other, each took ${median(waits).toFixed(2)} ms`],
        });
      }
      return measurements;
    } finally {
      await of.database.close();
    }
  },
};

interface Member {
  readonly user_id: string;
  readonly sacco_id: string;
  readonly product: string;
}

const membersOf = ({ database }: LoanDatabase) => database.sql<Member[]>`
  select m.user_id, m.sacco_id, p.id as product from memberships m join loan_products p on p.sacco_id = m.sacco_id`;

/** The quote of a member drawn at random, as the route answers it. */
function quoteFor({ database }: LoanDatabase, members: readonly Member[], months: number): () => Promise<void> {
  const random = seeded(months);
  return async () => {
    const member = members[Math.floor(random() * members.length)];
    if (!member) throw new Error('There is no member.');
    const reader = { sql: database.sql, now: database.now() };
    const amount = 1_000_000 + Math.floor(random() * 100_000_000);
    const body = { product: member.product, amount, months, net_income: 10_000_000 };
    const quote = await quoteOf(reader, { userId: member.user_id, saccoId: member.sacco_id }, body);
    if (JSON.stringify(quote).length < 100) throw new Error('A quote is longer.');
  };
}
