import { shillingsFromCents } from '@ushirika/contract/money';
import type { listMoneyExceptions, MoneyException } from '@ushirika/contract/operator';
import { maskPhone } from '@ushirika/contract/phone';
import type { Proposal } from '@ushirika/contract/proposals';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { fromStored } from '@ushirika/contract/sentence';
import { countUpTo, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { EXCEPTION_KINDS } from '../wallet/money-exceptions.ts';
import { actionsFor } from '../wallet/resolve-exception.ts';
import { openProposalsAbout } from './proposals.queries.ts';

interface Row {
  id: string;
  kind: string;
  receipt: string | null;
  phone: string | null;
  amount_cents: number | null;
  about_type: string | null;
  about_id: string | null;
  held_in: 'nowhere' | 'suspense' | 'reserve';
  opened_at: Date;
  resolved_at: Date | null;
  resolution: string | null;
  reason: string | null;
  account: string | null;
  mpesa: number | null;
  books: number | null;
  claimant_id: string | null;
  claimant_first_name: string | null;
  claimant_last_name: string | null;
  owner_id: string | null;
  owner_first_name: string | null;
  owner_last_name: string | null;
  resolver_id: string | null;
  resolver_first_name: string | null;
  resolver_last_name: string | null;
  objected_at: Date | null;
}

/** A page of what waits for a person, the oldest first; or of what was resolved, the newest first. */
export async function moneyExceptions(
  database: Database,
  actor: { readonly userId: string },
  query: QueryOf<typeof listMoneyExceptions>,
  linkTo: (cursor: string) => string,
): Promise<Unsaid<ReplyOf<typeof listMoneyExceptions>>> {
  const { sql } = database;
  const isOpen = query.status === 'suspense';
  const cursor = readCursor(query.cursor, ['instant', 'uuid']);
  const time = isOpen ? sql`e.opened_at` : sql`e.resolved_at`;
  const isDescending = isOpen === (cursor?.isBack ?? false);
  const direction = isDescending ? sql`desc` : sql`asc`;
  const after = cursor
    ? sql`and (${time}, e.id) ${isDescending ? sql`<` : sql`>`} (${new Date(Number(cursor.keys[0]))}, ${String(cursor.keys[1])}::uuid)`
    : sql``;
  const matching = sql`from money_exceptions e where e.resolved_at is ${isOpen ? sql`null` : sql`not null`}`;
  const [rows, count] = await Promise.all([
    sql<Row[]>`
      with page as materialized (
        select e.* ${matching} ${after} order by ${time} ${direction}, e.id ${direction} limit ${query.limit + 1}
      )
      select e.*, e.detail ->> 'account' as account,
        case when e.kind = 'float_variance' then (e.detail ->> 'mpesa')::float8 end as mpesa,
        case when e.kind = 'float_variance' then (e.detail ->> 'books')::float8 end as books, claimant.id as claimant_id,
        claimant.first_name as claimant_first_name, claimant.last_name as claimant_last_name, owner.id as owner_id,
        owner.first_name as owner_first_name, owner.last_name as owner_last_name,
        resolver.id as resolver_id, resolver.first_name as resolver_first_name, resolver.last_name as resolver_last_name,
        (select max(closed_at) from operator_proposals p where p.about_id = e.id and p.state = 'objected') as objected_at
      from page e
      left join users owner on owner.phone = e.phone and owner.phone_confirmed_at is not null
      left join users claimant on claimant.id = (e.detail ->> 'claimed_by')::uuid
      left join users resolver on resolver.id = e.resolved_by
      order by ${time} ${direction}, e.id ${direction}`,
    countUpTo(sql, matching),
  ]);
  const keysOf = (row: Row) => [(isOpen ? row.opened_at : (row.resolved_at ?? row.opened_at)).getTime(), row.id];
  const page = toPage(rows, { limit: query.limit, cursor, keysOf, linkTo });
  const open = await openProposalsAbout(
    database,
    actor,
    page.results.map(({ id }) => id),
  );
  const results = page.results.map((row) => toException(row, open.get(row.id) ?? null));
  return { ...page, count, results };
}

function toException(row: Row, proposal: Unsaid<Proposal> | null): Unsaid<MoneyException> {
  return {
    id: row.id,
    kind: row.kind,
    text: fromStored(EXCEPTION_KINDS[row.kind as keyof typeof EXCEPTION_KINDS] ?? row.kind),
    receipt: row.receipt,
    phone: row.phone === null ? null : maskPhone(row.phone),
    amount: row.amount_cents === null ? null : shillingsFromCents(row.amount_cents),
    about: row.about_type === null ? null : { type: row.about_type, id: row.about_id ?? '' },
    figures: row.mpesa === null || row.books === null ? null : { mpesa: row.mpesa, books: row.books },
    account: row.account,
    held_in: row.held_in,
    opened_at: row.opened_at.toISOString(),
    actions: row.resolved_at === null ? [...actionsFor(row)] : [],
    owner: personOf(row.owner_id, row.owner_first_name, row.owner_last_name),
    claimant: personOf(row.claimant_id, row.claimant_first_name, row.claimant_last_name),
    proposal,
    objected_at: row.objected_at?.toISOString() ?? null,
    resolution:
      row.resolved_at === null || row.resolution === null
        ? null
        : {
            action: row.resolution,
            reason: row.reason === null ? null : fromStored(row.reason),
            resolved_at: row.resolved_at.toISOString(),
            resolved_by: personOf(row.resolver_id, row.resolver_first_name, row.resolver_last_name),
          },
  };
}

function personOf(id: string | null, firstName: string | null, lastName: string | null) {
  return id === null ? null : { id, first_name: firstName ?? '', last_name: lastName ?? '' };
}
