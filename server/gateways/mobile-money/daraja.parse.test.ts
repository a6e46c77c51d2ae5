import { describe, expect, test } from 'vitest';
import {
  parseBalanceResult,
  parseC2bPayment,
  parsePayoutResult,
  parsePulled,
  parseQueueTimeout,
  parseStatusResult,
  parseStkCallback,
} from './daraja.parse.ts';
import { samePhone } from './party.ts';

/** The portal's own sample (payments.md 2.4). */
const PAID = JSON.parse(`{"Body":{"stkCallback":{"MerchantRequestID":"29115-34620561-1",
  "CheckoutRequestID":"ws_CO_191220191020363925","ResultCode":0,
  "ResultDesc":"The service request is processed successfully.","CallbackMetadata":{"Item":[
  {"Name":"Amount","Value":1.00},{"Name":"MpesaReceiptNumber","Value":"NLJ7RT61SV"},{"Name":"Balance"},
  {"Name":"TransactionDate","Value":20191219102115},{"Name":"PhoneNumber","Value":254708374149}]}}}}`);

function paidWith(items: readonly object[], more: object = {}) {
  const callback = { ...PAID.Body.stkCallback, ...more, CallbackMetadata: { Item: items } };
  return { Body: { stkCallback: callback } };
}

describe('an STK callback', () => {
  test('of success gives cents, receipt, phone and the time in Nairobi', () => {
    expect(parseStkCallback(PAID)).toEqual({
      ok: true,
      value: {
        merchantRequestId: '29115-34620561-1',
        checkoutRequestId: 'ws_CO_191220191020363925',
        resultCode: '0',
        resultDescription: 'The service request is processed successfully.',
        payment: {
          amountCents: 100,
          receipt: 'NLJ7RT61SV',
          paidAt: new Date('2019-12-19T07:21:15Z'),
          phone: '254708374149',
        },
      },
    });
  });

  test('of failure has no payment, whether its code is a number, a text or a word', () => {
    for (const [code, text] of [
      [1032, '1032'],
      ['1032', '1032'],
      ['SFC_IC0003', 'SFC_IC0003'],
    ] as const) {
      const body = { Body: { stkCallback: { CheckoutRequestID: 'ws_CO_1', ResultCode: code, ResultDesc: 'x' } } };
      expect(parseStkCallback(body)).toMatchObject({ ok: true, value: { resultCode: text, payment: null } });
    }
  });

  test('is read by the names of its items, never by their places, and bears extra keys', () => {
    const items = [...PAID.Body.stkCallback.CallbackMetadata.Item].reverse();
    const body = { ...paidWith([{ Name: 'Surprise', Value: {} }, ...items], { Extra: [1] }), more: true };
    expect(parseStkCallback(body)).toMatchObject({ value: { payment: { amountCents: 100, receipt: 'NLJ7RT61SV' } } });
  });

  test('reads amounts exactly, and nonsense as nothing', () => {
    const amountOf = (value: unknown) => {
      const parsed = parseStkCallback(paidWith([{ Name: 'Amount', Value: value }]));
      return parsed.ok ? parsed.value.payment?.amountCents : undefined;
    };
    expect([5000, '5000', '5000.00', 5000.5, 0.29].map(amountOf)).toEqual([500_000, 500_000, 500_000, 500_050, 29]);
    expect(['1e3', '-5', 'NaN', null, {}, [5], 1.005, '٥'].map(amountOf)).toEqual(Array(8).fill(null));
  });

  test('is of this century, or of no time: PostgreSQL knows no year 0, and its year 1 ends before ours', () => {
    const timeOf = (value: unknown) => {
      const parsed = parseStkCallback(paidWith([{ Name: 'TransactionDate', Value: value }]));
      return parsed.ok ? parsed.value.payment?.paidAt : undefined;
    };
    for (const value of ['00000101000000', '00010101000000', '19991231235959', '99991231235959', '20261399999999']) {
      expect(timeOf(value), value).toBeNull();
    }
    expect(timeOf('20260302090000')).toEqual(new Date('2026-03-02T06:00:00Z'));
  });

  test('has one bare item where a list was expected', () => {
    const body = paidWith([]);
    Object.assign(body.Body.stkCallback.CallbackMetadata, {
      Item: { Name: 'MpesaReceiptNumber', Value: 'NLJ7RT61SV' },
    });
    expect(parseStkCallback(body)).toMatchObject({ value: { payment: { receipt: 'NLJ7RT61SV', amountCents: null } } });
  });

  test.each([
    ['null', null],
    ['a text', 'paid'],
    ['a list', []],
    ['an empty object', {}],
    ['a body without its id', { Body: { stkCallback: { ResultCode: 0 } } }],
    ['a body without its code', { Body: { stkCallback: { CheckoutRequestID: 'ws_CO_1' } } }],
    ['a code that is an object', { Body: { stkCallback: { CheckoutRequestID: 'ws_CO_1', ResultCode: { $ne: 1 } } } }],
  ])('that is %s is not taken', (_name, body) => {
    expect(parseStkCallback(body).ok).toBe(false);
  });

  test('calls nothing paid but exactly zero', () => {
    for (const code of ['00', '0.0', ' 1', '0x0', '+0', true, false]) {
      const parsed = parseStkCallback(paidWith([], { ResultCode: code }));
      expect(parsed.ok && parsed.value.resultCode === '0').toBe(false);
    }
  });
});

describe('the result of a payout', () => {
  const result = (more: object, parameters?: unknown) => ({
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ResultDesc: 'The service request is processed successfully.',
      OriginatorConversationID: '600997_Test_32et3241ed8yu',
      ConversationID: 'AG_20240706_20106e9209f64bebd05b',
      TransactionID: 'SG632NMUAB',
      ...(parameters ? { ResultParameters: { ResultParameter: parameters } } : {}),
      ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL', Value: 'https://x' } },
      ...more,
    },
  });
  const PAID_PARAMETERS = [
    { Key: 'TransactionAmount', Value: 10 },
    { Key: 'TransactionReceipt', Value: 'SG632NMUAB' },
    { Key: 'ReceiverPartyPublicName', Value: '254708374149 - John Doe' },
    { Key: 'TransactionCompletedDateTime', Value: '06.07.2024 22:48:52' },
    { Key: 'B2CChargesPaidAccountAvailableFunds', Value: -17730 },
  ];

  test('names amount, receipt, receiver and time', () => {
    expect(parsePayoutResult(result({}, PAID_PARAMETERS))).toMatchObject({
      ok: true,
      value: {
        resultCode: '0',
        originatorConversationId: '600997_Test_32et3241ed8yu',
        transactionId: 'SG632NMUAB',
        payout: {
          amountCents: 1000,
          receipt: 'SG632NMUAB',
          completedAt: new Date('2024-07-06T19:48:52Z'),
          receiverPhone: '254708374149',
        },
      },
    });
  });

  test('that failed has no parameters, and a placeholder where a receipt would be', () => {
    const failed = result({ ResultCode: '2001', TransactionID: 'OA90000000' });
    expect(parsePayoutResult(failed)).toMatchObject({
      value: { resultCode: '2001', transactionId: null, payout: null },
    });
  });

  test('bears a single parameter as a bare object, and items without a value', () => {
    const parsed = parsePayoutResult(result({}, { Key: 'TransactionAmount' }));
    expect(parsed).toMatchObject({ value: { payout: { amountCents: null, receipt: 'SG632NMUAB' } } });
  });
});

describe('the answer of transaction status', () => {
  const status = (parameters: readonly object[], more: object = {}) => ({
    Result: {
      ResultType: '0',
      ResultCode: '0',
      ResultDesc: 'ok',
      ResultParameters: { ResultParameter: parameters },
      ...more,
    },
  });

  test('keeps both parties when DebitPartyName comes twice', () => {
    const parsed = parseStatusResult(
      status([
        { Key: 'DebitPartyName', Value: '254708374149 - JOHN DOE' },
        { Key: 'DebitPartyName', Value: '600984 - Ushirika' },
        { Key: 'TransactionStatus', Value: 'Completed' },
        { Key: 'Amount', Value: '300' },
        { Key: 'ReceiptNo', Value: 'NEF61H8J60' },
        { Key: 'InitiatedTime', Value: 20200401100210 },
        { Key: 'TransactionReason' },
      ]),
    );
    expect(parsed).toMatchObject({
      value: {
        transaction: {
          status: 'Completed',
          amountCents: 30_000,
          receipt: 'NEF61H8J60',
          payerPhone: '254708374149',
          payerName: 'JOHN DOE',
          payeeShortcode: '600984',
          initiatedAt: new Date('2020-04-01T07:02:10Z'),
          reason: null,
        },
      },
    });
  });

  test('of a payout names the shortcode that paid and the phone that received', () => {
    const parsed = parseStatusResult(
      status([
        { Key: 'DebitPartyName', Value: '600984 - Ushirika' },
        { Key: 'CreditPartyName', Value: '254708374149 - John Doe' },
        { Key: 'OriginatorConversationID', Value: 'OUT1' },
      ]),
    );
    expect(parsed).toMatchObject({
      value: {
        transaction: {
          payerPhone: null,
          payerName: null,
          receiverPhone: '254708374149',
          payeeShortcode: null,
          originatorConversationId: 'OUT1',
        },
      },
    });
  });

  test('of an unknown receipt is 2032, with no transaction', () => {
    const parsed = parseStatusResult({ Result: { ResultCode: 2032, ResultDesc: 'The transaction receipt number…' } });
    expect(parsed).toMatchObject({ value: { resultCode: '2032', transaction: null } });
  });
});

describe('QueueTimeOut', () => {
  test('is read in both of its shapes, and its credential is not kept', () => {
    const request = { OriginatorConversationID: 'OUT1', SecurityCredential: 'c2VjcmV0', Amount: '10' };
    const parsed = parseQueueTimeout(request);
    expect(parsed).toMatchObject({ value: { shape: 'request', originatorConversationId: 'OUT1' } });
    expect(JSON.stringify(parsed)).not.toContain('c2VjcmV0');
    expect(
      parseQueueTimeout({ Result: { ResultCode: '1', OriginatorConversationID: 'OUT1', ConversationID: 'AG_1' } }),
    ).toMatchObject({ value: { shape: 'result', originatorConversationId: 'OUT1', conversationId: 'AG_1' } });
  });
});

describe('a payment by hand (C2B)', () => {
  const BODY = {
    TransactionType: 'Pay Bill',
    TransID: 'RKL51ZDR4F',
    TransTime: '20231121121325',
    TransAmount: '5.00',
    BusinessShortCode: '600966',
    BillRefNumber: ' Sample Transaction ',
    InvoiceNumber: '',
    OrgAccountBalance: '25.00',
    ThirdPartyTransID: '',
    MSISDN: '2547 ***** 126',
    FirstName: 'JOHN',
    MiddleName: '',
    LastName: '',
  };

  test('gives cents, receipt, reference and balance', () => {
    expect(parseC2bPayment(BODY)).toMatchObject({
      value: {
        receipt: 'RKL51ZDR4F',
        amountCents: 500,
        shortcode: '600966',
        accountReference: 'Sample Transaction',
        paidAt: new Date('2023-11-21T09:13:25Z'),
        payerName: 'JOHN',
        balanceCents: 2500,
        payer: '2547***126',
        thirdPartyTransactionId: null,
      },
    });
  });

  test.each([
    ['254708374149', 'same'],
    [254708374149, 'same'],
    ['0708374149 - JOHN DOE', 'same'],
    ['25470****149', 'not_said'],
    ['254708***149', 'same'],
    ['0708***149 - JOHN', 'same'],
    ['254708***150', 'another'],
    ['0712345678 - NAME', 'another'],
    ['bbff37cea44ac0b2d964ee0dfb8d2df8513dc7ba1b36129a929fc3fbd6dd4af4', 'not_said'],
    ['', 'not_said'],
    [undefined, 'not_said'],
    [null, 'not_said'],
  ])('the payer %s of a payment by hand, and of the list, is %s', (shown, sameness) => {
    const parsed = parseC2bPayment({ ...BODY, MSISDN: shown });
    expect(parsed.ok && samePhone(parsed.value.payer, '254708374149')).toBe(sameness);
    const row = { transactionId: 'RKL51ZDR4F', amount: '5.00', billreference: 'A', msisdn: shown };
    const [listed] = parsePulled({ Response: [[row]] }).payments;
    expect(samePhone(listed?.payer, '254708374149')).toBe(sameness);
  });

  test('without a receipt, an amount or a shortcode is not taken', () => {
    const wrongs = [
      { TransID: '' },
      { TransID: 'OA90000000' },
      { TransAmount: '0' },
      { TransAmount: '-5' },
      { BusinessShortCode: '' },
    ];
    expect(wrongs.map((wrong) => parseC2bPayment({ ...BODY, ...wrong }).ok)).toEqual(Array(5).fill(false));
  });

  test('takes whatever was typed as an account number, cut to twenty characters', () => {
    const parsed = parseC2bPayment({ ...BODY, BillRefNumber: `<script>'; drop table ${'x'.repeat(100)}` });
    expect(parsed).toMatchObject({ ok: true, value: { accountReference: "<script>'; drop tabl" } });
  });
});

describe('a balance', () => {
  const result = (value: string, more: object = {}) => ({
    Result: {
      ResultType: '0',
      ResultCode: '0',
      ConversationID: 'AG_1',
      ResultParameters: {
        ResultParameter: [
          { Key: 'AccountBalance', Value: value },
          { Key: 'BOCompletedTime', Value: 20200109125710 },
        ],
      },
      ...more,
    },
  });
  const balanceOf = (body: object) => {
    const read = parseBalanceResult(body);
    return read.ok ? read.value.balance : read.reason;
  };

  test('adds up all accounts, of which that of charges stands below zero', () => {
    const value =
      'Working Account|KES|700000.00|700000.00|0.00|0.00&Utility Account|KES|228037.50|228037.50|0.00|0.00' +
      '&Charges Paid Account|KES|-1540.25|-1540.25|0.00|0.00';
    expect(balanceOf(result(value))).toEqual({
      accounts: [
        { name: 'Working Account', cents: 70_000_000 },
        { name: 'Utility Account', cents: 22_803_750 },
        { name: 'Charges Paid Account', cents: -154_025 },
      ],
      totalCents: 92_649_725,
      completedAt: new Date('2020-01-09T09:57:10Z'),
    });
  });

  test.each([
    '',
    'Working Account|KES|700000.00',
    'Working Account|USD|1.00|1.00|0.00|0.00',
    'Working Account|KES|1e9|1.00|0.00|0.00',
    'Working Account|KES|1.00|1.00|0.00|0.00&Utility Account|KES|--1|1.00|0.00|0.00',
  ])('of which one account makes no sense is none: %s', (value) => {
    expect(balanceOf(result(value))).toBeNull();
  });

  test('that failed names no accounts, whatever else it holds', () => {
    expect(balanceOf(result('Working Account|KES|1.00|1.00|0.00|0.00', { ResultCode: '18' }))).toBeNull();
    expect(balanceOf({})).toBe('no Result');
  });
});
