import { shillingsFromCents } from '@ushirika/contract/money';
import type { listProposals, Proposal, ProposalKind, ProposalState } from '@ushirika/contract/proposals';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { fromStored } from '@ushirika/contract/sentence';
import type { Counted } from '../../db/counted.ts';
import { countUpTo, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { hasSuspendedOfficial } from '../saccos/name-as-operators.ts';
import { isOwnSacco } from '../saccos/refuse-own-sacco.ts';
import { aboutTypeOf } from './proposals.ts';

type Person = { id: string; first_name: string; last_name: string };

interface Row {
  id: string;
  kind: ProposalKind;
  about_id: string;
  about_name: string | null;
  /** Whether the operator who asks belongs to the sacco that it is about. */
  is_own_sacco: boolean;
  /** Whether the operator who asks has suspended an official of the sacco of this naming. */
  is_suspender: boolean;
  naming: (Proposal['naming'] & { sacco_id: string }) | null;
  is_proposer_operator: boolean;
  amount_cents: number | null;
  reason: string;
  state: ProposalState;
  proposed_at: Date;
  lapses_at: Date;
  confirmed_at: Date | null;
  confirmation: string | null;
  due_at: Date | null;
  closed_at: Date | null;
  closing: string | null;
  payer_told_at: Date | null;
  expires_at: Date | null;
  objected_at: Date | null;
  beneficiary: Person | null;
  proposer: Person;
  confirmer: Person | null;
  closer: Person | null;
}

/** A page of what operators proposed: what is open, the oldest first; or what is closed, the newest first. */
export async function proposals(
  database: Database,
  actor: { readonly userId: string },
  query: QueryOf<typeof listProposals>,
  linkTo: (cursor: string) => string,
): Promise<Unsaid<ReplyOf<typeof listProposals>>> {
  const { sql } = database;
  const isOpen = query.status === 'open';
  const cursor = readCursor(query.cursor, ['instant', 'uuid']);
  const time = isOpen ? sql`p.proposed_at` : sql`p.closed_at`;
  const isDescending = isOpen === (cursor?.isBack ?? false);
  const direction = isDescending ? sql`desc` : sql`asc`;
  const after = cursor
    ? sql`and (${time}, p.id) ${isDescending ? sql`<` : sql`>`} (${new Date(Number(cursor.keys[0]))}, ${String(cursor.keys[1])}::uuid)`
    : sql``;
  const matching = isOpen
    ? sql`from operator_proposals p where p.state in ('proposed', 'waiting')`
    : sql`from operator_proposals p where p.closed_at is not null`;
  const [page, count] = await Promise.all([
    sql<{ id: string }[]>`
      select p.id ${matching} ${after} order by ${time} ${direction}, p.id ${direction} limit ${query.limit + 1}`,
    countUpTo(sql, matching),
  ]);
  const ids = page.map(({ id }) => id);
  const found = await rowsOf(database, actor.userId, ids);
  const rows = ids.flatMap((id) => found.get(id) ?? []);
  const keysOf = (row: Row) => [(isOpen ? row.proposed_at : (row.closed_at ?? row.proposed_at)).getTime(), row.id];
  const paged = toPage(rows, { limit: query.limit, cursor, keysOf, linkTo });
  const results = paged.results.map((row) => toProposal(row, actor, database.now()));
  return { ...paged, count, results };
}

/** Of the open proposals about some things one for each, by the things' ids: one that whoever asks may confirm, if there is one. */
export async function openProposalsAbout(
  database: Database,
  actor: { readonly userId: string },
  aboutIds: readonly string[],
): Promise<Map<string, Unsaid<Proposal>>> {
  const open = await database.sql<{ id: string; about_id: string }[]>`
    select id, about_id from operator_proposals
    where about_id = any (${[...aboutIds]}::uuid[]) and state in ('proposed', 'waiting')`;
  const found = await rowsOf(
    database,
    actor.userId,
    open.map(({ id }) => id),
  );
  const shown = [...found.values()].map((row) => [row.about_id, toProposal(row, actor, database.now())] as const);
  const rank = ({ actions }: Unsaid<Proposal>) => Number(actions.includes('confirm'));
  return new Map(shown.sort(([, one], [, other]) => rank(one) - rank(other)));
}

async function rowsOf({ sql, now }: Database, userId: string, ids: readonly string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const person = (name: string) =>
    sql`case when ${sql(name)}.id is null then null else jsonb_build_object('id', ${sql(name)}.id,
      'first_name', ${sql(name)}.first_name, 'last_name', ${sql(name)}.last_name) end`;
  const rows = await sql<Row[]>`
    select p.*, ${person('beneficiary')} as beneficiary, ${person('proposer')} as proposer, ${person('confirmer')} as confirmer,
      ${person('closer')} as closer, n.told_at as payer_told_at, n.objected_at, n.expires_at,
      s.id is not null and ${isOwnSacco({ sql }, sql`s.id`, userId)} as is_own_sacco,
      i.id is not null and ${hasSuspendedOfficial({ sql, now: now() }, sql`i.sacco_id`, userId)} as is_suspender,
      case when i.id is null then null else jsonb_build_object('office', i.office, 'id_number', i.id_number, 'sacco_id', i.sacco_id) end as naming,
      exists (select from operators o where o.user_id = p.proposed_by and o.revoked_at is null) as is_proposer_operator,
      coalesce(s.name, e.receipt, about_person.first_name || ' ' || about_person.last_name) as about_name
    from operator_proposals p
    join users proposer on proposer.id = p.proposed_by
    left join users beneficiary on beneficiary.id = p.beneficiary_id
    left join users confirmer on confirmer.id = p.confirmed_by
    left join users closer on closer.id = p.closed_by
    left join payer_notice_times n on n.proposal_id = p.id
    left join office_invitations i on i.id = p.about_id and p.kind = 'official_naming'
    left join saccos s on s.id = i.sacco_id or s.id = p.about_id and p.kind in ('sacco_reinstatement', 'sacco_suspension')
    left join money_exceptions e on e.id = p.about_id
    left join users about_person on about_person.id = p.about_id and p.kind = 'suspended_payout'
    where p.id = any (${[...ids]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

function toProposal(row: Row, actor: { readonly userId: string }, now: Date): Unsaid<Proposal> {
  return {
    id: row.id,
    kind: row.kind,
    about: { type: aboutTypeOf(row.kind), id: row.naming?.sacco_id ?? row.about_id },
    about_name: row.about_name,
    amount: row.amount_cents === null ? null : shillingsFromCents(row.amount_cents),
    beneficiary: row.beneficiary,
    naming: row.naming && { office: row.naming.office, id_number: row.naming.id_number },
    reason: row.reason,
    state: row.state,
    proposed_by: row.proposer,
    proposed_at: row.proposed_at.toISOString(),
    lapses_at: row.lapses_at.toISOString(),
    confirmed_by: row.confirmer,
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    confirmation: row.confirmation === null ? null : fromStored(row.confirmation),
    due_at: (row.expires_at ?? row.due_at)?.toISOString() ?? null,
    payer_told_at: row.payer_told_at?.toISOString() ?? null,
    objected_at: row.objected_at?.toISOString() ?? null,
    closed_at: row.closed_at?.toISOString() ?? null,
    closed_by: row.closer,
    closing: row.closing === null ? null : fromStored(row.closing),
    actions: actionsOf(row, actor.userId, now),
  };
}

function actionsOf(row: Row, userId: string, now: Date): Proposal['actions'] {
  if (row.closed_at !== null) return [];
  if (row.proposer.id === userId) return ['withdraw'];
  const mayConfirm =
    row.state === 'proposed' &&
    row.beneficiary?.id !== userId &&
    row.lapses_at > now &&
    !row.is_own_sacco &&
    !row.is_suspender &&
    row.is_proposer_operator;
  const refuse = row.is_proposer_operator ? [] : (['refuse'] as const);
  return mayConfirm ? ['confirm', ...refuse] : [...refuse];
}

export const openProposals: Counted = (sql) =>
  sql`select count(*)::int from operator_proposals where state in ('proposed', 'waiting')`;
