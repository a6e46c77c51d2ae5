import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import {
  assertMovable,
  newDepositReference,
  PROMPT_OPEN_MS,
  REFERENCE_BYTES,
  STRANGERS_PROMPTS,
  UNPAID_PROMPTS_MAX,
} from './wallet.rules.ts';

/**
 * Asks for a top-up: stores the deposit and enqueues the job that sends the prompt, in one transaction. Returns the
 * deposit's id.
 * @throws Refusal in this order: `amount_not_whole_shillings`, `amount_out_of_range`, `phone_not_kenyan`,
 * `phone_unconfirmed`, `phone_holder_not_asked`, `too_many_requests` (by payer), `deposit_in_progress`,
 * `too_many_requests` (by phone)
 */
export async function requestDeposit(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly amountCents: Cents; readonly phone: string },
): Promise<string> {
  const { amountCents, phone } = input;
  const { userId } = actor;
  const [user] = await tx.sql<
    { phone: string; phone_confirmed_at: Date | null; account_number: string; may_prompt: boolean }[]
  >`
    select phone, phone_confirmed_at, account_number, may_prompt(id, ${phone}) from users
    where id = ${userId} for no key update`;
  if (!user) throw new Refusal('not_found');
  assertMovable(amountCents, phone, 'in');
  if (user.phone === phone && !user.may_prompt) throw new Refusal('phone_unconfirmed');
  if (!user.may_prompt) throw new Refusal('phone_holder_not_asked');
  await refuseTooManyUnpaid(tx, userId);
  const id = tx.newId();
  await tx.sql`
    insert into deposits (id, user_id, phone, amount_cents, reference, state, created_at)
    values (${id}, ${userId}, ${phone}, ${amountCents}, ${await drawReference(tx, user.account_number)},
            'created', ${tx.now})`;
  await takePrompt(tx, id);
  await enqueue(tx, 'push_deposit', { id });
  return id;
}

/** A reference that no other top-up has. The person's row is locked, so no other top-up of theirs can take it. */
async function drawReference(tx: Tx, accountNumber: string): Promise<string> {
  for (let tries = 0; tries < 20; tries += 1) {
    const reference = newDepositReference(accountNumber, tx.database.randomBytes(REFERENCE_BYTES));
    const [taken] = await tx.sql`select id from deposits where reference = ${reference}`;
    if (!taken) return reference;
  }
  throw new Error(`Nearly all references of ${accountNumber} have been used.`);
}

/** Refuses a person who has asked for many prompts in an hour that nobody paid. */
async function refuseTooManyUnpaid(tx: Tx, userId: string): Promise<void> {
  const [row] = await tx.sql<{ count: number; first_at: Date | null }[]>`
    select count(*)::int as count, min(created_at) as first_at from deposits
    where user_id = ${userId} and created_at > ${tx.now}::timestamptz - interval '1 hour' and state <> 'paid'`;
  if (!row || row.count < UNPAID_PROMPTS_MAX) return;
  throw tooMany(
    tx,
    sentence('Many of your top-ups were not paid. Wait a little before you ask for another.'),
    new Date((row.first_at ?? tx.now).getTime() + 3_600_000),
  );
}

function tooMany(tx: Tx, message: Sentence, freeAt: Date): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt.getTime() - tx.now.getTime()) / 1000));
  return new Refusal('too_many_requests', { message, retryAfterSeconds });
}

/**
 * Allows one open prompt of a person on a phone. Prompts from all who are not the phone's owner are counted together.
 */
async function takePrompt(tx: Tx, depositId: string): Promise<void> {
  const openSince = new Date(tx.now.getTime() - PROMPT_OPEN_MS);
  const bounds = isGuarded('prompts_by_phone') ? STRANGERS_PROMPTS : [];
  const [prompt] = await tx.sql<{ outcome: 'taken' | 'in_progress' | 'too_many'; free_at: Date | null }[]>`
    select outcome, free_at from take_prompt(${depositId}, ${tx.now}, ${openSince},
      ${bounds.map(({ max }) => max)}::integer[], ${bounds.map(({ seconds }) => seconds)}::integer[])`;
  if (prompt?.outcome === 'in_progress') {
    throw new Refusal('deposit_in_progress', { retryAfterSeconds: PROMPT_OPEN_MS / 1000 });
  }
  if (prompt?.outcome === 'too_many') {
    const message = sentence('That phone has had many prompts from others than its owner. Try again later.');
    throw tooMany(tx, message, prompt.free_at ?? tx.now);
  }
}

/** After a prompt was answered, its person may open another on that phone. */
export async function releasePrompt(tx: Tx, depositId: string): Promise<void> {
  await tx.sql`delete from open_prompts where deposit_id = ${depositId}`;
}
