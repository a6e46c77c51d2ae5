import type postgres from 'postgres';
import { audit } from '../../server/audit.ts';
import { FLOAT_AT_FIRST_CENTS } from '../support/mpesa-float.ts';
import { sleep } from '../support/waiting.ts';
import {
  ACTS_BEFORE,
  type Act,
  asOwner,
  FUNDS_CENTS,
  lookAsOwner,
  type Member,
  type Scene,
  SPENT_BEFORE_CENTS,
} from './acts.ts';
import { assertLoans, presentOfLoans, promptsOnTheirWay, repaidByPrompt } from './loan-acts.ts';
import type { Findings } from './part.ts';

/** Ids as an array in PostgreSQL's own words: `asOwner` knows no types of arrays. */
const arrayText = (ids: readonly (string | number)[]) => `{${ids.join(',')}}`;

/** How often each thing that members can do is in the books, by the name that its answer gave it. */
export async function presentOf(sql: postgres.Sql, members: readonly Member[]): Promise<Map<string, number>> {
  const ids = arrayText(members.map(({ id }) => id));
  const rows = await sql<{ id: string; times: number }[]>`
    select id, count(*)::int as times from (
      select right(idempotency_key, 36) as id from journals where kind = 'savings_deposited' and caused_by = any(${ids}::uuid[])
      union all select id::text from share_movements where user_id = any(${ids}::uuid[])
      union all select id::text from withdrawals where user_id = any(${ids}::uuid[])
      union all select id::text from deposits where user_id = any(${ids}::uuid[])
      union all select id::text from memberships where user_id = any(${ids}::uuid[])
      union all select id::text from share_orders where user_id = any(${ids}::uuid[])
      union all ${presentOfLoans(sql, ids)}
    ) present group by id`;
  return new Map(rows.map(({ id, times }) => [id, times]));
}

/** Acknowledged is present: `when` says after what. Returns how many are not. */
export async function assertKept(url: string, scene: Scene, acts: readonly Act[], findings: Findings, when: string) {
  const [present, cancelled] = await lookAsOwner(url, (sql) =>
    Promise.all([presentOf(sql, scene.members), cancelledOf(sql)]),
  );
  const lost = acts.filter(
    ({ kind, acknowledged }) => acknowledged !== null && !(kind === 'cancel' ? cancelled : present).has(acknowledged),
  );
  if (lost.length > 0) {
    const first = lost[0] as Act;
    findings.violated(`${lost.length} acknowledged acts are lost ${when}, the first ${first.kind} ${first.key}`);
  }
  return lost.length;
}

/** Everything that is in the books was asked for, and once; every shilling of every member is where its acts put it. */
export async function assertBooks(url: string, scene: Scene, acts: readonly Act[], findings: Findings): Promise<void> {
  await assertKept(url, scene, acts, findings, 'at the end');
  const answered = acts.flatMap(({ answers }) => answers);
  const faults = answered.filter((status) => status === 500).length;
  if (faults > 0) findings.violated(`${faults} requests were answered 500 rather than with a refusal`);
  for (const { kind, key } of acts.filter(({ isDoubled }) => isDoubled).slice(0, 3)) {
    findings.violated(`the same key had two different answers and so two effects: ${kind} ${key}`);
  }
  await asOwner(url, async (sql) => {
    const present = await presentOf(sql, scene.members);
    const names = new Set(acts.map(({ acknowledged }) => acknowledged));
    // Some were made for each member before the load.
    const before = ACTS_BEFORE * scene.members.length;
    const unasked = [...present.keys()].filter((id) => !names.has(id)).length - before;
    if (unasked !== 0) findings.violated(`${unasked} effects are in the books that no settled key stands for`);
    const doubled = [...present].filter(([, times]) => times > 1).map(([id]) => id);
    if (doubled.length > 0) findings.violated(`${doubled.length} acts are in the books twice, the first ${doubled[0]}`);
    const tried = new Set(acts.filter(({ kind }) => kind === 'cancel').map(({ path }) => path.split('/').at(-1)));
    const untried = [...(await cancelledOf(sql))].filter((id) => !tried.has(id)).length;
    if (untried > 0) findings.violated(`${untried} orders are cancelled that nobody cancelled`);
    for (const member of scene.members) await assertShillings(sql, member, acts, findings);
    await assertOutside(sql, findings);
    await assertLoans(sql, findings);
  });
  await assertInvariants(url, findings);
}

async function assertShillings(
  sql: postgres.Sql,
  member: Member,
  acts: readonly Act[],
  findings: Findings,
): Promise<void> {
  const own = acts.filter((act) => act.member === member && act.acknowledged !== null);
  const out = own
    .filter(({ kind }) => kind !== 'deposit')
    .reduce((total, { cents }) => total + cents, SPENT_BEFORE_CENTS);
  const market = await tradedBy(sql, member);
  const [row] = await sql<Record<'wallet' | 'held' | 'paid_in' | 'returned' | 'repaid' | 'open', string>[]>`
    select
      (select coalesce(sum(balance), 0) from accounts where kind = 'wallet' and owner_id = ${member.id}) as wallet,
      (select coalesce(sum(balance), 0) from accounts where kind = 'wallet_hold' and owner_id = ${member.id}) as held,
      (select coalesce(sum(amount_cents), 0) from deposits where state = 'paid' and user_id = ${member.id}) as paid_in,
      (select coalesce(sum(amount_cents), 0) from withdrawals where state = 'returned' and user_id = ${member.id})
        as returned,
      ${repaidByPrompt(sql, member.id)} as repaid,
      (select coalesce(sum(amount_cents), 0) from withdrawals
       where state in ('created', 'sending', 'sent') and user_id = ${member.id}) as open`;
  const expected =
    FUNDS_CENTS +
    Number(row?.paid_in) +
    Number(row?.returned) -
    Number(row?.repaid) -
    out +
    market.earned -
    market.held;
  if (Number(row?.wallet) !== expected) {
    findings.violated(`a wallet holds ${row?.wallet} cents where its acts leave ${expected}`);
  }
  if (Number(row?.held) !== Number(row?.open) + market.held) {
    findings.violated(
      `${row?.held} cents are set aside where withdrawals under way are ${row?.open} and orders need ${market.held}`,
    );
  }
}

/** How many trades there were: orders that met nobody would prove little. */
export function tradesIn(url: string): Promise<number> {
  return asOwner(url, async (sql) => {
    const [row] = await sql<{ trades: number }[]>`select count(*)::int as trades from share_trades`;
    return row?.trades ?? 0;
  });
}

/** The orders that their members have cancelled. */
async function cancelledOf(sql: postgres.Sql): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`select id from share_orders where cancel_reason = 'by_member'`;
  return new Set(rows.map(({ id }) => id));
}

/** What trades brought somebody, less what they cost and the fees; and what their open orders to buy must hold, fee included. */
async function tradedBy(sql: postgres.Sql, { id }: Member): Promise<{ earned: number; held: number }> {
  const fee = (value: string) =>
    `least(floor(${value} * fee_max_basis_points / 10000.0), greatest(fee_min_cents, floor((${value} * fee_basis_points + 5000) / 10000.0)))`;
  const rest = 'price_cents * (shares - filled)';
  const [row] = await sql.unsafe<{ earned: string; held: string }[]>(
    `select
       (select coalesce(sum(case when seller_id = $1 then price_cents * shares - seller_fee_cents
                                 else -price_cents * shares - buyer_fee_cents end), 0)
        from share_trades where $1 in (buyer_id, seller_id)) as earned,
       (select coalesce(sum(${rest} + ${fee(`(value_cents + ${rest})`)} - ${fee('value_cents')}), 0)
        from share_orders where user_id = $1 and side = 'buy' and state = 'open') as held`,
    [id],
  );
  return { earned: Number(row?.earned), held: Number(row?.held) };
}

/**
 * What M-Pesa truly took and paid is what the books say, payment by payment and in all. Only at rest: every payment that
 * M-Pesa took is credited, once; what it paid was asked for, once, under the withdrawal's own id.
 */
export async function assertOutside(sql: postgres.Sql, findings: Findings): Promise<void> {
  const [row] = await sql<Record<string, number>[]>`
    select
      (select count(*) from simulator.payout p
       where not exists (select from withdrawals w where w.id::text = p.originator_conversation_id)
      )::int as "paid out under an id that is no withdrawal's",
      (select count(*) from withdrawals w where 1 < (
         select count(*) from simulator.payment p where p.kind = 'b2c' and p.originator_conversation_id = w.id::text
       ))::int as "paid out twice",
      (select count(*) from withdrawals w where w.state = 'returned' and exists (
         select from simulator.payment p where p.kind = 'b2c' and p.originator_conversation_id = w.id::text
       ))::int as "returned and paid out",
      (select count(*) from withdrawals w where w.state = 'paid' and not exists (
         select from simulator.payment p
         where p.kind = 'b2c' and p.originator_conversation_id = w.id::text and p.amount_cents = w.amount_cents
       ))::int as "paid out in the books alone",
      (select count(*) from mpesa_receipts r where not exists (
         select from simulator.payment p where p.receipt = r.receipt and p.amount_cents = r.amount_cents
       ))::int as "credited, and M-Pesa never took it",
      (select count(*) from deposits d where d.state = 'paid' and not exists (
         select from simulator.payment p
         where p.kind = 'stk' and p.account_reference = d.reference and p.amount_cents = d.amount_cents
       ))::int as "a top-up paid in the books alone",
      (select count(*) from simulator.payment p where ${untold(sql)})::int as "taken by M-Pesa, and not credited"`;
  for (const [what, times] of Object.entries(row ?? {})) {
    if (times > 0) findings.violated(`M-Pesa and the books contradict each other: ${times} times ${what}`);
  }
  await assertFloat(sql, findings);
}

/** Of `simulator.payment p`: money that M-Pesa took on our prompt, of which the books do not know. */
const untold = (sql: postgres.Sql) => sql`
  p.kind = 'stk' and not exists (
    select from mpesa_receipts r join deposits d on d.reference = p.account_reference and d.user_id = r.user_id
    where r.receipt = p.receipt and r.amount_cents = p.amount_cents)`;

/** Our float is what M-Pesa holds: what tests gave people apart, and what M-Pesa has paid while we do not know it yet. */
async function assertFloat(sql: postgres.Sql, findings: Findings): Promise<void> {
  const [row] = await sql<{ float: string; given: string; held: string; doubted: string }[]>`
    select
      (select balance from accounts where kind = 'mpesa_float') as float,
      (select coalesce(sum(t.amount), 0) from transfers t join journals j on j.id = t.journal_id
         join accounts a on a.id = t.debit_account_id and a.kind = 'mpesa_float' where j.about_type = 'test') as given,
      (select balance_cents from simulator.organisation_account where name = 'utility') as held,
      (select coalesce(sum(p.amount_cents), 0) from simulator.payment p
         join withdrawals w on w.id::text = p.originator_conversation_id and w.state not in ('paid', 'returned')
       where p.kind = 'b2c') as doubted`;
  const ours = Number(row?.float) - Number(row?.given);
  const theirs = Number(row?.held) - FLOAT_AT_FIRST_CENTS + Number(row?.doubted);
  if (ours !== theirs) findings.violated(`the float in the books is ${ours} cents, and ${theirs} at M-Pesa`);
}

/** What `npm run audit` checks. */
export async function assertInvariants(url: string, findings: Findings): Promise<void> {
  for (const { name, breach } of await audit(url)) {
    if (breach) findings.violated(`the audit finds "${name}" broken: ${JSON.stringify(breach.rows[0])}`);
  }
}

/** Every index and every table page by page, by PostgreSQL's own amcheck. Returns how many were looked at. */
export async function assertPages(url: string, findings: Findings): Promise<{ indexes: number; tables: number }> {
  return asOwner(url, async (sql) => {
    await sql`create extension if not exists amcheck`;
    const indexes = await sql<{ oid: number; name: string }[]>`
      select c.oid::int, c.oid::regclass::text as name
      from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
      where c.relkind = 'i' and a.amname = 'btree' and c.relpersistence = 'p' and i.indisvalid`;
    const all = arrayText(indexes.map(({ oid }) => oid));
    // All in one statement; only where that fails, each by itself, to name the one.
    await sql`select bt_index_check(oid::regclass, true) from unnest(${all}::oid[]) as oid`.catch(
      async (whole: Error) => {
        findings.violated(`amcheck finds an index broken: ${whole.message}`);
        for (const { oid, name } of indexes) {
          await sql`select bt_index_check(${oid}::oid::regclass, true)`.catch((error: Error) =>
            findings.violated(`amcheck finds the index ${name} broken: ${error.message}`),
          );
        }
      },
    );
    const tables = await sql<{ name: string; msg: string | null }[]>`
      select c.oid::regclass::text as name, found.msg
      from pg_class c join pg_am a on a.oid = c.relam
        left join lateral verify_heapam(c.oid::regclass) as found on true
      where c.relkind in ('r', 't', 'm') and a.amname = 'heap' and c.relpersistence = 'p'`;
    for (const { name, msg } of tables) {
      if (msg !== null) findings.violated(`amcheck finds the table ${name} broken: ${msg}`);
    }
    return { indexes: indexes.length, tables: new Set(tables.map(({ name }) => name)).size };
  });
}

/** What does not move, by kind and state, with one of each. */
async function stuck(sql: postgres.Sql): Promise<string> {
  const rows = await sql`
    select 'deposit' as kind, state, count(*)::int, min(id::text) as one from deposits
    where state in ('created', 'sent') group by state
    union all
    select 'prompt for a loan', 'credited', ${promptsOnTheirWay(sql)}::int, null
    union all
    select 'withdrawal', state, count(*)::int, min(id::text) from withdrawals
    where state in ('created', 'sent') group by state
    union all
    select 'payment', p.kind, count(*)::int, min(p.receipt) from simulator.payment p where ${untold(sql)} group by p.kind
    union all
    select 'question about a ' || purpose, state, count(*)::int, min(id::text) from status_queries
    where state in ('waiting', 'asked') group by purpose, state`;
  return JSON.stringify(rows);
}

/**
 * Prompts that were open when the server died are answered, verified and credited by the jobs of the next one. What was
 * cut off between the note that it is being sent and M-Pesa's answer stays `sending`: nobody knows whether M-Pesa heard
 * of it, so that it is never sent again, and its money stays set aside until M-Pesa or an operator says. What M-Pesa took
 * on such a prompt is found in its list of payments.
 */
export async function untilNothingIsOnItsWay(url: string, standstillMsMax = 90_000): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let fewerAt = performance.now();
  await asOwner(url, async (sql) => {
    for (;;) {
      // What waits for its time does not have to wait in a test.
      await sql`update deposits set next_query_at = least(next_query_at, now()) where state in ('sending', 'sent')`;
      await sql`update withdrawals set next_query_at = least(next_query_at, now()) where state in ('sending', 'sent')`;
      await sql`update status_queries set next_ask_at = least(next_ask_at, now()) where state in ('waiting', 'asked')`;
      await sql`update loan_prompts set retry_at = now() where settled_at is null and retry_at > now()`;
      await sql`update loan_paybills set retry_at = now() where settled_at is null and retry_at > now()`;
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() and attempts > 0`;
      for (const task of ['sweep_deposits', 'sweep_withdrawals', 'sweep_claims', 'read_payment_list', 'tend_loans']) {
        await sql`select graphile_worker.add_job(${task}, '{}'::json, job_key => ${`prove ${task}`}, max_attempts => 1)`;
      }
      const [row] = await sql<{ open: number }[]>`
        select (select count(*) from deposits where state in ('created', 'sent'))::int
          + (select count(*) from withdrawals where state in ('created', 'sent'))::int
          + (select count(*) from simulator.payment p where ${untold(sql)})::int + ${promptsOnTheirWay(sql)}::int as open`;
      if (row?.open === 0) return;
      // After hundreds of kills there is much to ask M-Pesa about: what counts is that it becomes less.
      const open = row?.open ?? 0;
      if (open < fewest) {
        fewest = open;
        fewerAt = performance.now();
      }
      if (performance.now() - fewerAt > standstillMsMax) {
        throw new Error(`${open} deposits, withdrawals and payments stay on their way: ${await stuck(sql)}`);
      }
      await sleep(250);
    }
  });
}
