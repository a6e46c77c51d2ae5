import type { TestDatabase } from '../../../server/db/test-copy.ts';
import { type DomainPart, is } from '../domain-part.ts';
import { memberRead } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

/** The year that every sacco here has closed, and the one after it. */
export const [CLOSED, NEXT] = [2019, 2020] as const;

/** Dividends: what members read of their sacco and choose for themselves, and the desk of its officials. */
export const dividends: DomainPart = {
  policies: {
    readDividends: memberRead(),
    readDividend: memberRead(),
    chooseDividend: memberRead(),
    readDividendDesk: ofOfficials('200'),
    simulateDividend: ofOfficials('409 dividend_conflict'),
    closeYear: {
      caller: 'official',
      offices: ['chair', 'secretary', 'treasurer'],
      lines: `
      chair of A/secretary of A/treasurer of A | saccoId A                | 202
      chair of B/secretary of B/treasurer of B | saccoId B                | 202
      founder                   | saccoId waiting/rejected | 422 sacco_inactive
      signed in                 | saccoId malformed/absent | 400 sacco_required
      signed in                 | *                        | 403 not_allowed`,
      counterparty: ['public.notifications'],
    },
  },
  fixtures: {
    'readDividend.year': is(CLOSED),
    'simulateDividend.year': is(CLOSED),
    'closeYear.year': is(NEXT),
    share_rate: is('5'),
    savings_rate: is('3'),
    savings_method: is('month_after'),
    into: is('shares'),
  },
  async raise({ database }, cast) {
    for (const side of ['A', 'B'] as const) await closeFor(database, cast.saccos[side]);
    return {};
  },
  async attacked({ product, sacco }) {
    await closeFor(product.database, sacco);
    const at = (path: string, body?: unknown) => [[path, body === undefined ? { sacco } : { sacco, body }]] as const;
    const rates = `year=${CLOSED}&share_rate=5&savings_rate=3&savings_method=month_after`;
    return {
      readDividends: at('/dividends'),
      readDividend: at(`/dividends/${CLOSED}`),
      chooseDividend: at('/dividends/choice', { into: 'shares' }),
      readDividendDesk: at('/sacco/dividends'),
      simulateDividend: at(`/sacco/dividends/simulation?${rates}`),
      closeYear: at('/sacco/dividends/years', { year: NEXT }),
    };
  },
  withoutActs: {
    chooseDividend:
      'it moves no money, and where a dividend goes is tested in server/domains/dividends/dividends.test.ts',
  },
};

/** As if two officials had closed a year long ago, in which nothing was earned. */
export async function closeFor({ owner }: TestDatabase, sacco: string): Promise<void> {
  await owner`update saccos set created_at = '2018-01-01' where id = ${sacco}`;
  await owner`
    insert into closed_years (sacco_id, year, closed_at, proposed_by, surplus_cents, reserve_cents, distributable_cents,
      share_value_cents, reckoned_at)
    select id, ${CLOSED}, '2020-02-01', created_by, 0, 0, 0, share_value_cents, '2020-02-01' from saccos where id = ${sacco}`;
}

/** Every office reads; a sacco that waits has no closed year. */
function ofOfficials(waiting: string): RoutePolicy {
  return {
    caller: 'official',
    lines: `
      officials of A | saccoId A                | 200
      officials of B | saccoId B                | 200
      founder        | saccoId waiting/rejected | ${waiting}
      signed in      | saccoId malformed/absent | 400 sacco_required
      signed in      | *                        | 403 not_allowed`,
  };
}
