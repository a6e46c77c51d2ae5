import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../server/db/tx.ts';
import { claimReceipt } from '../../server/domains/wallet/claim-receipt.ts';
import { requestDeposit } from '../../server/domains/wallet/request-deposit.ts';
import { agreed } from '../../server/domains/wallet/test-payers.ts';
import { withdraw } from '../../server/domains/wallet/withdraw.ts';
import { balances } from '../../server/ledger/balances.ts';
import { PLATFORM_BOOK } from '../../server/ledger/ledger.types.ts';
import type { Person } from '../support/product.ts';
import type { CallbackWorld } from './callback-world.ts';

/** Account numbers that are nobody's. */
const UNKNOWN_ACCOUNTS = ['CHURCH', 'mama mboga', 'ROOF-2026'];

const SECOND = 1_000;
const DAY = 86_400_000;

/** Bad luck of a prompt, a payment to the paybill and a payout, a choice of which each gets; `0` is none. */
const PROMPT_LUCK = [
  'drop',
  'duplicate=4',
  `delay=${7 * SECOND}`,
  `delay=${7 * DAY}`,
  'reorder',
  'before_response',
  'amount_mismatch=9999',
  'query_contradicts',
  'query_contradicts, drop',
  'forged',
  'stk_and_c2b',
  'lost_response',
  'lost_response, drop',
  'lost_response, before_response',
  'http_500',
  'http_503',
  'html_page',
  'spike_arrest',
  'busy',
  'redirect',
  'huge',
  'hang=30',
  'revoke_token',
  'unknown_result_code',
];
const PAYBILL_LUCK = [
  'drop',
  'duplicate=3',
  `delay=${40 * SECOND}`,
  `delay=${5 * DAY}`,
  'reorder',
  'amount_mismatch=7',
];
const PAYOUT_LUCK = [
  'drop',
  'duplicate=3',
  `delay=${90 * SECOND}`,
  `delay=${3 * DAY}`,
  'reorder',
  'before_response',
  'amount_mismatch=3',
  'lost_response',
  'lost_response, drop',
  'http_500',
  'html_page',
  'hang=30',
  'busy',
  'queue_timeout=20000',
  'queue_timeout=20000, drop',
  'unknown_result_code',
  'unknown_result_code=2040',
  'unknown_result_code=2040, duplicate=2',
  'unknown_result_code=2040, lost_response',
];
/** Bad luck of those whom we ask. */
const ASKED_LUCK: Readonly<Record<string, readonly string[]>> = {
  stk_query: ['http_500', 'http_503', 'html_page', 'hang=30', 'busy', 'lost_response', 'huge'],
  transaction_status: [
    'http_500',
    'html_page',
    'hang=30',
    'drop',
    'duplicate=3',
    `delay=${20 * SECOND}`,
    `delay=${2 * DAY}`,
    'queue_timeout=4000',
    'lost_response',
    'before_response',
    'revoke_token',
  ],
  pull: ['http_500', 'html_page', 'hang=30', 'lost_response', 'busy'],
};

const inShillings = (cents: number) => cents / 100;

/** One round of what people do, with what befalls it. */
export async function genuineRound(world: CallbackWorld, round: number): Promise<void> {
  const { random } = world;
  await layAskedLuck(world, round);
  for (const person of world.people) {
    if (random.chance(0.45)) await askForTopUp(world, person);
    else if (random.chance(0.35)) await payPaybill(world, person);
    else if (random.chance(0.5)) await takeOut(world, person);
  }
  // Prompts are on their phones; now and then what M-Pesa says of other things has not been dealt with.
  if (random.chance(0.3)) await world.stir();
  else await world.quiet();
  await answerPrompts(world);
  for (let claims = random.whole(0, 2); claims > 0; claims -= 1) await claimSomething(world);
}

/** Those whom we ask are down, slow, talk nonsense or, at times, say something else than is true. */
async function layAskedLuck(world: CallbackWorld, round: number): Promise<void> {
  const { random } = world;
  for (const [call, luck] of Object.entries(ASKED_LUCK)) {
    if (random.chance(0.5))
      await world.control('faults', { call, faults: random.pick(luck), times: random.whole(1, 3) });
  }
  // What M-Pesa says twice alike is true by definition: a lie is told once, and each is another.
  if (random.chance(0.4)) {
    const faults = `amount_mismatch=${random.whole(1, 200_000)}`;
    await world.control('faults', { call: 'transaction_status', faults });
  }
  if (round % 8 === 3) {
    const faults = `status_contradicts=${random.pick(['Failed', 'Declined', 'Cancelled', 'Expired'])}`;
    await world.control('faults', { call: 'transaction_status', faults });
  }
  // In the fifth round first, so that tier C, which has five, loses its token whatever its luck.
  if (round % 10 === 4) {
    await world.control('faults', { call: 'oauth', faults: random.pick(['http_500', 'html_page', 'empty_400']) });
    await world.control('faults', { call: 'any', faults: 'revoke_token' });
  }
}

async function tryIt(world: CallbackWorld, name: string, act: (tx: Tx) => Promise<unknown>): Promise<void> {
  try {
    await world.product.database.transaction(act);
    world.count(name);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Mostly from the own phone, now and then from that of somebody else here, or of nobody here. */
async function askForTopUp(world: CallbackWorld, person: Person): Promise<void> {
  const { random } = world;
  const phone = random.chance(0.7)
    ? person.phone
    : random.chance(0.5)
      ? random.pick(world.people).phone
      : `2547990${String(random.whole(0, 99_999)).padStart(5, '0')}`;
  if (phone !== person.phone) await agreed(world.product.database, person.id, phone);
  const amountCents = random.whole(10, 3_000) * 100;
  if (random.chance(0.65)) await world.control('faults', { call: 'stk_push', phone, faults: random.pick(PROMPT_LUCK) });
  await tryIt(world, 'top-ups', (tx) => requestDeposit(tx, { userId: person.id }, { amountCents, phone }));
}

export async function payPaybill(world: CallbackWorld, person: Person, luck?: string): Promise<void> {
  const { random } = world;
  const own = [
    person.account,
    ` ${person.account.slice(0, 3)} ${person.account.slice(3)} `,
    `0${person.phone.slice(3)}`,
    person.phone,
  ];
  const account = luck !== undefined || random.chance(0.7) ? random.pick(own) : random.pick(UNKNOWN_ACCOUNTS);
  const drawn = luck ?? (random.chance(0.65) ? random.pick(PAYBILL_LUCK) : '');
  // Otherwise our validation would refuse an account number that is nobody's.
  const faults = UNKNOWN_ACCOUNTS.includes(account) ? [drawn, 'no_validation'].filter(Boolean).join(', ') : drawn;
  if (faults) await world.control('faults', { call: 'c2b', phone: person.phone, faults });
  const body = { phone: person.phone, amount: random.whole(10, 3_000), account_reference: account };
  const { status } = await world.product.call('POST', '//simulator/api/payments', { body });
  if (status === 200) world.count('payments to the paybill');
}

async function takeOut(world: CallbackWorld, person: Person): Promise<void> {
  const { random, product } = world;
  const [available = 0] = await balances(product.database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner: person.id }]);
  const most = Math.floor(inShillings(available));
  if (most < 20) return;
  const amountCents = random.whole(10, Math.min(most, 2_000)) * 100;
  const faults = random.pick(PAYOUT_LUCK);
  if (random.chance(0.7)) await world.control('faults', { call: 'b2c', phone: person.phone, faults });
  await tryIt(world, 'withdrawals', (tx) => withdraw(tx, { userId: person.id }, { amountCents, phone: person.phone }));
}

/** People answer what their phones ask: most pay. */
async function answerPrompts(world: CallbackWorld): Promise<void> {
  const { random, product } = world;
  const open = await product.database.owner<{ id: string }[]>`
    select id from simulator.prompt where status = 'open' order by ordinal`;
  for (const { id } of open) {
    if (random.chance(0.1)) continue;
    const action = random.chance(0.75) ? 'approve' : random.pick(['cancel', 'timeout', 'insufficient_funds']);
    await product.call('POST', `//simulator/api/prompts/${id}`, { body: { action } });
    world.count(`prompts answered: ${action === 'approve' ? 'paid' : 'not paid'}`);
  }
}

/** Of an own payment, of somebody else's, of a payout, or of nothing at all. */
async function claimSomething(world: CallbackWorld): Promise<void> {
  const { random, product } = world;
  const rows = await product.database.owner<{ receipt: string; phone: string; kind: string }[]>`
    select receipt, phone, kind from simulator.payment order by completed_at desc, receipt limit 12`;
  const claimant = random.pick(world.people);
  const payment = rows.length > 0 && random.chance(0.85) ? random.pick(rows) : null;
  const receipt = payment?.receipt ?? `FAK${String(random.whole(1_000_000, 9_999_999))}`;
  const payer = payment && world.people.find(({ phone }) => phone === payment.phone);
  const isPayer = payer && random.chance(0.6);
  const userId = isPayer ? payer.id : claimant.id;
  const phone = payment?.phone ?? claimant.phone;
  await tryIt(world, isPayer ? 'claims by the payer' : 'claims by somebody else', (tx) =>
    claimReceipt(tx, { userId }, { receipt, phone }),
  );
}
