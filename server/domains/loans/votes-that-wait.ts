import { RESTRUCTURE_OFFICES } from '@ushirika/contract/loan-recovery';
import type { LoanFigures } from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { isHeld } from '../saccos/officials-too-few.ts';
import { countsForDefault, defaultOffices } from './loan-officials.ts';
import type { Reader } from './loan-rows.ts';
import { type IsOnePerson, samePersonAmong } from './second-account.ts';
import { WRITE_OFF_OFFICES, writeOffMay } from './write-off-sides.ts';

interface VoteRow {
  readonly loan_id: string;
  readonly number: string;
  readonly owed: Cents;
  readonly kind: 'default' | 'write_off';
  readonly by_id: string;
  readonly name: string;
  readonly office: Office;
  readonly at: Date;
  /** Those that whoever voted holds now. */
  readonly offices: readonly Office[];
  readonly declined: boolean;
  readonly declined_by: readonly string[];
}

interface Official {
  readonly userId: string;
  readonly saccoId: string;
  readonly held: readonly Office[];
}

interface ScheduleRow extends Pick<VoteRow, 'loan_id' | 'number' | 'owed' | 'by_id' | 'name' | 'office' | 'at'> {}

type Waiting = LoanFigures['votes_to_cast'];

/**
 * The defaults, write-offs and new schedules that wait for an official, the oldest first: not their own nor those of another account of
 * theirs, none that they have declined, and none of loans in which they have an interest. Asked of the platform.
 */
export async function votesThatWait(reader: Reader, official: Official): Promise<Waiting> {
  const [cast, proposed] = await Promise.all([openVotes(reader, official), openSchedules(reader, official)]);
  const deciding = await defaultOffices(
    reader,
    official.saccoId,
    cast.filter(({ kind }) => kind === 'default').map(({ loan_id }) => loan_id),
  );
  const votes = cast.filter((vote) => counts(vote, deciding.get(vote.loan_id) ?? []));
  const loans = Map.groupBy(votes, ({ loan_id }) => loan_id);
  // A new schedule waits while a vote for the default is open.
  const schedules = proposed.filter(({ loan_id }) => !loans.has(loan_id));
  const isOnePerson = await samePersonAmong(reader, [
    ...new Set([...votes, ...schedules].map(({ by_id }) => by_id)).add(official.userId),
  ]);
  const asked = [...loans.values()].flatMap((of) => {
    const [first] = of;
    if (!first || !isAsked(of, official, { deciding: deciding.get(first.loan_id) ?? [], isOnePerson })) return [];
    return [{ ...shown(first, first.kind), declined_by: [...first.declined_by] }];
  });
  const toConfirm = schedules
    .filter(({ by_id }) => !isOnePerson(by_id, official.userId))
    .map((schedule) => ({ ...shown(schedule, 'restructure'), declined_by: [] }));
  return [...asked, ...toConfirm].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

const shown = (
  { loan_id: loan, number, owed, by_id, name, office, at }: ScheduleRow,
  step: Waiting[number]['step'],
): Omit<Waiting[number], 'declined_by'> => ({
  ...{ loan, number, step, office },
  owed: shillingsFromCents(owed),
  by: { id: by_id, name },
  at: at.toISOString(),
});

/** Whoever left the office since may hold another one that decides about the step. */
const counts = (vote: VoteRow, deciding: readonly Office[]): boolean =>
  vote.kind === 'write_off'
    ? vote.offices.some((office) => WRITE_OFF_OFFICES.includes(office))
    : countsForDefault(vote, deciding);

/** Whether these votes about one loan wait for somebody. By the rules of `writeOffLoan` and `decideDefault`. */
function isAsked(
  votes: readonly VoteRow[],
  { userId, held }: Official,
  { deciding, isOnePerson }: { readonly deciding: readonly Office[]; readonly isOnePerson: IsOnePerson },
): boolean {
  if (votes.some(({ kind }) => kind === 'write_off')) {
    const voters = votes.map(({ by_id: id, offices }) => ({ id, offices }));
    const declined = votes.some((vote) => vote.declined);
    const may = writeOffMay(voters, { by: { id: userId, offices: held }, declined, isOnePerson });
    return may.includes('agree') && may.includes('decline');
  }
  const isOneOfThem = votes.some(({ by_id }) => by_id === userId || isOnePerson(by_id, userId));
  return deciding.some((office) => held.includes(office)) && !isOneOfThem;
}

/** A loan has votes of one kind at most: a default comes before a write-off, and ends with a step. */
function openVotes(reader: Reader, { userId, saccoId }: Official): Promise<VoteRow[]> {
  return (reader.sql as Tx['sql'])<VoteRow[]>`
    select v.loan_id, l.number, l.principal_cents + l.interest_cents + l.penalty_cents as owed, v.kind, v.by_id,
      p.first_name || ' ' || p.last_name as name, v.office, v.at, held.offices,
      exists (select from loan_write_off_declines d
              where d.loan_id = v.loan_id and d.arrears_since = v.arrears_since and d.by_id = ${userId}) as declined,
      array(select p.first_name || ' ' || p.last_name from loan_write_off_declines d join people p on p.id = d.by_id
            where d.loan_id = v.loan_id and d.arrears_since = v.arrears_since and v.kind = 'write_off'
            order by d.at, d.by_id) as declined_by
    from loans l
    join loan_recovery_voices v on v.loan_id = l.id and v.arrears_since = l.arrears_since
      and v.kind = case l.state when 'recovering' then 'write_off' else 'default' end
    join people p on p.id = v.by_id
    cross join lateral (
      select coalesce(array_agg(o.office order by o.office), '{}') as offices from offices o
      where o.sacco_id = ${saccoId} and o.user_id = v.by_id and ${isHeld(reader.sql as Tx['sql'], reader.now)}) held
    where l.sacco_id = ${saccoId} and l.state in ('in_arrears', 'recovering')
      and not exists (select from loan_recovery_steps s
                      where s.loan_id = v.loan_id and s.arrears_since = v.arrears_since and s.step = v.kind)
      and not exists (select from loan_interests i where i.loan_id = l.id and i.user_id = ${userId})
    order by v.at, v.loan_id`;
}

/** New schedules that another official has proposed and this one may confirm: by the rules of `confirmRestructure`. */
async function openSchedules(reader: Reader, { userId, saccoId, held }: Official): Promise<ScheduleRow[]> {
  if (!RESTRUCTURE_OFFICES.some((office) => held.includes(office))) return [];
  const offices = texts(RESTRUCTURE_OFFICES);
  return (reader.sql as Tx['sql'])<ScheduleRow[]>`
    select l.id as loan_id, l.number, l.principal_cents + l.interest_cents + l.penalty_cents as owed, r.proposed_by as by_id,
      p.first_name || ' ' || p.last_name as name, r.proposed_at as at,
      (select o.office from offices o where o.sacco_id = l.sacco_id and o.user_id = r.proposed_by
       order by o.office = any (${offices}::text[]) desc, o.until desc limit 1) as office
    from loans l
    join loan_restructures r on r.loan_id = l.id and r.state = 'unconfirmed' and r.answer_by > ${reader.now}
      and r.principal_cents = l.principal_cents
    join people p on p.id = r.proposed_by
    where l.sacco_id = ${saccoId} and l.state in ('in_arrears', 'defaulted') and r.proposed_by <> ${userId}
      and not exists (select from loan_interests i where i.loan_id = l.id and i.user_id = ${userId})
    order by r.proposed_at, l.id`;
}
