import { Refusal } from '@ushirika/contract/refusal';
import type { Database, Tx } from '../db/tx.ts';
import { buyShares } from '../domains/shares/buy-shares.ts';
import { askBalance, receiveBalanceResult } from '../domains/wallet/compare-float.ts';
import { creditDeposit, lockDeposit } from '../domains/wallet/credit-deposit.ts';
import { pushDeposit } from '../domains/wallet/push-deposit.ts';
import { mpesaFloat } from '../domains/wallet/receipts.ts';
import { requestDeposit } from '../domains/wallet/request-deposit.ts';
import type { Daraja } from '../gateways/mobile-money/daraja.types.ts';
import { balances } from '../ledger/balances.ts';
import type { DemoPerson } from './people.ts';
import type { DemoSacco } from './saccos.ts';
import { type Cast, DAY_MS, type Happening, HOUR_MS, type Scene } from './scene.ts';

/** The money comes by M-Pesa: asked for, the prompt sent, and credited by its receipt as a confirmed prompt is. */
export function topUp({ database }: Scene, cast: Cast, person: DemoPerson, amountCents: number, when: Date): Happening {
  return {
    at: when,
    what: `${person.firstName} tops up`,
    async act() {
      const { phone } = person;
      // Their own phones: the SMS with the code is told of once, with whoever came last.
      await database.sql`
        update users set phone_confirmed_at = ${database.now()}
        where id = ${cast.person(person).userId} and phone = ${phone} and phone_confirmed_at is null`;
      const id = await database.transaction((tx) => requestDeposit(tx, cast.person(person), { amountCents, phone }));
      await pushDeposit({ database, daraja: everWilling(database), mpesa: NOWHERE }, id);
      await database.transaction(async (tx) => {
        const deposit = await lockDeposit(tx, id);
        if (deposit) await creditDeposit(tx, deposit, { receipt: receiptOf(tx), paidAt: tx.now });
      });
    },
  };
}

/** On the last morning M-Pesa is asked what it holds, and the books say the same. */
export function comparison({ database, end }: Scene): Happening {
  // Two minutes past three of Nairobi, which is midnight of Greenwich.
  const midnight = Math.floor(end.getTime() / DAY_MS) * DAY_MS;
  const minutes = 2 * (HOUR_MS / 60);
  return {
    at: new Date(midnight + minutes <= end.getTime() ? midnight + minutes : midnight + minutes - DAY_MS),
    what: 'M-Pesa and the books are compared',
    async act() {
      const mpesa = { ...NOWHERE, ownFundsCents: await paybillFunds(database) };
      const asked: { id: string; conversationId: string }[] = [];
      await askBalance({ database, mpesa, daraja: everHolding(database, asked) });
      const [question] = asked;
      if (!question) return;
      const [float = 0] = await balances(database, [mpesaFloat]);
      const body = balanceResult(question.conversationId, mpesa.ownFundsCents + float);
      await database.transaction((tx) => receiveBalanceResult(tx, mpesa, question.id, body));
    },
  };
}

/** The M-Pesa of the story is asked no more whether its payments stand: the simulator knows none of them. */
export async function endQuestions({ sql }: Database): Promise<void> {
  await sql`update mpesa_receipts set ask_again_at = null where ask_again_at is not null`;
}

/** The simulator's paybill holds what the story's people have paid to it and M-Pesa has not taken back: it is asked from tomorrow on. */
export async function fillPaybill(database: Database): Promise<void> {
  const [float = 0] = await balances(database, [mpesaFloat]);
  const funds = await paybillFunds(database);
  const [taken] = await database.sql<{ cents: number }[]>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from money_exceptions
    where kind = 'payment_reversed' and resolved_at is null`;
  await database.sql`
    update simulator.organisation_account set balance_cents = ${funds + float - (taken?.cents ?? 0)} where name = 'utility'`;
}

/** What the simulator's paybill began with: the story's people pay to nobody. */
async function paybillFunds({ sql }: Database): Promise<number> {
  const [row] = await sql<{ balance_cents: number }[]>`
    select balance_cents from simulator.organisation_account where name = 'utility'`;
  return row?.balance_cents ?? 0;
}

function everHolding(database: Database, asked: { id: string; conversationId: string }[]) {
  const client: Pick<Daraja, 'accountBalance'> = {
    async accountBalance({ resultUrl }) {
      const conversationId = `AG_demo_${database.newId().slice(-12)}`;
      asked.push({ id: resultUrl.split('/').at(-2) ?? '', conversationId });
      return { outcome: 'accepted', originatorConversationId: 'demo', conversationId };
    },
  };
  return client;
}

function balanceResult(ConversationID: string, cents: number) {
  const shown = (cents / 100).toFixed(2);
  const Value = `Utility Account|KES|${shown}|${shown}|0.00|0.00`;
  return {
    Result: {
      ResultCode: '0',
      ConversationID,
      ResultParameters: { ResultParameter: { Key: 'AccountBalance', Value } },
    },
  };
}

const NOWHERE = {
  callbackBaseUrl: 'http://127.0.0.1',
  callbackSecret: 'the-demonstration-calls-nobody',
  shortcode: '600984',
};

/** The M-Pesa of the story: it takes every prompt, and calls nobody back. */
function everWilling(database: Database): Pick<Daraja, 'stkPush'> {
  const id = () => database.newId().slice(-12);
  return {
    stkPush: async () => ({
      outcome: 'accepted',
      merchantRequestId: `demo-${id()}`,
      checkoutRequestId: `ws_CO_demo_${id()}`,
    }),
  };
}

/** A receipt as M-Pesa writes them: year, month and day in its first three characters. */
function receiptOf(tx: Tx): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const day = tx.now.getUTCDate();
  const head = [
    String.fromCharCode('U'.charCodeAt(0) + tx.now.getUTCFullYear() - 2026),
    String.fromCharCode('A'.charCodeAt(0) + tx.now.getUTCMonth()),
    day < 10 ? String(day) : String.fromCharCode('A'.charCodeAt(0) + day - 10),
  ];
  const tail = [...tx.database.randomBytes(7)].map((byte) => letters[byte % letters.length]);
  return [...head, ...tail].join('').replace(/^(.)(\d)/, '$1A');
}

/** Buys shares from the sacco itself. */
export async function buy(tx: Tx, cast: Cast, sacco: DemoSacco, person: DemoPerson, shares: number): Promise<void> {
  const { userId } = cast.person(person);
  const amountCents = shares * sacco.shareValueCents;
  mustBeDone(await buyShares(tx, [{ userId, saccoId: cast.sacco(sacco), shares, amountCents }]));
}

/** A story goes on only when what it tells was done. */
export function mustBeDone(answers: readonly (object | Refusal)[]): void {
  for (const answer of answers) if (answer instanceof Refusal) throw answer;
}
