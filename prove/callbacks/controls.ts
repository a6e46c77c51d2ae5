import type { Replaced } from '../../server/app.ts';
import { creditDeposit, lockDeposit } from '../../server/domains/wallet/credit-deposit.ts';
import { lockWithdrawal, returnWithdrawal } from '../../server/domains/wallet/settle-withdrawal.ts';
import { parsePayoutResult, parseStkCallback } from '../../server/gateways/mobile-money/daraja.parse.ts';
import type { Daraja } from '../../server/gateways/mobile-money/daraja.types.ts';
import type { Binding } from '../../server/http/bind.ts';
import type { Control } from '../harness.ts';
import { CALLBACK_SECRET } from '../support/product.ts';
import { sendingAgain } from '../support/sending-again.ts';
import type { CallbackWorld } from './callback-world.ts';

export const controls: readonly Control[] = [
  {
    name: 'callback-believed',
    breaks: 'a callback’s word is credited, amount and all, without asking M-Pesa',
    expected: /M-Pesa (took|never took)|was booked as/,
  },
  {
    name: 'tie-believed',
    breaks: 'a callback’s word for which top-up a payment answered is believed',
    expected: /is with .*, and belongs to/,
  },
  {
    name: 'receipt-not-unique',
    breaks: 'the index that lets a receipt into the books once sees no two as the same',
    expected: /is in the books \d+ times/,
  },
  {
    name: 'payout-sent-again',
    breaks: 'a payout whose answer was lost is sent again under a new id',
    expected: /under .*, an id that is no withdrawal's/,
  },
  {
    name: 'answer-unproven',
    breaks: 'an answer to our question need not carry the id under which M-Pesa took it',
    expected: /M-Pesa (has|never|took)/,
  },
  {
    name: 'list-unread',
    breaks: 'M-Pesa’s list of payments is not read, so that a lost callback stays lost',
    expected: /is not in the books, and M-Pesa took it|was not found within five minutes/,
  },
  {
    name: 'secret-unread',
    breaks: 'whoever knows the rest of an address may call back',
    expected: /^a hostile callback \(a wrong secret\) at .* was answered 200/,
  },
  {
    name: 'failure-believed',
    breaks: 'a word that a payout failed returns the money, without asking M-Pesa',
    expected: /was returned, and M-Pesa has paid it/,
  },
];

/** What only a flood of hostile callbacks can show. */
export const SEEN_IN_THE_FLOOD: ReadonlySet<string> = new Set(['secret-unread', 'failure-believed']);

/** What stands in for parts of the product; `world` is known once it stands. */
export function replacedFor(broken: string | undefined, world: () => CallbackWorld): Replaced {
  if (broken === 'callback-believed') return handledBy(believing(world), ({ name }) => name === 'stkCallback');
  if (broken === 'tie-believed') return handledBy(tying(world), ({ name }) => name === 'stkCallback');
  if (broken === 'answer-unproven') return handledBy(unproven(world), ({ name }) => name === 'statusResult');
  if (broken === 'failure-believed') return handledBy(returning(world), ({ name }) => name === 'payoutResult');
  if (broken === 'secret-unread') return handledBy(unread, ({ path }) => path.includes('{secret}'));
  if (broken === 'payout-sent-again') return { daraja: sendingAgain };
  if (broken === 'list-unread') return { daraja: withoutList };
  return {};
}

type Handler = Extract<Binding, { how: 'handler' }>;
type Handle = Handler['handle'];
/** Another handler in the place of ours. */
type Instead = (ours: Handle) => Handle;

function handledBy(instead: Instead, isMeant: (route: Handler['route']) => boolean): Replaced {
  const replace = (binding: Binding): Binding =>
    binding.how === 'handler' && isMeant(binding.route)
      ? { ...binding, handle: instead((call) => binding.handle(call)) }
      : binding;
  return { bindings: (ours) => ours.map(replace) };
}

/** Credits what the callback says, as naive code does. */
function believing(world: () => CallbackWorld): Instead {
  return (ours) => async (call) => {
    const answer = await ours(call);
    const { deposit: id } = call.params as { deposit: string };
    const told = parseStkCallback(call.body);
    const payment = told.ok ? told.value.payment : null;
    if (!payment?.receipt || !payment.amountCents) return answer;
    const { receipt, amountCents, paidAt } = payment;
    await world().product.database.transaction(async (tx) => {
      const deposit = await lockDeposit(tx, id);
      if (deposit) await creditDeposit(tx, { ...deposit, amount_cents: amountCents }, { receipt, paidAt });
    });
    return answer;
  };
}

/** The payment that a callback names is that of the top-up to whose address it came. */
function tying(world: () => CallbackWorld): Instead {
  return (ours) => async (call) => {
    const { deposit: id } = call.params as { deposit: string };
    const told = parseStkCallback(call.body);
    await world().product.database.owner`
      update paybill_payments set account_reference = (select reference from deposits where id = ${id})
      where receipt = ${(told.ok && told.value.payment?.receipt) || ''}`;
    return ours(call);
  };
}

/** Any id under which an answer to our question comes is one that M-Pesa gave us. */
function unproven(world: () => CallbackWorld): Instead {
  return (ours) => async (call) => {
    const { query } = call.params as { query: string };
    const { Result } = call.body as { Result?: { ConversationID?: unknown } };
    await world().product.database.owner`
      update status_queries set conversation_ids = array_append(conversation_ids, ${String(Result?.ConversationID)})
      where id = ${query}`;
    return ours(call);
  };
}

/** Gives the money back on the word of whoever says that it was not paid. */
function returning(world: () => CallbackWorld): Instead {
  return (ours) => async (call) => {
    const answer = await ours(call);
    const { withdrawal: id } = call.params as { withdrawal: string };
    const told = parsePayoutResult(call.body);
    if (!told.ok || told.value.resultCode === '0') return answer;
    await world().product.database.transaction(async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id);
      const isOpen = withdrawal?.state === 'sending' || withdrawal?.state === 'sent';
      const { resultCode } = told.value;
      const explanation = 'M-Pesa did not carry it out.' as const;
      if (isOpen) await returnWithdrawal(tx, null, withdrawal, { resultCode, explanation });
    });
    return answer;
  };
}

/** Any secret is the right one. */
const unread: Instead = (ours) => (call) =>
  ours({ ...call, params: { ...(call.params as object), secret: CALLBACK_SECRET } });

function withoutList(ours: Daraja): Daraja {
  return {
    ...ours,
    pull: async () => ({ outcome: 'rejected', code: '401', message: 'not enabled', kind: 'credentials' }),
  };
}

/** Takes the sense out of the receipts' unique index: it compares as if no two texts were ever the same. */
export async function breakDatabase(world: CallbackWorld): Promise<void> {
  if (world.run.broken !== 'receipt-not-unique') return;
  await world.product.database.owner.unsafe(`
    create function never_the_same(text, text) returns integer language sql immutable
      as $$ select case when $1 < $2 then -1 else 1 end $$;
    create function never_equal(text, text) returns boolean language sql immutable as 'select false';
    create operator === (leftarg = text, rightarg = text, function = never_equal);
    create operator class never_the_same for type text using btree as
      operator 1 <, operator 2 <=, operator 3 ===, operator 4 >=, operator 5 >, function 1 never_the_same(text, text);
    alter table mpesa_receipts drop constraint mpesa_receipts_pkey;
    create unique index mpesa_receipts_blind on mpesa_receipts (receipt never_the_same);
    create index mpesa_receipts_seen on mpesa_receipts (receipt)`);
}
