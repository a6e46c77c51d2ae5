import type { TestDatabase } from '../../../server/db/test-copy.ts';
import { type DomainPart, id, is, leftOut } from '../domain-part.ts';
import { forOneself, memberRead } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

/** A year of which every sacco here has paid a dividend. */
export const PAID = 2018;
/** The year that every sacco here has closed, and the one after it. */
export const [CLOSED, NEXT] = [2019, 2020] as const;

/** Dividends: what members read of their sacco and choose for themselves, and the desk of its officials. */
export const dividends: DomainPart = {
  policies: {
    readDividends: memberRead(),
    readDividend: memberRead(),
    readOwnDividends: forOneself(200),
    readOwnDividend: {
      caller: 'signed_in',
      lines: `
      members of A/former | sacco A | 200
      members of B        | sacco B | 200
      signed in           | *       | 404 not_found`,
    },
    chooseDividend: memberRead(),
    readDividendDesk: ofOfficials('200'),
    readDividendPayments: {
      ...ofOfficials('404 not_found'),
      // Whoever has left gets their part of the year as well.
      shows: `
      officials of A | names of A
      officials of A | names of who left
      officials of B | names of B`,
      notes: 'public.member_record_readings',
    },
    recordResidence: {
      caller: 'official',
      offices: ['chair', 'secretary', 'treasurer'],
      lines: `
      signed in       | saccoId malformed/absent           | 400 sacco_required
      ${records('A')} | saccoId A, id self                 | 409 dividend_conflict
      ${records('A')} | saccoId A, id unseen/hers          | 200
      ${records('A')} | saccoId A                          | 404 not_found
      ${records('B')} | saccoId B, id self                 | 409 dividend_conflict
      ${records('B')} | saccoId B, id foreign              | 200
      ${records('B')} | saccoId B                          | 404 not_found
      founder         | saccoId waiting/rejected, id malformed | 404 not_found
      founder         | saccoId waiting/rejected           | 422 sacco_inactive
      signed in       | *                                  | 403 not_allowed`,
      counterparty: ['public.member_residences', 'public.notifications'],
    },
    listResidences: ofOfficials('200'),
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
    'readOwnDividend.year': is(PAID),
    'readDividendPayments.year': is(PAID),
    // A mark is the id of a member, who is no secret to officials.
    'readDividendPayments.cursor': leftOut,
    'simulateDividend.year': is(CLOSED),
    'closeYear.year': is(NEXT),
    'recordResidence.id': id('membership'),
    lives: is('abroad'),
    paper: is('A tax certificate of Tanzania'),
    share_rate: is('5'),
    savings_rate: is('3'),
    savings_method: is('month_after'),
    into: is('shares'),
  },
  async raise({ database }, cast) {
    for (const side of ['A', 'B'] as const) {
      await closeFor(database, cast.saccos[side]);
      await payFor(database, cast.saccos[side]);
    }
    return {};
  },
  async attacked({ product, victim, sacco }) {
    await closeFor(product.database, sacco);
    const [membership] = await product.database.owner<{ id: string }[]>`
      select id from memberships where user_id = ${victim.id} and sacco_id = ${sacco}`;
    const lives = { lives: 'abroad', paper: 'A tax certificate of Tanzania' };
    const at = (path: string, body?: unknown) => [[path, body === undefined ? { sacco } : { sacco, body }]] as const;
    const rates = `year=${CLOSED}&share_rate=5&savings_rate=3&savings_method=month_after`;
    return {
      readDividends: at('/dividends'),
      readDividend: at(`/dividends/${CLOSED}`),
      readOwnDividends: at('/my-dividends'),
      readOwnDividend: at(`/my-dividends/${sacco}/${PAID}`),
      chooseDividend: at('/dividends/choice', { into: 'shares' }),
      readDividendDesk: at('/sacco/dividends'),
      readDividendPayments: at(`/sacco/dividends/${PAID}/payments`),
      simulateDividend: at(`/sacco/dividends/simulation?${rates}`),
      recordResidence: [[`/sacco/members/${membership?.id}/residence`, { sacco, body: lives }]],
      listResidences: at('/sacco/dividends/residences'),
      closeYear: at('/sacco/dividends/years', { year: NEXT }),
    };
  },
  withoutActs: {
    recordResidence:
      'it moves no money itself, and what is withheld by it is tested in server/domains/dividends/dividends.test.ts',
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

/** As if a dividend of the year before had been paid to everybody who is, or was, a member. */
export async function payFor({ owner }: TestDatabase, sacco: string): Promise<void> {
  await owner`
    insert into closed_years (sacco_id, year, closed_at, proposed_by, surplus_cents, reserve_cents, distributable_cents,
      share_value_cents, reckoned_at)
    select id, ${PAID}, '2019-02-01', created_by, 125, 25, 100, share_value_cents, '2019-02-01' from saccos where id = ${sacco}`;
  await owner`
    insert into dividends (id, sacco_id, year, share_rate, savings_rate, savings_method, share_tax, savings_tax, share_tax_abroad,
      savings_tax_abroad, record_on, residence_at, declared_at, gross_cents, tax_cents, members, journal_id, state, finished_at)
    values (gen_random_uuid(), ${sacco}, ${PAID}, 500, 0, 'month_after', 500, 1500, 1500, 1500, '2019-03-01', '2019-02-10', '2019-02-20', 100, 5, 1,
      (select min(id) from journals), 'done', '2019-03-02')`;
  await owner`
    insert into year_members (sacco_id, year, member_id, share_days, month_after, month_of, lowest_balance)
    select ${sacco}, ${PAID}, user_id, 3650, 0, 0, 0 from memberships where sacco_id = ${sacco}`;
}

/** The officials who record where members live. */
function records(side: 'A' | 'B'): string {
  return `chair of ${side}/secretary of ${side}/treasurer of ${side}`;
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
