import fc from 'fast-check';
import { Fields, ODD_NUMBERS, ODD_TEXTS, OTHER_KINDS, Pooled, putAt } from './values.ts';

/** M-Pesa's bodies as payments.md quotes them, with one thing in them that is not as it should be, or none. */
export function callbackBodies(): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(...ODD_TEXTS, ...ODD_NUMBERS, ...OTHER_KINDS);
  return fc.oneof(
    { arbitrary: fc.constantFrom(...TEMPLATES), weight: 2 },
    { arbitrary: fc.constantFrom(...TEMPLATES).chain((body) => withOne(body, odd)), weight: 5 },
    {
      arbitrary: fc.dictionary(fc.string(), fc.jsonValue()).map((body) => new Fields(Object.entries(body))),
      weight: 1,
    },
  );
}

function withOne(body: Fields, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = placesIn(body);
  return fc.tuple(fc.constantFrom(...places), odd).map(([place, value]) => putAt(body, place, () => value));
}

/** Every place in a body; a list is one of its items. */
function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  const inner = value instanceof Fields ? value.entries : Array.isArray(value) ? [['0', value[0]] as const] : [];
  const below = inner.flatMap(([name, field]) => placesIn(field, [...path, name]));
  return path.length === 0 ? below : [[...path], ...below];
}

function fields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fields);
  if (typeof value !== 'object' || value === null || value instanceof Pooled) return value;
  return new Fields(Object.entries(value).map(([name, inner]) => [name, fields(inner)] as const));
}

/** As one list entry each: `Name` or `Key`, and `Value`. */
const items = (key: 'Name' | 'Key', values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([name, value]) => ({ [key]: name, Value: value }));

/** Each item of the metadata once as the first, since what is put at a list's place is put at its first item. */
function turns(list: readonly object[]): object[][] {
  return list.map((_, index) => [...list.slice(index), ...list.slice(0, index)]);
}

const stk = turns(
  items('Name', {
    Amount: 100,
    MpesaReceiptNumber: 'NLJ7RT61SV',
    TransactionDate: 20191219102115,
    PhoneNumber: 254708374149,
  }),
).map((Item) => ({
  Body: {
    stkCallback: {
      MerchantRequestID: '29115-34620561-1',
      CheckoutRequestID: 'ws_CO_191220191020363925',
      ResultCode: 0,
      ResultDesc: 'Done.',
      CallbackMetadata: { Item },
    },
  },
}));

const result = (parameters: Readonly<Record<string, unknown>>) =>
  turns(items('Key', parameters)).map((ResultParameter) => ({
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ResultDesc: 'Done.',
      OriginatorConversationID: '29112-34801843-1',
      ConversationID: 'AG_20191219_00005797af5d7d75f652',
      TransactionID: 'NLJ41HAY6Q',
      ResultParameters: { ResultParameter },
    },
  }));

const paybill = {
  TransactionType: 'Pay Bill',
  TransID: 'RKTQDM7W6S',
  TransTime: '20191122063845',
  TransAmount: '10',
  BusinessShortCode: '600638',
  BillRefNumber: new Pooled('id_number', 0, 'Q7654321'),
  InvoiceNumber: '',
  OrgAccountBalance: '49197.00',
  ThirdPartyTransID: '',
  MSISDN: '2547*****149',
  FirstName: 'John',
};
/** A receipt counts once, so that each is sent with several. */
const paybills = ['RKTQDM7W6S', 'RKTQDM7W6T', 'RKTQDM7W6U', 'RKTQDM7W6V', 'RKTQDM7W6W', 'RKTQDM7W6X'].map(
  (TransID) => ({
    ...paybill,
    TransID,
  }),
);

const TEMPLATES = [
  ...stk,
  { Body: { stkCallback: { CheckoutRequestID: 'ws_CO_1', ResultCode: 1032, ResultDesc: 'Cancelled' } } },
  ...result({
    TransactionAmount: 10,
    TransactionReceipt: 'NLJ41HAY6Q',
    ReceiverPartyPublicName: '254708374149 - John Doe',
    TransactionCompletedDateTime: '19.12.2019 11:45:50',
    B2CUtilityAccountAvailableFunds: 10116,
  }),
  ...result({
    ReceiptNo: 'NLJ41HAY6Q',
    TransactionStatus: 'Completed',
    Amount: 10,
    InitiatedTime: 20191219114550,
    FinalisedTime: 20191219114550,
    DebitPartyName: '254708374149 - John Doe',
    CreditPartyName: '600638 - Ushirika',
    TransactionReason: 'Pay',
  }),
  ...paybills,
].map((body) => fields(body) as Fields);
