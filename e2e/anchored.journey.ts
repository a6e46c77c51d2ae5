import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalChain, prepareLocalChain, startLocalChain } from '../server/gateways/chain/local-chain.ts';
import { place, shareholder } from './support/market.ts';
import { activeSacco, becomeSignedIn, newOperator, register } from './support/people.ts';
import { type RunningServer, startServer } from './support/server.ts';
import { expect, expectGood, test } from './support/test.ts';
import { checkPasted, chooseFile, expectStates, savedFile, verdict } from './support/verify.ts';

/* The whole way of a proof, on a server whose logs are anchored on a chain: what is traded can be checked without that server. */

const shared = { url: process.env.E2E_URL, folder: process.env.E2E_DATA_DIR, operator: process.env.E2E_OPERATOR };
const ANCHORED_WITHIN = 120_000;
let chain: LocalChain;
let contract: string;
let server: RunningServer;

test.beforeAll(async () => {
  chain = await startLocalChain(null);
  const settings = await prepareLocalChain(chain, null);
  contract = settings.contract.toLowerCase();
  server = await startServer({
    env: {
      CHAIN_RPC_URL: settings.rpcUrl,
      CHAIN_PRIVATE_KEY: settings.privateKey,
      CHAIN_ID: String(settings.chainId),
      CHAIN_CONTRACT: settings.contract,
      CHAIN_PUBLIC_RPC_URL: settings.rpcUrl,
      CHAIN_EVERY_SECONDS: '10',
    },
  });
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataFolder;
  process.env.E2E_OPERATOR = JSON.stringify(await newOperator());
});

test.afterAll(async () => {
  process.env.E2E_URL = shared.url;
  process.env.E2E_DATA_DIR = shared.folder;
  process.env.E2E_OPERATOR = shared.operator;
  await server.stop();
  await chain.stop();
  await rm(server.dataFolder, { recursive: true, force: true });
});

const verifier = (...args: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, ['verifier/src/cli.ts', ...args], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr });
    });
  });

test('a trade, its contract note, its anchor: everything is right; one byte changed is found by its step, and the server is not needed', async ({
  page,
}) => {
  test.setTimeout(ANCHORED_WITHIN + 60_000);
  // A founder of this server: the one that journeys share is of theirs.
  const sacco = await activeSacco(await register());
  const seller = await shareholder(sacco);
  await place(seller, sacco, 'sell', 5, 98);
  const buyer = await shareholder(sacco);
  await becomeSignedIn(page, buyer, sacco);
  await page.goto('/client');
  await page.getByRole('main').getByRole('button', { name: 'Buy Shares' }).click();
  const dialog = page.getByRole('dialog', { name: 'Buy Shares' });
  await dialog.getByLabel('Shares').fill('5');
  await dialog.getByRole('radio', { name: 'From members' }).check();
  await dialog.getByRole('button', { name: 'Buy Shares' }).click();
  await dialog.getByRole('button', { name: '5 at Ksh. 98.00' }).click();
  await page.getByRole('dialog', { name: 'Contract note' }).getByRole('link', { name: 'Proof' }).click();
  await expect(page.getByRole('region', { name: 'What the receipt says' })).toContainText(
    'Shares bought from a member',
    {
      timeout: ANCHORED_WITHIN,
    },
  );
  // The page asks again by itself until the entry is signed; a later reading brings the anchor.
  await expect(async () => {
    await page.reload();
    await expectStates(page, { same_history: 'passed' }, 5_000);
    await page.getByText('Details for other programs').click();
    await expect(page.getByText(contract, { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: ANCHORED_WITHIN });
  const file = await savedFile(page, 'Save as JSON', 'Other ways to save');
  await page.getByRole('button', { name: 'Show QR code' }).click();
  const code = await page.getByRole('img', { name: 'QR code of the proof' }).screenshot({ scale: 'css' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Check with the chain' }).click();
  const all = { opened: 'passed', in_log: 'passed', signed: 'passed', same_history: 'passed', on_chain: 'passed' };
  await expectStates(page, all as Parameters<typeof expectStates>[1]);
  await expect(verdict(page).getByRole('heading')).toHaveText('This receipt is right');
  await expect(verdict(page)).toContainText('it proves nothing to others');
  await expectGood(page);

  // A code has no room for the writing on the chain: the page asks for it.
  await page.goto('/verify');
  await chooseFile(page, 'code.png', code, 'image/png');
  await expectStates(page, all as Parameters<typeof expectStates>[1]);

  // One byte of each part, flipped.
  const receipt = JSON.parse(file.toString());
  const root = Buffer.from(receipt.anchor.root, 'base64');
  root[0] = (root[0] ?? 0) ^ 1;
  const text = file.toString();
  const flipped: [what: string, changed: string, step: string][] = [
    ['an amount', text.replace(/"amount": \d/, '"amount": 9'), 'opened'],
    ['the hour', text.replace(/"t": "20/, '"t": "10'), 'in_log'],
    ['the signature', text.replace(/(— \S+ \S{20})./, '$1A'), 'signed'],
    // The signed head has the same root, and stands before it.
    ['the root on the chain', changedLast(text, receipt.anchor.root, root.toString('base64')), 'same_history'],
  ];
  for (const [what, changed, step] of flipped) {
    expect(changed, what).not.toBe(text);
    await checkPasted(page, changed);
    await expectStates(page, { [step]: 'failed' });
    await expect(verdict(page).getByRole('heading')).toHaveText('Do not trust this receipt');
  }

  // Without the server: an open page asks the chain alone, and so does the program that a member keeps.
  await page.goto('/verify');
  const key = String(receipt.key);
  await server.kill();
  await chooseFile(page, 'receipt.json', file);
  await expectStates(page, { opened: 'passed', in_log: 'passed', signed: 'passed', same_history: 'passed' });
  await page.getByText('The chain’s server').first().click();
  await page.getByLabel('Address').fill(chain.rpcUrl);
  await page.getByRole('button', { name: 'Ask this one' }).click();
  await expectStates(page, { on_chain: 'passed' });
  const folder = await mkdtemp(join(tmpdir(), 'ushirika-receipt-'));
  try {
    const at = join(folder, 'receipt.json');
    const asked = ['--key', key, '--rpc', chain.rpcUrl, '--contract', contract];
    await writeFile(at, file);
    expect(await verifier('receipt', at, ...asked)).toMatchObject({ code: 0 });
    await writeFile(at, (await readFile(at, 'utf8')).replace(/"amount": \d/, '"amount": 9'));
    const wrong = await verifier('receipt', at, ...asked);
    expect(wrong.code).toBe(1);
    expect(wrong.said).toMatch(/^FAILED +The facts/m);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The text with the last place of a word changed. */
function changedLast(text: string, word: string, other: string): string {
  const at = text.lastIndexOf(word);
  return text.slice(0, at) + other + text.slice(at + word.length);
}
