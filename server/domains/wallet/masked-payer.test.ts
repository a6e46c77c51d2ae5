import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breaches } from '../../ledger/invariants.ts';
import { openPaybill, type Person, type WalletWorld, walletWorld } from './test-wallet.ts';
import { walletInvariants } from './wallet.invariants.ts';

/* Payments of which M-Pesa masks, reverses or omits the payer, the receiver, the request or the account number. */

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
  await openPaybill(world);
});
beforeEach(() => world.settle());
afterEach(async () => {
  await fetch(`${world.origin}/simulator/__control/faults`, { method: 'DELETE' });
  await world.database.owner`update mpesa_lists set refused_until = null`;
  await world.audit();
});
afterAll(() => world.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function topUp(person: Person, amount: number): Promise<string> {
  const asked = await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount, phone: person.phone });
  await world.settle();
  return asked.body.deposit.id;
}

async function payByHand(person: Person, amount: number, account: string): Promise<string> {
  const { body } = await world.call('/api/payments', { phone: person.phone, amount, account_reference: account });
  return body.receipt as string;
}

const claim = async (person: Person, receipt: string): Promise<string> => {
  const { body } = await world.as(person, 'POST', '/integrations/mpesa/transaction-checker', {
    transaction_id: receipt,
    phone_number: person.phone,
  });
  return body.claim.id;
};
const claimed = async (person: Person, id: string) =>
  (await world.as(person, 'GET', `/integrations/mpesa/transaction-checker/${id}`)).body;

/** M-Pesa refuses us its list of payments for good. */
async function refuseList(): Promise<void> {
  await world.database.owner`
    insert into mpesa_lists (shortcode, refused_until) values (${world.clientSettings.shortcode}, 'infinity')
    on conflict (shortcode) do update set refused_until = 'infinity'`;
}

async function passDay(): Promise<void> {
  for (const hours of [1, 1, 6, 12, 24, 24]) {
    await world.sweep(hours * HOUR);
    await world.tasks.read_payment_list?.({});
    await world.settle();
  }
}

const receiptsOf = (depositId: string) =>
  world.database.owner<{ receipt: string }[]>`select receipt from mpesa_receipts where deposit_id = ${depositId}`;
const inSuspense = async (receipt: string) =>
  (await world.exceptions()).filter((each) => each.receipt === receipt && each.held_in === 'suspense');

/** The ways in which M-Pesa shows a payment, and the most that it leaves unsaid. */
const WAYS = [
  'mask=payer',
  'mask=payer,local=payer',
  'local=payer',
  'reverse=payer',
  'mask=payer,reverse=payer,local=payer',
  'reverse=parties',
  'omit=payer',
  'omit=receiver',
  'omit=payer+receiver',
  'omit=payer+request',
  'omit=name+request,mask=payer',
];

describe('A top-up is booked once, with its receipt (field case M1)', () => {
  test.each(WAYS)('when transaction status says %s', async (way) => {
    await world.befall('transaction_status', way, 100);
    const person = await world.person();
    const id = await topUp(person, 310);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    await passDay();
    expect(await world.funds(person)).toMatchObject({ available: 31_000 });
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
    expect(await inSuspense(receipt)).toEqual([]);
  });

  test.each(WAYS)('when its callback is lost too, and status says %s', async (way) => {
    await world.befall('stk_push', 'drop');
    await world.befall('transaction_status', way, 100);
    const person = await world.person();
    const id = await topUp(person, 320);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.sweep(31_000);
    await passDay();
    expect(await world.funds(person)).toMatchObject({ available: 32_000 });
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
    expect(await inSuspense(receipt)).toEqual([]);
  });

  test.each(WAYS)('when there is no list, and a report of a payment by hand comes too: %s', async (way) => {
    await refuseList();
    await world.befall('stk_push', 'drop,stk_and_c2b');
    await world.befall('transaction_status', way, 100);
    const person = await world.person();
    const id = await topUp(person, 330);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    await world.sweep(31_000);
    await passDay();
    expect(await inSuspense(receipt)).toEqual([]);
    expect(await world.funds(person)).toMatchObject({ available: 33_000 });
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
  });

  test.each(['mask=phone', 'omit=phone', 'mask=phone,local=phone', 'omit=phone+receipt'])(
    'when its callback says %s',
    async (way) => {
      await world.befall('stk_push', way);
      const person = await world.person();
      const id = await topUp(person, 340);
      const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
      await world.settle();
      await passDay();
      expect(await world.funds(person)).toMatchObject({ available: 34_000 });
      expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
      expect((await world.exceptions()).filter((each) => each.receipt === receipt)).toEqual([]);
    },
  );

  test.each(WAYS)('when the query denies that it was paid, and status says %s', async (way) => {
    await world.befall('stk_push', 'query_contradicts');
    await world.befall('transaction_status', way, 100);
    const person = await world.person();
    const id = await topUp(person, 350);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    await passDay();
    expect(await inSuspense(receipt)).toEqual([]);
    expect(await world.funds(person)).toMatchObject({ available: 35_000 });
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
  });

  test.each(['mask=phone', 'mask=phone,local=phone', 'omit=phone'])(
    'when its callback is lost, the query denies that it was paid, status names nobody, and M-Pesa’s list says %s',
    async (way) => {
      await world.befall('stk_push', 'drop,query_contradicts');
      await world.befall('transaction_status', 'omit=payer+request', 100);
      await world.befall('pull', way, 100);
      const person = await world.person();
      const id = await topUp(person, 370);
      const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
      await world.sweep(31_000);
      await passDay();
      expect(await world.funds(person)).toMatchObject({ available: 37_000 });
      expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
      expect(await inSuspense(receipt)).toEqual([]);
    },
  );

  test.each(['omit=account', 'omit=time', 'omit=receipt'])('when transaction status says %s', async (way) => {
    await world.befall('transaction_status', way, 100);
    const person = await world.person();
    const id = await topUp(person, 380);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    await passDay();
    expect(await world.funds(person)).toMatchObject({ available: 38_000 });
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
    expect(await inSuspense(receipt)).toEqual([]);
  });

  test('when transaction status never says the amount: once, and its receipt is nobody’s', async () => {
    await world.befall('transaction_status', 'omit=amount', 100);
    const person = await world.person();
    await topUp(person, 385);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    await passDay();
    expect(await world.funds(person)).toMatchObject({ available: 38_500 });
    expect(await inSuspense(receipt)).toEqual([]);
  });

  test('when its receipt is claimed by its payer, whose number is masked', async () => {
    await world.befall('stk_push', 'drop');
    const person = await world.person();
    const id = await topUp(person, 360);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.befall('transaction_status', 'drop');
    await world.sweep(31_000);
    await world.befall('transaction_status', 'mask=payer,omit=request', 100);
    const claimId = await claim(person, receipt);
    await world.settle();
    await passDay();
    expect(await world.funds(person)).toMatchObject({ available: 36_000 });
    expect(await claimed(person, claimId)).toMatchObject({ status: 'credited' });
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
  });
});

describe('A payment by hand whose payer is masked (field case M1)', () => {
  test.each(['mask=payer', 'mask=payer,local=payer,reverse=payer'])('is claimed by its payer: %s', async (way) => {
    await world.befall('transaction_status', way, 100);
    const person = await world.person({ phone: `2547220010${way.length}` });
    const receipt = await payByHand(person, 410, 'typo');
    await world.settle();
    await passDay();
    expect(await inSuspense(receipt)).toHaveLength(1);
    const id = await claim(person, receipt);
    await world.settle();
    expect(await claimed(person, id)).toMatchObject({ status: 'credited', amount: 410 });
    expect(await world.funds(person)).toMatchObject({ available: 41_000 });
  });

  test('is not claimed by a member whose visible digits differ', async () => {
    await world.befall('transaction_status', 'mask=payer', 100);
    const [payer, other] = [
      await world.person({ phone: '254733123001' }),
      await world.person({ phone: '254733123002' }),
    ];
    const receipt = await payByHand(payer, 420, 'typo');
    await world.settle();
    const id = await claim(other, receipt);
    await world.settle();
    expect(await claimed(other, id)).toMatchObject({ status: 'failed' });
    expect(await world.funds(other)).toMatchObject({ available: 0 });
  });

  test('goes to review where the visible digits are those of two members', async () => {
    await world.befall('transaction_status', 'mask=payer', 100);
    const [payer, other] = [
      await world.person({ phone: '254733100555' }),
      await world.person({ phone: '254733200555' }),
    ];
    await world.database.owner`update users set phone = '254733100777' where id = ${payer.id}`;
    await world.database.owner`update users set phone = '254733101777' where id = ${other.id}`;
    const receipt = await payByHand({ ...payer, phone: '254733100777' }, 430, 'typo');
    await world.settle();
    const id = await claim({ ...other, phone: '254733101777' }, receipt);
    await world.settle();
    await world.sweep(MINUTE);
    expect(await claimed(other, id)).toMatchObject({ status: 'review' });
    expect(await world.funds(other)).toMatchObject({ available: 0 });
    expect(await inSuspense(receipt)).toHaveLength(1);
  });

  test('goes to review where M-Pesa does not say who paid, and nobody gets it', async () => {
    await world.befall('transaction_status', 'omit=payer', 100);
    const person = await world.person();
    const receipt = await payByHand(person, 440, 'typo');
    await world.settle();
    await passDay();
    const id = await claim(person, receipt);
    await world.settle();
    expect(await claimed(person, id)).toMatchObject({ status: 'review' });
    expect(await inSuspense(receipt)).toHaveLength(1);
  });

  test('under a member’s account number is that member’s, though M-Pesa says neither payer nor receiver', async () => {
    await world.befall('transaction_status', 'omit=payer+receiver', 100);
    const person = await world.person();
    await payByHand(person, 450, person.account);
    await world.settle();
    await passDay();
    expect(await world.funds(person)).toMatchObject({ available: 45_000 });
  });

  test.each(['mask=phone', 'omit=phone'])(
    'under a member’s account number is that member’s, where its report is lost and M-Pesa’s list says %s',
    async (way) => {
      await world.befall('c2b', 'drop');
      await world.befall('pull', way, 100);
      const person = await world.person();
      const receipt = await payByHand(person, 455, person.account);
      await world.settle();
      await passDay();
      expect(await world.funds(person)).toMatchObject({ available: 45_500 });
      expect(await inSuspense(receipt)).toEqual([]);
    },
  );

  test('of the same amount as an unpaid top-up of another is not given to that top-up', async () => {
    await refuseList();
    await world.befall('transaction_status', 'omit=payer+request', 100);
    const [payer, thief] = [await world.person(), await world.person()];
    const id = await topUp(thief, 460);
    const receipt = await payByHand(payer, 460, 'typo');
    await world.callBack(`/stk/${id}`, {
      Body: {
        stkCallback: {
          CheckoutRequestID: 'ws_CO_0203202609000000711000000',
          ResultCode: 0,
          CallbackMetadata: {
            Item: [
              { Name: 'Amount', Value: 460 },
              { Name: 'MpesaReceiptNumber', Value: receipt },
            ],
          },
        },
      },
    });
    await world.settle();
    await passDay();
    expect(await world.funds(thief)).toMatchObject({ available: 0 });
    expect(await inSuspense(receipt)).toHaveLength(1);
  });
});

describe('A withdrawal is paid once (field case M1)', () => {
  test.each(['mask=receiver', 'omit=receiver', 'reverse=receiver,local=receiver'])(
    'when its result and transaction status say %s, and when its result is lost',
    async (way) => {
      const person = await world.person();
      await topUp(person, 900);
      await world.answerPrompt(person.phone, 'approve');
      await world.settle();
      await world.befall('transaction_status', way, 100);
      for (const [amount, faults] of [
        [200, way],
        [300, `drop,${way}`],
      ] as const) {
        await world.befall('b2c', faults);
        const { body } = await world.as(person, 'POST', '/integrations/mpesa/withdraw', {
          amount,
          phone: person.phone,
        });
        await world.settle();
        await world.sweep(3 * MINUTE);
        const { body: read } = await world.as(person, 'GET', `/integrations/mpesa/withdrawals/${body.withdrawal.id}`);
        expect(read).toMatchObject({ status: 'paid', receipt: expect.any(String) });
      }
      expect(await world.funds(person)).toEqual({ available: 40_000, held: 0 });
    },
  );
});

describe('The audit names a receipt that is booked twice (field case M1)', () => {
  /** The breaches of a change by the database's owner, which is then undone. */
  async function named(hand: string): Promise<string> {
    let found = '';
    const undo = new Error('undone');
    const trial = world.database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql.unsafe(hand);
      found = JSON.stringify(await breaches(sql, walletInvariants));
      throw undo;
    });
    await expect(trial).rejects.toBe(undo);
    return found;
  }

  test('in a wallet as a top-up without a receipt, and in suspense', async () => {
    const person = await world.person();
    const id = await topUp(person, 470);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
    const booked = (phone: string) => `
      update mpesa_receipts set deposit_id = null, source = 'stray', credited_to = 'suspense', user_id = null, phone = ${phone}
      where receipt = '${receipt}'`;
    expect(await named(booked('phone'))).toContain(receipt);
    expect(await named(booked("'25471*678'"))).not.toContain('booked beside');
    expect(await named(booked('null'))).toContain('booked beside');
    expect(await named('select 1')).toBe('[]');
  });

  test('as a top-up with its receipt, and as a payment by hand', async () => {
    const person = await world.person();
    const id = await topUp(person, 480);
    const receipt = (await world.answerPrompt(person.phone, 'approve')) as string;
    await world.settle();
    expect(await receiptsOf(id)).toMatchObject([{ receipt }]);
    const found = await named(`
      insert into money_exceptions (id, kind, receipt, amount_cents, about_type, about_id, held_in, detail, opened_at)
      values ('00000000-0000-7000-8000-000000000001', 'second_receipt', '${receipt}', 48000, 'deposit', '${id}', 'nowhere', '{}', now());
      insert into journals (kind, idempotency_key, about_type, about_id, posted_at)
      values ('money_unmatched', 'by hand', 'money_exception', '00000000-0000-7000-8000-000000000001', now())`);
    expect(found).toContain('No receipt of M-Pesa is booked twice');
    expect(found).toContain(receipt);
  });
});
