import {
  CHECK_OFF_DAYS,
  CHECK_OFF_LINES_BY_ONE_MAX,
  CHECK_OFF_LINES_MADE_MAX,
  CHECK_OFFS_ASKED_MAX,
  CHECK_OFFS_BY_ONE_MAX,
  CHECK_OFFS_DECLINED_MAX,
  CHECK_OFFS_MADE_MAX,
  CHECK_OFFS_OPEN_MAX,
  type PayerStanding,
} from '@ushirika/contract/check-offs';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { dayBefore, stepsSince } from './check-off.rules.ts';

/** The first half of the advisory locks under which the lists of a sacco are counted. */
const COUNTING = 7261;

/**
 * Takes the lock under which the lists of a sacco are counted, until the transaction ends. Whoever takes it does so before any other.
 * It is not the sacco's own lock: a long list is stored for seconds, and purchases, joins and loans would wait.
 */
export async function lockListsOf(tx: Tx, saccoId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(${COUNTING}, hashtext(${saccoId}))`;
}

interface Made {
  readonly lists: number;
  readonly lines: number;
}

/**
 * Refuses one more list where its official has made many within a day, whatever became of them, as each is stored; or where the sacco has.
 * For the sacco those do not count that ended before another official had checked them: one alone could else use up what all have.
 * Counted under `lockListsOf`. @throws Refusal `check_off_limit_reached`
 */
export async function refuseManyMade(
  tx: Tx,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
  lines: number,
): Promise<void> {
  if (!isGuarded('loans.check_offs_bounded')) return;
  const [before] = await tx.sql<{ by_one: Made; by_all: Made }[]>`
    select json_build_object('lists', count(*) filter (where listed_by = ${userId}),
        'lines', coalesce(sum(lines) filter (where listed_by = ${userId}), 0)) as by_one,
      json_build_object('lists', count(*) filter (where ${isCounted(tx)}),
        'lines', coalesce(sum(lines) filter (where ${isCounted(tx)}), 0)) as by_all
    from check_offs where sacco_id = ${saccoId} and listed_at > ${dayBefore(tx.now)}`;
  const { by_one: one, by_all: all } = before ?? { by_one: NONE, by_all: NONE };
  if (one.lists >= CHECK_OFFS_BY_ONE_MAX) {
    throw limitReached(
      sentence('You have made {n} lists within 24 hours. Wait, or another official makes the next one.', {
        n: CHECK_OFFS_BY_ONE_MAX,
      }),
    );
  }
  if (one.lines + lines > CHECK_OFF_LINES_BY_ONE_MAX) {
    throw limitReached(
      sentence('Your lists have 500,000 lines at most within 24 hours. Wait, or another official makes the next one.'),
    );
  }
  if (all.lists >= CHECK_OFFS_MADE_MAX) {
    throw limitReached(
      sentence('Your sacco has made {n} lists within 24 hours. Wait before you make another one.', {
        n: CHECK_OFFS_MADE_MAX,
      }),
    );
  }
  if (all.lines + lines <= CHECK_OFF_LINES_MADE_MAX) return;
  throw limitReached(
    sentence('The lists of a sacco have 1,000,000 lines at most within 24 hours. Wait before you make another one.'),
  );
}

const NONE: Made = { lists: 0, lines: 0 };

/** In SQL: whether a list waits for another official, or one has checked it. */
const isCounted = ({ sql }: Tx) => sql`(state = 'listed' or checked_at is not null)`;

/** Refuses one more list where the payer has many open. Counted under `lockListsOf`. @throws Refusal `check_off_limit_reached` */
export async function refuseManyOpen(tx: Tx, saccoId: string, payerId: string): Promise<void> {
  if (!isGuarded('loans.check_offs_bounded')) return;
  const [before] = await tx.sql<{ open: number }[]>`
    select count(*)::int as open from check_offs
    where payer_id = ${payerId} and sacco_id = ${saccoId} and state in ('listed', 'checked')`;
  const most = CHECK_OFFS_OPEN_MAX[await standingOfPayer(tx, { saccoId, payerId })];
  if ((before?.open ?? 0) >= most) throw new Refusal('check_off_limit_reached');
}

/**
 * Refuses to ask a payer over and over: asked when a list is made, and again when it is checked, since the payer may have declined others
 * in between. Counted under `lockListsOf`. @throws Refusal `check_off_limit_reached`
 */
export async function refuseManyAsked(tx: Tx, saccoId: string, payerId: string): Promise<void> {
  if (!isGuarded('loans.check_offs_bounded')) return;
  const since = stepsSince(tx.now);
  const [before] = await tx.sql<{ declined: number; asked: number }[]>`
    select count(*) filter (where state = 'declined' and ended_at > ${since})::int as declined,
      count(*) filter (where state <> 'refused' and checked_at > ${since})::int as asked
    from check_offs where payer_id = ${payerId} and sacco_id = ${saccoId}`;
  const { declined, asked } = before ?? { declined: 0, asked: 0 };
  if (declined >= CHECK_OFFS_DECLINED_MAX) {
    throw limitReached(
      sentence(
        'This payer has declined {n} lists of your sacco in {days} days. Talk to them before you ask them once more.',
        { n: CHECK_OFFS_DECLINED_MAX, days: CHECK_OFF_DAYS },
      ),
    );
  }
  const most = CHECK_OFFS_ASKED_MAX[await standingOfPayer(tx, { saccoId, payerId })];
  if (asked < most) return;
  throw limitReached(
    sentence('Your sacco has asked this payer {n} times in {days} days. Wait before you ask them once more.', {
      n: most,
      days: CHECK_OFF_DAYS,
    }),
  );
}

/** A stranger may have nothing to do with the sacco: fewer lists reach them. */
export async function standingOfPayer(
  tx: Pick<Tx, 'sql'>,
  { saccoId, payerId }: { readonly saccoId: string; readonly payerId: string },
): Promise<PayerStanding> {
  const [paid] = await tx.sql`
    select from check_offs where payer_id = ${payerId} and sacco_id = ${saccoId} and received_at is not null limit 1`;
  return paid ? 'known' : 'stranger';
}

const limitReached = (message: Sentence) => new Refusal('check_off_limit_reached', { message });
