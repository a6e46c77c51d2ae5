import { tlogProofOf } from '@ushirika/verifier/receipt';
import { expect, test } from 'vitest';
import { receiptPdf } from '../receipts/receipt-pdf.ts';
import { readFile, readText } from './read-given.ts';
import { codeOf, PDF_MEMBER, readReceipt, receiptIn } from './saved-receipt.ts';
import { testLog } from './test-receipts.ts';
import { troubleWords } from './trouble-words.ts';

const log = await testLog('ushirika.test/log/platform', [
  {
    kind: 'wallet_topped_up',
    sides: [{ account: 7, kind: 'wallet', transfer: 1, side: 'credit', amount: 1, after: 1 }],
  },
  { kind: 'sacco_joined', sides: [{ account: 7, kind: 'wallet', transfer: 2, side: 'debit', amount: 1, after: 0 }] },
]);
const receipt = await log.receipt(1);
const saved = receiptIn(receipt);

test('a receipt is read from its JSON, from a .tlog-proof, from an address and from the code alone', async () => {
  expect(saved).not.toBeNull();
  expect(await readReceipt(JSON.stringify(receipt, null, 2))).toEqual(saved);
  expect(await readReceipt(` \n${tlogProofOf(receipt).trimEnd()}`)).toEqual(saved);
  const code = await codeOf(receipt);
  expect(await readReceipt(`https://ushirika.test/verify#r=${code}`)).toEqual(saved);
  expect(await readReceipt(code)).toEqual(saved);
});

test('a receipt is read with words before and after it, and a code with blanks and broken lines', async () => {
  const code = await codeOf(receipt);
  const address = `https://ushirika.test/verify#r=${code}`;
  const broken = (code.match(/.{1,70}/g) ?? []).join('\r\n  ');
  for (const text of [
    `Habari, risiti yangu:\n${JSON.stringify(receipt, null, 2)}\nAsante.`,
    `My proof:\r\n${tlogProofOf(receipt).replaceAll('\n', '\r\n')}`,
    `See ${address} and tell me`,
    `<${address}>`,
    address.replace('#', '%23'),
    `https://ushirika.test/verify#r=${broken}`,
    `https://ushirika.test/verify#r=${broken}\nsent from my phone`,
    ` ${broken} `,
    `${code.slice(0, 50)}\u200b${code.slice(50)}`,
  ]) {
    expect(await readReceipt(text), text.slice(0, 60)).toEqual(saved);
  }
});

test('a receipt is read from the PDF of its proof', async () => {
  const paper = { mark: 'In the log', what: 'Top-up', amount: null, facts: [] };
  const pdf = receiptPdf(paper, 'Receipt', [], `${PDF_MEMBER} (${await codeOf(receipt)})`);
  expect(await readFile(new File([pdf], 'proof.pdf', { type: 'application/pdf' }))).toEqual({ receipt: saved });
});

test('what cannot be checked is answered by the sentence that fits it, and by none that accuses', async () => {
  const paper = { mark: 'In the books', what: 'Top-up', amount: '+ Ksh. 5.00', facts: [] };
  const code = await codeOf(receipt);
  const troubles: [text: string, trouble: string][] = [
    ['', 'empty'],
    ['  \n', 'empty'],
    [String.fromCharCode(...receiptPdf(paper, 'Receipt')), 'plain_pdf'],
    ['U-002625-Z0', 'number'],
    ['2625', 'number'],
    ['Ushirika\nTop-up\nKsh. 500.00\nEntry in the books: 2625', 'copied'],
    ['My receipt U-002625-Z0 of yesterday', 'copied'],
    [`https://ushirika.test/verify#r=${code.slice(0, -20)}`, 'cut_off'],
    ['https://ushirika.test/verify#r=', 'cut_off'],
    [code.slice(0, 90), 'cut_off'],
    [code.slice(90), 'cut_off'],
    [JSON.stringify(receipt).slice(0, -1), 'cut_off'],
    [tlogProofOf(receipt).slice(0, 200), 'cut_off'],
    ['hello, is this the page where I check?', 'unknown'],
    ['{"any": "json"}', 'unknown'],
  ];
  for (const [text, trouble] of troubles) {
    expect(await readText(text), text.slice(0, 60)).toEqual({ trouble });
    expect(troubleWords[trouble as keyof typeof troubleWords]()).not.toMatch(/of ours|fake|forged/);
  }
  for (const trouble of ['plain_pdf', 'no_code'] as const) {
    expect(troubleWords[trouble]()).toMatch(
      /of a receipt cannot be checked here.*press Proof, and on that page Save as PDF/,
    );
  }
  expect(await readFile(new File([], 'nothing.json'))).toEqual({ trouble: 'empty' });
  expect(await readFile(new File([new Uint8Array([0x50, 0x4b, 3, 4])], 'a.zip'))).toEqual({ trouble: 'unknown' });
});

test('what is no receipt is not read: other texts, other JSON, a file about another entry, a code cut short', async () => {
  const code = await codeOf(receipt);
  const ofAnother = tlogProofOf(receipt).replace('\nindex 1\n', '\nindex 0\n');
  const { entry, ...noEntry } = receipt;
  for (const text of [
    '',
    'hello',
    '{}',
    '[1]',
    'null',
    JSON.stringify({ ...receipt, type: 'other/1' }),
    JSON.stringify(noEntry),
    JSON.stringify({ ...receipt, entry: { ...entry, i: 'one' } }),
    JSON.stringify({ ...receipt, inclusion: 'x' }),
    JSON.stringify({ ...receipt, anchor: {} }),
    JSON.stringify(receipt).slice(0, -1),
    ofAnother,
    code.slice(0, 80),
    `https://ushirika.test/verify#r=${code.slice(1)}`,
  ]) {
    expect(await readReceipt(text), text.slice(0, 60)).toBeNull();
  }
});

test('a short code that would fill the memory is refused', async () => {
  const bomb = await codeOf({ ...receipt, filler: 'a'.repeat(2_000_000) });
  expect(bomb.length).toBeLessThan(5_000);
  expect(await readReceipt(bomb)).toBeNull();
});
