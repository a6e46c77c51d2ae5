import { shillingsFromCents } from '@ushirika/contract/money';
import type { listOperatorSaccos, OperatorSacco } from '@ushirika/contract/operator';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { ChecklistPoint, SaccoState, SaccoType } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { countUpTo, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { activationChecklists } from '../saccos/activation-checklist.ts';
import { namingsByOperators } from '../saccos/namings.queries.ts';
import { hasTooFewOfficials, officialsTooFew } from '../saccos/officials-too-few.ts';
import { logoPath } from '../saccos/sacco-rows.ts';
import { namePatterns } from '../saccos/saccos.rules.ts';
import { openSuspensionsOf } from '../saccos/suspensions.queries.ts';

interface Row {
  id: string;
  name: string;
  description: string;
  logo_version: string | null;
  reg_no: string;
  type: SaccoType;
  reg_fee_cents: number;
  min_shares: number;
  share_value_cents: number;
  state: SaccoState;
  state_reason: string | null;
  state_at: Date;
  created_at: Date;
  created_by: string;
  founder_first_name: string;
  founder_last_name: string;
  members: number;
  /** Null too where it was said by somebody who is no operator any more: it does not count. */
  confirmer_id: string | null;
  confirmer_first_name: string | null;
  confirmer_last_name: string | null;
}

/** A page of saccos as operators see them, newest first, each with its activation checklist. */
export async function operatorSaccos(
  database: Database,
  { userId, isStrict }: { readonly userId: string; readonly isStrict: boolean },
  query: QueryOf<typeof listOperatorSaccos>,
  linkTo: (cursor: string) => string,
): Promise<Unsaid<ReplyOf<typeof listOperatorSaccos>>> {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['uuid']);
  // Each word of the search somewhere in the name, or the registration number whatever its spelling.
  const words = namePatterns(query.search ?? '').map(
    (patterns) => sql`and (s.name_folded like any (${patterns.map((pattern) => pattern.toLowerCase())}::text[])
      or s.reg_no_folded = regexp_replace(upper(${query.search ?? ''}), '[^A-Z0-9]', '', 'g'))`,
  );
  const matching = sql`
    from saccos s where true ${query.status ? sql`and s.state = ${query.status}` : sql``}
      ${query.officials === 'too_few' ? sql`and ${hasTooFewOfficials(sql, database.now())}` : sql``}
      ${words.reduce((all, word) => sql`${all} ${word}`, sql``)}`;
  const [rows, count] = await Promise.all([
    sql<Row[]>`
      with page as materialized (
        select s.id ${matching}
          ${cursor ? sql`and s.id ${cursor.isBack ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``}
        order by s.id ${cursor?.isBack ? sql`asc` : sql`desc`} limit ${query.limit + 1}
      )
      select s.*, confirmer.id as confirmer_id, f.members, founder.first_name as founder_first_name, founder.last_name as founder_last_name,
        confirmer.first_name as confirmer_first_name, confirmer.last_name as confirmer_last_name
      from page join saccos s on s.id = page.id
      join sacco_figures f on f.sacco_id = s.id
      join users founder on founder.id = s.created_by
      left join operators first_word on first_word.user_id = s.confirmed_by and first_word.revoked_at is null
      left join users confirmer on confirmer.id = first_word.user_id
      order by s.id ${cursor?.isBack ? sql`asc` : sql`desc`}`,
    countUpTo(sql, matching),
  ]);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  const ids = page.results.map(({ id }) => id);
  const [checklists, tooFew, namings, suspensions] = await Promise.all([
    activationChecklists(database, ids),
    officialsTooFew(database, ids),
    namingsByOperators(database, ids, userId),
    openSuspensionsOf(database, ids, userId),
  ]);
  const results = page.results.map((row) => ({
    ...toOperatorSacco(row, checklists.get(row.id) ?? [], isStrict),
    suspension: suspensions.get(row.id) ?? null,
    officials_too_few: tooFew.get(row.id) ?? null,
    namings: [...(namings.get(row.id) ?? [])],
  }));
  return { ...page, count, results };
}

function toOperatorSacco(
  row: Row,
  checklist: Unsaid<ChecklistPoint>[],
  isStrict: boolean,
): Omit<Unsaid<OperatorSacco>, 'suspension' | 'officials_too_few' | 'namings'> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    logo: logoPath(row.id, row.logo_version),
    reg_no: row.reg_no,
    type: row.type,
    reg_fee: shillingsFromCents(row.reg_fee_cents),
    min_shares: row.min_shares,
    share_value: shillingsFromCents(row.share_value_cents),
    state: row.state,
    state_reason: row.state_reason,
    state_at: row.state_at.toISOString(),
    created_at: row.created_at.toISOString(),
    created_by: { id: row.created_by, first_name: row.founder_first_name, last_name: row.founder_last_name },
    members: row.members,
    checklist,
    strict: isStrict,
    confirmed_by:
      row.confirmer_id === null
        ? null
        : {
            id: row.confirmer_id,
            first_name: row.confirmer_first_name ?? '',
            last_name: row.confirmer_last_name ?? '',
          },
  };
}
