import type { Random } from '../random.ts';
import { randomText } from './random-texts.ts';

interface Planted {
  readonly phone: string;
  readonly secret: string;
}

const TIMES = [
  '20191219102115',
  '19.12.2019 11:45:50',
  '00000101000000',
  '99991231235959',
  '20261399999999',
  '00010101000000',
];

/** A callback as M-Pesa might send it, with something in it that it would not. */
export function randomBody(random: Random, planted: Planted): unknown {
  if (random.chance(0.05)) return anything(random, planted, 0);
  const parameters = () => itemsOf(random, planted);
  const code = random.pick<unknown>([0, '0', 1032, '00', ' 0', true, null, randomText(random, 'any')]);
  const kind = random.whole(0, 2);
  if (kind === 0) {
    const callback = { CheckoutRequestID: 'ws_CO_1', ResultCode: code, CallbackMetadata: { Item: parameters() } };
    return { Body: { stkCallback: spoilt(random, callback, planted) } };
  }
  if (kind === 1) {
    const result = {
      ResultCode: code,
      TransactionID: 'NLJ41HAY6Q',
      ResultParameters: { ResultParameter: parameters() },
    };
    return { Result: spoilt(random, result, planted) };
  }
  const payment = {
    TransID: 'RKTQDM7W6S',
    TransTime: random.pick(TIMES),
    TransAmount: randomText(random, 'amount'),
    BusinessShortCode: '600638',
    BillRefNumber: randomText(random, 'any'),
    MSISDN: planted.phone,
    FirstName: randomText(random, 'any'),
  };
  return spoilt(random, payment, planted);
}

function itemsOf(random: Random, planted: Planted): unknown {
  const names = ['Amount', 'MpesaReceiptNumber', 'TransactionDate', 'PhoneNumber', 'FinalisedTime', 'InitiatedTime'];
  const more = [
    'DebitPartyName',
    'ReceiptNo',
    'TransactionCompletedDateTime',
    'TransactionAmount',
    'SecurityCredential',
  ];
  const list = Array.from({ length: random.whole(0, 7) }, () => {
    const name = random.pick([...names, ...more]);
    const value = name === 'SecurityCredential' ? planted.secret : itemValue(random, planted);
    return { [random.pick(['Name', 'Key'])]: name, Value: value };
  });
  return random.chance(0.1) ? list[0] : list;
}

function itemValue(random: Random, planted: Planted): unknown {
  const drawn = random.whole(0, 5);
  if (drawn === 0) return randomText(random, 'amount');
  if (drawn === 1) return random.pick(TIMES);
  if (drawn === 2) return `${planted.phone} - Jane Wanjiku`;
  if (drawn === 3) return (random.next() - 0.3) * 10 ** random.whole(0, 20);
  return drawn === 4 ? anything(random, planted, 2) : 'NLJ7RT61SV';
}

/** One field more, one less, or one of another kind. */
function spoilt(random: Random, fields: Readonly<Record<string, unknown>>, planted: Planted): unknown {
  const names = Object.keys(fields);
  const turn = random.whole(0, 3);
  if (turn === 0) return { ...fields, [randomText(random, 'any').slice(0, 80)]: anything(random, planted, 1) };
  if (turn === 1) return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== random.pick(names)));
  if (turn === 2) return { ...fields, [random.pick(names)]: anything(random, planted, 1) };
  return fields;
}

function anything(random: Random, planted: Planted, depth: number): unknown {
  const drawn = depth > 4 ? random.whole(0, 4) : random.whole(0, 7);
  if (drawn === 0) return randomText(random, 'any');
  if (drawn === 1) return (random.next() - 0.5) * 10 ** random.whole(0, 30);
  if (drawn === 2) return random.pick([null, true, false, '', 0, -0]);
  if (drawn === 3) return planted.phone;
  if (drawn === 4) return Number(planted.phone);
  if (drawn === 5) return { Password: planted.secret, a: anything(random, planted, depth + 1) };
  const inner = Array.from({ length: random.whole(0, 4) }, () => anything(random, planted, depth + 1));
  return drawn === 6
    ? inner
    : Object.fromEntries(inner.map((value) => [randomText(random, 'any').slice(0, 40), value]));
}
