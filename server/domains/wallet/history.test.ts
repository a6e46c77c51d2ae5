import { inflateSync } from 'node:zlib';
import { ENGLISH_WORDS } from '@ushirika/contract/test-texts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postOrRefuse } from '../../ledger/post.ts';
import { moneyJournal, mpesaFloat, wallet } from './receipts.ts';
import { statementCsv, statementName, statementOf } from './statement.ts';
import { latin, statementPdf } from './statement-pdf.ts';
import { type Person, type WalletWorld, walletWorld } from './test-wallet.ts';

let world: WalletWorld;
beforeAll(async () => {
  world = await walletWorld();
});
afterAll(async () => {
  await world.audit();
  await world.close();
});

const DAY = 86_400_000;

/** A person with money in and out on three days: 100, 250 and, on the third, 40 out. */
async function busyPerson(): Promise<Person> {
  const person = await world.person();
  const topUp = (amount: number) =>
    world.database.transaction((tx) => {
      const about = { type: 'deposit', id: tx.newId() };
      return postOrRefuse(
        tx,
        moneyJournal('wallet_topped_up', about, person.id, mpesaFloat, wallet(person.id), amount),
      );
    });
  world.database.world.setNow(new Date('2026-04-01T06:00:00Z'));
  await topUp(10_000);
  world.database.world.advance(DAY);
  await topUp(25_000);
  world.database.world.advance(DAY);
  await world.as(person, 'POST', '/integrations/mpesa/withdraw', { amount: 40, phone: person.phone });
  await world.settle();
  return person;
}

test('the history is in pages, newest first, with the balance after each movement', async () => {
  const person = await busyPerson();
  const first = await world.as(person, 'GET', '/client/transactions?limit=2');
  expect(first.body).toMatchObject({
    count: 3,
    results: [
      { kind: 'withdrawal', direction: 'out', amount: 40, balance: 310, receipt: expect.any(String) },
      { kind: 'top_up', direction: 'in', amount: 250, balance: 350 },
    ],
  });
  const next = new URL(first.body.next);
  const second = await world.as(person, 'GET', `${next.pathname.replace('/api/v1', '')}${next.search}`);
  expect(second.body).toMatchObject({ next: null, results: [{ amount: 100, balance: 100 }] });
});

test('the history can be filtered by kind and by days in Nairobi', async () => {
  const person = await busyPerson();
  const read = async (query: string) => (await world.as(person, 'GET', `/client/transactions?${query}`)).body;
  expect(await read('kind=withdrawal')).toMatchObject({ count: 1, results: [{ amount: 40 }] });
  expect(await read('from=2026-04-02&to=2026-04-02')).toMatchObject({ count: 1, results: [{ amount: 250 }] });
  expect(await read('kind=shares')).toMatchObject({ count: 0, results: [] });
  expect(await read('from=soon')).toMatchObject({ code: 'validation_failed' });
  expect(await read('cursor=bottom')).toMatchObject({ code: 'validation_failed' });
});

test('a statement begins with the opening balance, lists every movement, and ends with the closing balance', async () => {
  const person = await busyPerson();
  const statement = await statementOf(world.deps, person.id, { from: '2026-04-02', to: '2026-04-03' });
  expect(statement).toMatchObject({ openingCents: 10_000, inCents: 25_000, outCents: 4_000, closingCents: 31_000 });
  const csv = statementCsv(statement, 'en').toString('utf8');
  const lines = csv.replace('\ufeff', '').trimEnd().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[1]).toBe('2026-04-02,Opening balance,,,,100.00');
  expect(lines[2]).toBe('2026-04-02 09:00,Top-up by M-Pesa,,250.00,,350.00');
  expect(lines[4]).toBe('2026-04-03,Closing balance,,,,310.00');
});

test('a statement in Swahili has no English in it, as CSV and as PDF, and a Swahili file name', async () => {
  const person = await busyPerson();
  const statement = await statementOf(world.deps, person.id, { from: '2026-04-02', to: '2026-04-03' });
  const [heading, opening, first] = statementCsv(statement, 'sw').toString('utf8').replace('\ufeff', '').split('\r\n');
  expect(heading).toBe('Tarehe (Nairobi),Maelezo,Risiti ya M-Pesa,Pesa zilizoingia,Pesa zilizotoka,Salio');
  expect(opening).toBe('2026-04-02,Salio la kuanzia,,,,100.00');
  expect(first).toBe('2026-04-02 09:00,Uwekaji pesa kwa M-Pesa,,250.00,,350.00');
  const words = textOfPdf(await statementPdf(statement, 'sw'));
  expect(words).toContain('Taarifa ya pochi');
  expect(words).toContain('Alhamisi, 2 Aprili 2026 hadi Ijumaa, 3 Aprili 2026');
  expect(words).toContain('Ukurasa 1 kati ya 1');
  expect(words).not.toMatch(ENGLISH_WORDS);
  expect(textOfPdf(await statementPdf(statement, 'en'))).toMatch(ENGLISH_WORDS);
  expect(statementName(statement, 'sw')).toBe('ushirika-taarifa-2026-04-02-hadi-2026-04-03');
});

/** The texts of a PDF that we made: they are in compressed streams, as pieces of hexadecimal Latin letters. */
function textOfPdf(pdf: Buffer): string {
  const streams = pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  const drawn = [...streams].map(([, packed = '']) => inflateSync(Buffer.from(packed, 'latin1')).toString('latin1'));
  const lines = drawn.join('\n').matchAll(/\[(.*?)\] TJ/g);
  const lettersOf = (pieces: string) => [...pieces.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => hex).join('');
  return [...lines].map(([, pieces = '']) => Buffer.from(lettersOf(pieces), 'hex').toString('latin1')).join('\n');
}

test('a statement comes as a PDF or a CSV file; a span that is backwards or too long is refused', async () => {
  const person = await busyPerson();
  const get = async (query: string) => {
    const headers = { authorization: `Token ${person.id}` };
    const response = await fetch(`${world.walletOrigin}/api/v1/client/statement?${query}`, { headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const pdf = await get('from=2026-04-01&to=2026-04-03');
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
  expect(pdf.headers.get('content-disposition')).toContain('ushirika-statement-2026-04-01-to-2026-04-03.pdf');
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const csv = await get('from=2026-04-01&to=2026-04-03&format=csv');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect((await get('from=2026-04-03&to=2026-04-01')).status).toBe(400);
  expect((await get('from=2024-04-03&to=2026-04-01')).status).toBe(400);
});

test.each([
  ['አበበ ቢቂላ', "'abebe bik'ila"],
  ['Wanjikũ Mũthoni', 'Wanjiku Muthoni'],
  ['Тарас', 'Taras'],
  ['नरेंद्र', 'nremdr'],
])('a name that the font of the PDF lacks, %s, is written in Latin letters (field case P4)', (name, written) => {
  expect(latin(name)).toBe(written);
});

test('a receipt says what, how much and when, can be shared as text, and is shown to its owner only', async () => {
  const [person, stranger] = [await busyPerson(), await world.person()];
  const { body } = await world.as(person, 'GET', '/client/transactions');
  const { journal, receipt } = body.results[0];
  const own = await world.as(person, 'GET', `/client/receipts/${journal}`);
  expect(own.body).toMatchObject({ kind: 'withdrawal', direction: 'out', amount: 40, receipt });
  expect(own.body.text).toContain(own.body.reference);
  expect(own.body.text).toContain('Ksh. 40.00 out of the wallet');
  const inSwahili = await fetch(`${world.walletOrigin}/api/v1/client/receipts/${journal}`, {
    headers: { authorization: `Token ${person.id}`, 'accept-language': 'sw' },
  });
  const { title, text } = (await inSwahili.json()) as { title: string; text: string };
  expect(title).toMatch(/^Utoaji pesa kwenda M-Pesa, 2547/);
  expect(text).toContain('Ksh. 40.00 zilitoka kwenye pochi');
  expect(text).not.toMatch(ENGLISH_WORDS);
  const theirs = await world.as(stranger, 'GET', `/client/receipts/${journal}`);
  const none = await world.as(stranger, 'GET', '/client/receipts/999999999');
  expect(theirs).toEqual(none);
  expect(theirs.status).toBe(404);
  expect((await world.as(person, 'GET', '/client/receipts/1;drop')).status).toBe(404);
});

test('a person who is connected is told in their own language why a top-up failed', async () => {
  const person = await world.person();
  const heard: string[] = [];
  const controller = new AbortController();
  const stream = await fetch(`${world.walletOrigin}/api/v1/client/live`, {
    headers: { authorization: `Token ${person.id}`, 'accept-language': 'sw' },
    signal: controller.signal,
  });
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) heard.push(Buffer.from(chunk).toString());
  })().catch(() => {});
  await world.as(person, 'POST', '/integrations/mpesa/deposit', { amount: 73, phone: person.phone });
  await world.settle();
  await world.answerPrompt(person.phone, 'cancel');
  await world.settle();
  await expect.poll(() => heard.join('')).toMatch(/"amount":73.*"text":"Ombi limekataliwa kwenye simu/);
  controller.abort();
  await reading;
});

test('a person who is connected is told of changes of their own money, and of nobody else’s', async () => {
  const [person, stranger] = [await world.person(), await world.person()];
  const heard: string[] = [];
  const controller = new AbortController();
  const stream = await fetch(`${world.walletOrigin}/api/v1/client/live`, {
    headers: { authorization: `Token ${person.id}` },
    signal: controller.signal,
  });
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) heard.push(Buffer.from(chunk).toString());
  })().catch(() => {});
  for (const [who, amount] of [
    [stranger, 71],
    [person, 72],
  ] as const) {
    await world.as(who, 'POST', '/integrations/mpesa/deposit', { amount, phone: who.phone });
    await world.settle();
    await world.answerPrompt(who.phone, 'approve');
    await world.settle();
  }
  await expect.poll(() => heard.join('')).toContain('"status":"paid","amount":72');
  await expect.poll(() => heard.join('')).toContain('event: wallet\ndata: {"amount":72,"held":0,"available":72}');
  expect(heard.join('')).not.toContain('"amount":71');
  controller.abort();
  await reading;
});
