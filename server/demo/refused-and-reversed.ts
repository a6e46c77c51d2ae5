import type { Tx } from '../db/tx.ts';
import { requestPhoneConfirmation } from '../domains/identity/confirm-phone.ts';
import { createPasswords } from '../domains/identity/passwords.ts';
import { sendSms } from '../domains/notifications/send-sms.ts';
import { DEFAULT_SMS_COUNTRIES } from '../domains/notifications/sms-countries.ts';
import { settleReversal } from '../domains/wallet/settle-reversal.ts';
import type { StatusQuery, StoredAnswer } from '../domains/wallet/status-queries.ts';
import { register } from './member-acts.ts';
import { topUp } from './money-acts.ts';
import type { DemoPerson } from './people.ts';
import { umoja } from './saccos.ts';
import { at, type Cast, type DemoPart, type Happening, HOUR_MS, type Scene } from './scene.ts';

/** A number from which no code can be confirmed: the SMS provider has it on its black list. */
const blacklisted: DemoPerson = {
  idNumber: '67890123',
  firstName: 'Chesire',
  lastName: 'Kiprop',
  phone: '254767890123',
};
const payer = umoja.members[2] as DemoPerson;
const PAID_CENTS = 1_200_00;

/** Two things that go wrong elsewhere: the SMS provider refuses a code, and M-Pesa takes a payment back. Operators see both. */
export const refusedAndReversed: DemoPart = {
  happenings: (scene, cast) => [
    register(scene, cast, blacklisted, lately(scene, 4)),
    refusedCode(scene, cast),
    topUp(scene, cast, payer, PAID_CENTS, at(scene, 363, 3)),
    reversal(scene, cast),
  ],
  async missing(sql) {
    const [found] = await sql<{ refused: boolean; reversed: boolean }[]>`
      select exists (select from sms_messages where template = 'phone_code' and state = 'failed') as refused,
        exists (select from money_exceptions where kind = 'payment_reversed' and held_in = 'suspense'
          and resolved_at is null) as reversed`;
    return [
      ...(found?.refused ? [] : ['a code that the SMS provider refused']),
      ...(found?.reversed ? [] : ['a payment that M-Pesa took back']),
    ];
  },
};

/** Hours before the end: the figure of operators is that of one day. */
const lately = ({ end }: Scene, hours: number): Date => new Date(end.getTime() - hours * HOUR_MS);

function refusedCode(scene: Scene, cast: Cast): Happening {
  const { database, world } = scene;
  return {
    at: lately(scene, 3),
    what: `the SMS provider refuses the code for ${blacklisted.firstName}`,
    async act() {
      const passwords = createPasswords({ world, atOnceMax: 1, waitingMax: 1 });
      const actor = cast.person(blacklisted);
      await requestPhoneConfirmation({ database, passwords, smsCountries: DEFAULT_SMS_COUNTRIES }, actor);
      const codes = await database.sql<{ id: string }[]>`
        select id from sms_messages where user_id = ${actor.userId} and template = 'phone_code'`;
      const refuses = {
        sendSms: async () => ({ outcome: 'failed', reason: 'UserInBlacklist', retryable: false }) as const,
      };
      const settings = { countries: DEFAULT_SMS_COUNTRIES, dailyAlarm: 2_000 };
      await sendSms(database, refuses, { ids: codes.map(({ id }) => id) }, settings);
    },
  };
}

/** M-Pesa has answered so twice. */
function reversal(scene: Scene, cast: Cast): Happening {
  return {
    at: lately(scene, 2),
    what: `M-Pesa takes a payment of ${payer.firstName} back`,
    async act(tx: Tx) {
      const { userId } = cast.person(payer);
      const [paid] = await tx.sql<{ receipt: string; paid_at: Date }[]>`
        select receipt, paid_at from mpesa_receipts where user_id = ${userId} order by paid_at desc, receipt limit 1`;
      const answer: StoredAnswer = {
        receipt: paid?.receipt ?? '',
        status: 'Reversed',
        amountCents: PAID_CENTS,
        payerPhone: payer.phone,
        receiverPhone: null,
        payeeShortcode: null,
        originatorConversationId: null,
        paidAt: paid?.paid_at.toISOString() ?? null,
      };
      const asked = { purpose: 'reversal', receipt: answer.receipt, doubted: answer } as const;
      await settleReversal(tx, asked as unknown as StatusQuery, answer);
    },
  };
}
