import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import { type AccountKey, type JournalInput, PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue, personValue, saccoValue } from '../notifications/sms-values.ts';
import { DEFAULT_MONTHLY_REWARDS_MAX, type DueReward, monthOf, nameForMessage, payable } from './referrals.rules.ts';
import { referralsSms } from './referrals.sms.ts';

const BATCH = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Due extends DueReward {
  id: string;
  first_name: string;
  last_name: string;
  sacco_name: string;
}

/**
 * Pays what is due, from what the sacco itself has earned: never from members' savings or share capital, which lie in the
 * same cash (docs/decisions/143), and in a calendar month never more than it earned in fees in the month before. What these or
 * the referrer's monthly cap do not allow, and what an inactive sacco owes, stays due and is tried again by the next run.
 */
export async function payRewards(database: Database): Promise<void> {
  for (let after: string | null = FIRST; after !== null; ) {
    const from: string = after;
    after = await database.transaction((tx) => payBatch(tx, from));
  }
}

async function payBatch(tx: Tx, after: string): Promise<string | null> {
  const found = await tx.sql<{ id: string; referrer_id: string }[]>`
    select id, referrer_id from referrals
    where reward_state = 'waiting' and review in ('none', 'released') and id > ${after} order by id limit ${BATCH}`;
  if (found.length === 0) return null;
  // The cap is counted under the referrer's lock, taken in one order by every run.
  await tx.sql`
    select from referral_codes where user_id = any(${texts(found.map((row) => row.referrer_id))}::uuid[])
    order by user_id for update`;
  const due = await readDue(
    tx,
    found.map(({ id }) => id),
  );
  const accounts = await lockAccounts(tx, [
    ...due.flatMap(({ sacco_id: saccoId }) => [feesOf(saccoId), marketingOf(saccoId)]),
    ...due.flatMap((reward) => journalOf(reward).transfers.flatMap(({ debit, credit }) => [debit, credit])),
  ]);
  const monthLeft = await leftOfMonth(
    tx,
    due.map(({ sacco_id: saccoId }) => saccoId),
  );
  const now = payable(due, (saccoId) => ({
    ofIncome: accounts.balanceOf(feesOf(saccoId)) - accounts.balanceOf(marketingOf(saccoId)),
    ofMonth: isGuarded('rewards_a_month') ? (monthLeft.get(saccoId) ?? 0) : Number.MAX_SAFE_INTEGER,
  }));
  const results = await post(tx, now.map(journalOf), accounts);
  const paid = now.flatMap((reward, index) => {
    const result = results[index];
    return result && result.status !== 'refused' ? [{ ...reward, journalId: result.journalId }] : [];
  });
  await markPaid(tx, paid);
  for (const reward of paid) await tell(tx, reward);
  return found.length < BATCH ? null : (found.at(-1)?.id ?? null);
}

/** What is still due now that the referrers are locked, the oldest first. */
async function readDue(tx: Tx, ids: readonly string[]): Promise<Due[]> {
  return tx.sql<Due[]>`
    select r.id, r.referrer_id, r.sacco_id, r.reward_cents, u.first_name, u.last_name,
      s.name as sacco_name,
      coalesce((select monthly_rewards_max from referral_terms t
                where t.sacco_id = r.sacco_id and t.valid_from <= ${tx.now} order by t.valid_from desc limit 1),
               ${DEFAULT_MONTHLY_REWARDS_MAX}::int)
        - (select count(*)::int from referral_rewards paid
           where paid.referrer_id = r.referrer_id and paid.sacco_id = r.sacco_id
             and paid.month = ${monthOf(nairobiDay(tx.now))}) as left_this_month
    from referrals r
    join users u on u.id = r.referred_id
    join saccos s on s.id = r.sacco_id and s.state = 'active'
    where r.id = any(${texts(ids)}::uuid[]) and r.reward_state = 'waiting' and r.review in ('none', 'released')
    order by r.id
    for update of r`;
}

/**
 * Cents that each sacco may still pay this month. What it earned in the month before is read once, by the month's first
 * batch. The caller holds the lock of the sacco's fees, so that one batch at a time counts them.
 */
async function leftOfMonth(tx: Tx, saccoIds: readonly string[]): Promise<Map<string, number>> {
  const month = monthOf(nairobiDay(tx.now));
  const given = texts([...new Set(saccoIds)].sort());
  await tx.sql`
    insert into referral_reward_months (sacco_id, month, earned_cents, since)
    select sacco_id, ${month}, fees_earned_before(sacco_id, ${month}), ${tx.now}
    from unnest(${given}::uuid[]) as given (sacco_id)
    where not exists (select from referral_reward_months m where m.sacco_id = given.sacco_id and m.month = ${month})
    on conflict do nothing`;
  const rows = await tx.sql<{ sacco_id: string; left: number }[]>`
    select sacco_id, earned_cents - paid_cents as left from referral_reward_months
    where month = ${month} and sacco_id = any(${given}::uuid[])`;
  return new Map(rows.map(({ sacco_id: saccoId, left }) => [saccoId, left]));
}

function feesOf(saccoId: string): AccountKey {
  return { book: saccoId, kind: 'fee_income', owner: null };
}

function marketingOf(saccoId: string): AccountKey {
  return { book: saccoId, kind: 'marketing_expense', owner: null };
}

function journalOf({ id, referrer_id, sacco_id, reward_cents }: Due): JournalInput {
  return {
    kind: 'referral_rewarded',
    idempotencyKey: `referral_rewarded:${id}`,
    causedBy: null,
    about: { type: 'referral', id },
    transfers: [
      {
        debit: marketingOf(sacco_id),
        credit: { book: sacco_id, kind: 'cash', owner: null },
        amount: reward_cents,
      },
      {
        debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: sacco_id },
        credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: referrer_id },
        amount: reward_cents,
      },
    ],
  };
}

async function markPaid(tx: Tx, paid: readonly (Due & { journalId: string })[]): Promise<void> {
  if (paid.length === 0) return;
  const ids = paid.map(({ id }) => id);
  await tx.sql`
    insert into referral_rewards (referral_id, journal_id, referrer_id, sacco_id, amount_cents, month, paid_at)
    select r.id, given.journal_id, r.referrer_id, r.sacco_id, r.reward_cents, ${monthOf(nairobiDay(tx.now))}, ${tx.now}
    from unnest(${texts(ids)}::uuid[], ${texts(paid.map(({ journalId }) => journalId))}::bigint[]) as given (id, journal_id)
    join referrals r on r.id = given.id`;
  await tx.sql`update referrals set reward_state = 'paid' where id = any(${texts(ids)}::uuid[])`;
  await tx.sql`
    update referral_reward_months m set paid_cents = paid_cents + of_sacco.cents
    from (select sacco_id, sum(reward_cents)::bigint as cents from referrals where id = any(${texts(ids)}::uuid[])
          group by sacco_id) of_sacco
    where m.sacco_id = of_sacco.sacco_id and m.month = ${monthOf(nairobiDay(tx.now))}`;
}

async function tell(tx: Tx, reward: Due): Promise<void> {
  const amount = formatShillings(shillingsFromCents(reward.reward_cents)).replace('\u00a0', ' ');
  const name = nameForMessage(`${reward.first_name} ${reward.last_name}`);
  await notify(tx, {
    userId: reward.referrer_id,
    causedBy: null,
    sms: referralsSms.referralRewarded(
      personValue(reward),
      saccoValue({ name: reward.sacco_name, state: 'active' }),
      amountValue(reward.reward_cents),
    ),
    topic: 'referrals',
    template: 'referral_rewarded',
    text: sentence('{name}, whom you referred, is Fully Paid in {sacco}. {amount} is in your wallet. Thank you!', {
      name,
      sacco: reward.sacco_name,
      amount,
    }),
  });
}
