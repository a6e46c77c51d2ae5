import { Refusal } from '@ushirika/contract/refusals';
import type { Database, Tx } from '../db/tx.ts';
import { buyShares } from '../domains/shares/buy-shares.ts';
import { creditDeposit, lockDeposit } from '../domains/wallet/credit-deposit.ts';
import { pushDeposit } from '../domains/wallet/push-deposit.ts';
import { requestDeposit } from '../domains/wallet/request-deposit.ts';
import type { Daraja } from '../gateways/mobile-money/daraja.types.ts';
import type { DemoPerson } from './people.ts';
import type { DemoSacco } from './saccos.ts';
import type { Cast, Happening, Scene } from './scene.ts';

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
  mustBeDone(await buyShares(tx, [{ userId, saccoId: cast.sacco(sacco), shares, amountCents }], async () => {}));
}

/** A story goes on only when what it tells was done. */
export function mustBeDone(answers: readonly (object | Refusal)[]): void {
  for (const answer of answers) if (answer instanceof Refusal) throw answer;
}
