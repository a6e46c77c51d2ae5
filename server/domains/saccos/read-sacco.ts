import { EXIT_DAYS, RATING_DAYS } from '@ushirika/contract/membership';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { Sacco, SaccoDetail } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import { HOLDING_LIMIT_FROM, HOLDING_LIMIT_PERCENTAGE } from '@ushirika/contract/shares';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { activationChecklist, openAtActivation } from './activation-checklist.ts';
import { officialsLack } from './officials-too-few.ts';
import { isShownWhole, type SaccoReader, type SaccoRow, saccoColumns, toSacco } from './sacco-rows.ts';
import { suspensionOf } from './suspensions.queries.ts';
import { nextTerms, saccosWithoutSales, salesWait, termsSaid } from './terms-that-wait.ts';

const DAY_MS = 86_400_000;

interface DetailRow extends SaccoRow {
  readonly created_at: Date;
  readonly joined_at: Date | null;
  readonly state_reason: string | null;
  readonly sasra_number: string | null;
  readonly share_holders: number;
  readonly holding_limit_since: Date | null;
  readonly overdue_refunds: number;
  readonly officials: { id: string; name: string; office: Office; user_id: string; since: string; until: string }[];
}

/** One sacco as the list shows it. */
export async function saccoById(database: Database, saccoId: string, reader: SaccoReader): Promise<Sacco> {
  const [row] = await database.sql.unsafe<SaccoRow[]>(
    `select ${saccoColumns('$2')} from saccos s join sacco_figures f on f.sacco_id = s.id
     left join memberships m on m.sacco_id = s.id and m.user_id = $2 where s.id = $1`,
    [saccoId, reader.userId],
    { prepare: true },
  );
  if (!row) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  return toSacco(row, reader);
}

/**
 * One sacco with its officials, terms and published figures. A rejected one is there for its founder and for operators
 * only, and so is where an application stands. Of one that waits strangers see its name and terms.
 */
export async function readSacco(
  database: Database,
  saccoId: string,
  reader: SaccoReader | null,
): Promise<Unsaid<SaccoDetail>> {
  const row = await detailRow(database, saccoId, reader?.userId ?? null);
  const isInsider =
    reader !== null &&
    (reader.isOperator ||
      reader.userId === row?.created_by ||
      row?.officials.some(({ user_id }) => user_id === reader.userId) === true);
  if (!row || (row.state === 'rejected' && !isInsider)) {
    throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  }
  const isMember = row.membership !== null && row.membership !== 'exited';
  const [checklist, [issued = 0, capital = 0, cash = 0], next, withoutSales, suspension, open] = await Promise.all([
    isInsider ? activationChecklist(database, saccoId) : [],
    balances(database, [
      { book: saccoId, kind: 'shares_issued', owner: null },
      { book: saccoId, kind: 'share_capital', owner: null },
      { book: saccoId, kind: 'cash', owner: null },
    ]),
    nextTerms(database, saccoId),
    asSystem(() => saccosWithoutSales(database, database.now(), [saccoId])),
    row.state === 'suspended' ? asSystem(() => suspensionOf(database, saccoId, isInsider || isMember)) : null,
    isInsider || isMember ? asSystem(() => openAtActivation(database, saccoId)) : [],
  ]);
  return {
    ...toSacco(row, reader),
    created_at: row.created_at.toISOString(),
    officials: isShownWhole(row, reader) ? row.officials.map(({ user_id: _, ...official }) => official) : [],
    officials_lack: officialsLack(row.state, row.officials),
    parameters: {
      reg_fee: shillingsFromCents(row.reg_fee_cents),
      min_shares: row.min_shares,
      share_value: shillingsFromCents(row.share_value_cents),
      holding_limit_percentage: HOLDING_LIMIT_PERCENTAGE,
      holding_limit_from: HOLDING_LIMIT_FROM,
      exit_days: EXIT_DAYS,
    },
    figures: {
      members: row.members,
      share_holders: row.share_holders,
      holding_limit_since: row.holding_limit_since?.toISOString() ?? null,
      shares_issued: issued,
      share_capital: shillingsFromCents(capital),
      money_held: shillingsFromCents(cash),
      overdue_refunds: row.overdue_refunds,
      as_of: database.now().toISOString(),
    },
    suspension,
    sales_wait: withoutSales.has(saccoId) ? salesWait(row.name) : null,
    terms_next: next && termsSaid(next, database.now()),
    rates_from: ratesFrom(row, reader)?.toISOString() ?? null,
    sasra_number: isShownWhole(row, reader) ? row.sasra_number : null,
    application: isInsider ? { state: row.state, reason: row.state_reason, checklist } : null,
    open_at_activation: open,
  };
}

/** When the reader has been a member for as long as a rating asks; null where they may not rate at all. */
function ratesFrom(row: DetailRow, reader: SaccoReader | null): Date | null {
  const isMember = row.membership !== null && row.membership !== 'exited';
  if (!isMember || row.joined_at === null || row.officials.some(({ user_id }) => user_id === reader?.userId))
    return null;
  return new Date(row.joined_at.getTime() + RATING_DAYS * DAY_MS);
}

async function detailRow(database: Database, saccoId: string, callerId: string | null): Promise<DetailRow | undefined> {
  const [row] = await database.sql.unsafe<DetailRow[]>(
    `select ${saccoColumns('$2')}, s.created_at, m.joined_at, s.sasra_number, f.share_holders, f.holding_limit_since,
       application_reason(s.id) as state_reason, overdue_refunds(s.id, $3) as overdue_refunds,
       coalesce((
         select jsonb_agg(jsonb_build_object(
             'id', o.id, 'name', u.first_name || ' ' || u.last_name, 'office', o.office, 'user_id', o.user_id,
             'since', to_char(o.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'until', to_char(o.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by o.since, o.id)
         from offices o join people u on u.id = o.user_id
         where o.sacco_id = s.id and o.ended_at is null and o.until > $3
       ), '[]') as officials
     from saccos s join sacco_figures f on f.sacco_id = s.id
     left join memberships m on m.sacco_id = s.id and m.user_id = $2 where s.id = $1`,
    [saccoId, callerId, database.now()],
    { prepare: true },
  );
  return row;
}
