import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { assertMovable, newDepositReference, PROMPT_OPEN_MS, UNPAID_PROMPTS_MAX } from './wallet.rules.ts';

/**
 * Asks for a top-up: the intent and the job that sends the prompt, in one transaction. Returns the deposit's id.
 * Throws `amount_not_whole_shillings`, `amount_out_of_range`, `phone_not_kenyan`, `deposit_in_progress`,
 * `too_many_requests`.
 */
export async function requestDeposit(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly amountCents: Cents; readonly phone: string },
): Promise<string> {
  const { amountCents, phone } = input;
  assertMovable(amountCents, phone, 'in');
  await refuseTooManyUnpaid(tx, actor.userId);
  const id = tx.newId();
  await tx.sql`
    insert into deposits (id, user_id, phone, amount_cents, reference, state, created_at)
    values (${id}, ${actor.userId}, ${phone}, ${amountCents}, ${newDepositReference(tx.database.randomBytes(11))},
            'created', ${tx.now})`;
  await takePrompt(tx, phone, id);
  await enqueue(tx, 'push_deposit', { id });
  return id;
}

/** The prompt goes to any phone that is named: a person who keeps asking phones that do not pay is slowed down. */
async function refuseTooManyUnpaid(tx: Tx, userId: string): Promise<void> {
  await tx.sql`select from users where id = ${userId} for no key update`;
  const [row] = await tx.sql<{ count: number; first_at: Date | null }[]>`
    select count(*)::int as count, min(created_at) as first_at from deposits
    where user_id = ${userId} and created_at > ${tx.now}::timestamptz - interval '1 hour' and state <> 'paid'`;
  if (!row || row.count < UNPAID_PROMPTS_MAX) return;
  const freeAt = (row.first_at?.getTime() ?? tx.now.getTime()) + 3_600_000;
  throw new Refusal('too_many_requests', {
    message: 'Many of your top-ups were not paid. Wait a little before you ask for another.',
    retryAfterSeconds: Math.max(1, (freeAt - tx.now.getTime()) / 1000),
  });
}

/** One prompt on one phone: whoever comes second while one may be open is refused. */
async function takePrompt(tx: Tx, phone: string, depositId: string): Promise<void> {
  const openSince = new Date(tx.now.getTime() - PROMPT_OPEN_MS);
  const [prompt] = await tx.sql<{ is_taken: boolean }[]>`
    select take_prompt(${phone}, ${depositId}, ${tx.now}, ${openSince}) as is_taken`;
  if (!prompt?.is_taken) throw new Refusal('deposit_in_progress', { retryAfterSeconds: PROMPT_OPEN_MS / 1000 });
}

/** Once a prompt has been answered, another may be opened on that phone. */
export async function releasePrompt(tx: Tx, depositId: string): Promise<void> {
  await tx.sql`delete from open_prompts where deposit_id = ${depositId}`;
}
