import { execFile } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { answerPrompt, message, openPrompt, payPaybill } from './simulator.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');

/** The people of the journeys: made anew for each, so that journeys do not meet. */
export interface Person {
  readonly first_name: string;
  readonly last_name: string;
  readonly id_number: string;
  /** E.164 digits. */
  readonly phone_number: string;
  readonly email: string;
  readonly password: string;
}

export interface SignedInPerson extends Person {
  readonly id: string;
  readonly token: string;
  /** What the web client keeps as `localStorage.user`. */
  readonly stored: string;
}

export const PASSWORD = 'Ushirika#2026';

/** The worker's own range of people: the server of a run is empty, so nobody meets anybody by chance. */
const firstOfWorker = Number(process.env.TEST_WORKER_INDEX ?? 99) * 2_000;
let made = 0;

export function newPerson(first_name = 'Wanjiku', last_name = 'Njeri'): Person {
  const number = firstOfWorker + made;
  made += 1;
  return {
    first_name,
    last_name,
    id_number: `E${20_000_000 + number}`,
    // The last three digits say nothing to the simulator.
    phone_number: `2547${10_000 + Math.floor(number / 100)}${500 + (number % 100)}`,
    email: `${first_name}.${number}@example.org`.toLowerCase(),
    password: PASSWORD,
  };
}

const TRIES_MAX = 3;

/** Calls the API as the web client does; throws with the server's words when it refuses. */
export async function api<T>(method: string, path: string, options: ApiOptions = {}, tries = 1): Promise<T> {
  const reply = await fetch(`${process.env.E2E_URL}/api/v1${path}`, {
    method,
    headers: {
      ...(options.token ? { Authorization: `Token ${options.token}` } : {}),
      ...(options.sacco ? { saccoId: options.sacco } : {}),
      ...(method === 'GET' ? {} : { 'Idempotency-Key': options.key ?? randomUUID() }),
      ...(options.body && !(options.body instanceof FormData) ? { 'Content-Type': 'application/json' } : {}),
    },
    body: options.body instanceof FormData ? options.body : options.body ? JSON.stringify(options.body) : undefined,
  });
  const text = await reply.text();
  // Nothing was done: two journeys at once on a busy machine may have to come again, as anybody would.
  if (reply.status === 503 && tries < TRIES_MAX) {
    await new Promise((done) => setTimeout(done, 1_000 * Number(reply.headers.get('retry-after') ?? 1)));
    return api<T>(method, path, options, tries + 1);
  }
  if (isOldOperatorSession(reply.status, text, options)) {
    await enterPassword(operator());
    return api<T>(method, path, options);
  }
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  return JSON.parse(text) as T;
}

/** The set-up signed its operator in once, for all journeys: after a quarter of an hour the password is asked for. */
const isOldOperatorSession = (status: number, text: string, { token }: ApiOptions) =>
  status === 403 && text.includes('"proof_required"') && token !== undefined && token === operator().token;

async function enterPassword({ token, password }: SignedInPerson): Promise<void> {
  await api('POST', '/client/password-proof', { token, body: { current_password: password } });
}

interface ApiOptions {
  readonly token?: string;
  readonly sacco?: string;
  readonly body?: FormData | Record<string, unknown>;
  /** The Idempotency-Key; a new one unless told. */
  readonly key?: string;
}

export async function register(person: Person = newPerson(), referal_code = ''): Promise<SignedInPerson> {
  const answer = await api<{ token: string; user: { id: string } }>('POST', '/auth/register/', {
    body: { ...person, referal_code, user_type: 'client' },
  });
  return { ...person, id: answer.user.id, token: answer.token, stored: JSON.stringify(answer) };
}

/** A registered person with this much in the wallet, paid by M-Pesa through the simulator. */
export async function registerWithMoney(
  shillings: number,
  person: Person = newPerson(),
  referal_code = '',
): Promise<SignedInPerson> {
  const member = await register(person, referal_code);
  await topUp(member, shillings);
  return member;
}

/** A registered person whose phone nobody confirmed: the money came by hand, to the account number. */
export async function registerWithMoneyByHand(shillings: number): Promise<SignedInPerson> {
  const member = await register();
  const { account_number } = await api<{ account_number: string }>('GET', '/integrations/mpesa/paybill', member);
  await payPaybill(member.phone_number, shillings, account_number);
  const deadline = performance.now() + 20_000;
  while ((await walletShillingsOf(member)) !== shillings) {
    if (performance.now() > deadline) throw new Error('what was paid by hand was not credited within 20 s');
    await new Promise((done) => setTimeout(done, 100));
  }
  return member;
}

/** Pays money in by M-Pesa, as the person would: prompt, PIN, call-back; waits until it is credited. */
export async function topUp(member: SignedInPerson, amount: number): Promise<void> {
  await confirmPhone(member);
  const { deposit } = await api<{ deposit: { id: string } }>('POST', '/integrations/mpesa/deposit', {
    token: member.token,
    body: { amount, phone: member.phone_number },
  });
  await answerPrompt((await openPrompt(member.phone_number)).id, 'approve');
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    const now = await api<{ status: string }>('GET', `/integrations/mpesa/deposits/${deposit.id}`, member);
    if (now.status === 'paid') return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the top-up was not credited within 20 s');
}

/** The code to confirm a phone as it stands in the SMS, blank and all: so it is pasted. */
export async function phoneCode(member: SignedInPerson): Promise<string> {
  const { text } = await message(member.phone_number, /confirms this phone number/);
  return /: ([\d ]+) confirms/.exec(text)?.[1] ?? '';
}

/** Confirms the phone by its code, where that was not done yet. */
export async function confirmPhone(member: SignedInPerson): Promise<void> {
  const { token } = member;
  const { verified } = await api<{ verified: { phone: boolean } }>('GET', '/client/', { token });
  if (verified.phone) return;
  await api('POST', '/client/phone-confirmation', { token, body: {} });
  await api('POST', '/client/phone-confirmation/code', { token, body: { code: await phoneCode(member) } });
}

/** The code of the SMS that asks somebody to take up an office. */
export async function officeCode(member: SignedInPerson): Promise<string> {
  const { text } = await message(member.phone_number, /you are asked to be/);
  return /enter ([0-9A-Z-]+) within/.exec(text)?.[1] ?? '';
}

/** Takes up the office that the person was asked to, with a confirmed phone. */
export async function acceptOffice(member: SignedInPerson): Promise<void> {
  await confirmPhone(member);
  const code = await officeCode(member);
  const { results } = await api<{ results: { id: string }[] }>('GET', '/client/office-invitations', member);
  const path = `/client/office-invitations/${results[0]?.id}/acceptance`;
  await api('POST', path, { token: member.token, body: { code } });
}

const run = promisify(execFile);

/** An operator, made by the command line as README says, and signed in. */
export async function newOperator(): Promise<SignedInPerson> {
  const person = newPerson('Otieno', 'Opiyo');
  const args = ['server/operator.ts', 'create', '--id-number', person.id_number, '--phone', person.phone_number];
  args.push('--email', person.email, '--first-name', person.first_name, '--last-name', person.last_name);
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR, OPERATOR_PASSWORD: person.password };
  await run(process.execPath, args, { env, cwd: root });
  return signIn(person);
}

/** The operator that the set-up made. Journeys that end sessions make their own. */
export function operator(): SignedInPerson {
  return JSON.parse(process.env.E2E_OPERATOR ?? '') as SignedInPerson;
}

/** The other operator of this worker's journeys: each is made by a program of its own, which takes as long as a page. */
let other: Promise<SignedInPerson> | undefined;
export function secondOperator(): Promise<SignedInPerson> {
  other ??= newOperator();
  return other;
}

/** One operator names an official of a sacco, and a second one confirms it. */
export async function nameAsOperators(
  sacco: { readonly id: string },
  named: { readonly id_number: string; readonly office: string },
): Promise<void> {
  const { token } = await secondOperator();
  await api('POST', `/sacco/${sacco.id}/officials`, { token: operator().token, body: named });
  const { results } = await api<{ results: { id: string; naming: { id_number: string } | null }[] }>(
    'GET',
    '/operator/proposals?limit=100',
    { token },
  );
  const proposal = results.find(({ naming }) => naming?.id_number === named.id_number);
  const body = { reason: 'The minutes say so' };
  await api('POST', `/operator/proposals/${proposal?.id}/confirmation`, { token, body });
}

export async function signIn(person: Person): Promise<SignedInPerson> {
  const answer = await api<{ token: string; user: { id: string } }>('POST', '/auth/login/', {
    body: { id_number: person.id_number, password: person.password, user_type: 'client' },
  });
  return { ...person, id: answer.user.id, token: answer.token, stored: JSON.stringify(answer) };
}

export interface Sacco {
  readonly id: string;
  readonly name: string;
  readonly reg_fee: number;
  readonly min_shares: number;
  readonly share_value: number;
}

/** A sacco registered by a founder: inactive until an operator activates it. */
export async function registerSacco(
  founder: SignedInPerson,
  name = `Journey Sacco ${randomInt(1e5, 1e6)}`,
): Promise<Sacco> {
  const form = new FormData();
  const terms = { reg_fee: 500, min_shares: 10, share_value: 100 };
  const fields = {
    name,
    description: 'Traders of the morning market.',
    reg_no: `CS/${randomInt(1e6, 1e7)}`,
    created_by: founder.id,
  };
  for (const [field, value] of Object.entries({ ...fields, ...terms })) form.set(field, String(value));
  const { sacco } = await api<{ sacco: Sacco }>('POST', '/sacco/create', { token: founder.token, body: form });
  return sacco;
}

/** Who founds the saccos of this worker of whose founder nobody asks anything. */
let anyFounder: Promise<SignedInPerson> | undefined;

/** A sacco that anyone may join: 500 to join, 100 a share, 10 shares at least. */
export async function activeSacco(founder?: SignedInPerson): Promise<Sacco> {
  if (!founder) anyFounder ??= register(newPerson('Faith', 'Mutua'));
  const sacco = await registerSacco(founder ?? ((await anyFounder) as SignedInPerson));
  await api('POST', `/operator/saccos/${sacco.id}/activation`, {
    token: operator().token,
    body: { reason: 'Papers seen for the journey' },
  });
  return sacco;
}

export async function join(member: SignedInPerson, sacco: Sacco): Promise<void> {
  const { reg_fee, min_shares, share_value } = sacco;
  await api('POST', '/sacco/members/join', {
    token: member.token,
    body: { sacco: sacco.id, reg_fee, min_shares, share_value, total: reg_fee },
  });
}

export async function buyShares(member: SignedInPerson, sacco: Sacco, shares: number): Promise<void> {
  await api('POST', '/sacco/members/pay_shares_amount', {
    token: member.token,
    body: { sacco: sacco.id, shares, amount: shares * sacco.share_value },
  });
}

/** Whether the server still knows the token. */
export function isSignedIn({ token }: SignedInPerson): Promise<boolean> {
  return api('GET', '/client/', { token }).then(
    () => true,
    () => false,
  );
}

/** What the six fields of a new pool say, by their names on the wire. */
export const POOL_TERMS = {
  min_contribution: '1000',
  min_contribution_perc: '10',
  min_member_period: '30',
  base_risk_percentage: '3.5',
  risk_weight_factor: '1.5',
  min_trust_score: '40',
};

export const newPoolName = () => `Pool ${randomUUID().slice(0, 6)}`;

/** A pool that members of any sacco may join, or of one sacco; its terms are `POOL_TERMS` but for those that are named. */
export async function createPool(
  { token }: SignedInPerson,
  name = newPoolName(),
  { sacco, terms = {} }: { sacco?: Sacco; terms?: Partial<typeof POOL_TERMS> } = {},
): Promise<Pool> {
  const { pool } = await api<{ pool: { id: string } }>('POST', '/guarantors/pools', {
    token,
    ...(sacco ? { sacco: sacco.id } : {}),
    body: { name, ...POOL_TERMS, ...terms },
  });
  return { id: pool.id, name };
}

export interface Pool {
  readonly id: string;
  readonly name: string;
}

/** What is in a person's wallet, by the server's books. */
export async function walletShillingsOf(member: SignedInPerson): Promise<number> {
  const { wallet } = await api<{ wallet: { amount: number } }>('GET', '/client/', member);
  return wallet.amount;
}

/** Fills the form of the sign-in page, and sends it. */
export async function signInOnPage(page: Page, person: Person, password = person.password): Promise<void> {
  await page.getByLabel('ID Number').fill(person.id_number);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** As every answer of the server has them. A page without them is drawn by another process than ours. */
const OUR_HEADERS = { 'cross-origin-opener-policy': 'same-origin', 'origin-agent-cluster': '?1' };

/**
 * An empty page of our origin, where a journey can lay things into the browser's storage before the web client
 * starts. Were it another process's, what it stores would reach the web client a moment later: now and then too late.
 */
export async function openNothing(page: Page): Promise<void> {
  const nothing = '**/nothing-for-journeys';
  await page.route(nothing, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: OUR_HEADERS,
      body: '<!doctype html><title>Nothing</title><link rel=icon href=data:,>',
    }),
  );
  await page.goto('/nothing-for-journeys');
  await page.unroute(nothing);
}

/** When this worker last entered the shared operator's password. */
let operatorProvenAt = Number.NEGATIVE_INFINITY;
const PROOF_LASTS = 10 * 60_000;

/**
 * Puts a person's session into the browser, as signing in does, without the form: the next document that the page loads
 * finds it in its storage before the web client starts.
 */
export async function becomeSignedIn(page: Page, member: SignedInPerson, sacco?: Sacco): Promise<void> {
  if (process.env.E2E_OPERATOR && member.token === operator().token) await proveOperator();
  const laid = await page.addInitScript(
    ([user, chosen]) => {
      localStorage.setItem('user', user as string);
      if (chosen) localStorage.setItem('sacco', chosen);
    },
    [member.stored, sacco ? JSON.stringify(sacco) : ''],
  );
  // The one after it finds what the web client left there.
  page.once('domcontentloaded', () => void laid.dispose());
}

async function proveOperator(): Promise<void> {
  if (performance.now() - operatorProvenAt < PROOF_LASTS) return;
  await enterPassword(operator());
  operatorProvenAt = performance.now();
}
