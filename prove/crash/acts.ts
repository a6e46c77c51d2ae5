import postgres from 'postgres';
import { openDatabase } from '../../server/db/database.ts';
import type { Database } from '../../server/db/tx.ts';
import { grantOperator } from '../../server/domains/identity/operators.ts';
import { activateSacco } from '../../server/domains/saccos/activate-sacco.ts';
import { registerSacco } from '../../server/domains/saccos/register-sacco.ts';
import { PLATFORM_BOOK } from '../../server/ledger/ledger.types.ts';
import { postOrRefuse } from '../../server/ledger/post.ts';
import { PASSWORD } from '../support/product.ts';
import { sleep } from '../support/waiting.ts';
import { LENT_CENTS, type Lent, lendTo, loanActs, POOLED_CENTS } from './loan-acts.ts';

export const FUNDS_CENTS = 600_000_00;
const SHARE_CENTS = 100_00;
const JOINING_CENTS = 500_00;
/** Shares that everybody has from the beginning, to sell. */
const STOCK = 1_000;
/** What everybody has paid before anything happens: a joining, a purchase and a first deposit in a pool; less what was lent to them. */
export const SPENT_BEFORE_CENTS = JOINING_CENTS + STOCK * SHARE_CENTS + POOLED_CENTS - LENT_CENTS;
export const ACTS_BEFORE = 3;

interface Person {
  readonly id: string;
  readonly token: string;
  readonly phone: string;
}

/** Somebody with a loan of their first sacco and a position in its pool. */
export type Member = Person & Lent;

/** What somebody asked for once: its key names it, so that it may be asked for again after a crash. */
export interface Act {
  readonly member: Member;
  readonly kind:
    | 'save'
    | 'buy'
    | 'withdraw'
    | 'deposit'
    | 'join'
    | 'offer'
    | 'bid'
    | 'take'
    | 'cancel'
    | keyof typeof loanActs;
  readonly path: string;
  /** None for a cancellation, which goes by its address alone. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** What it takes out of the wallet for good; what orders move, their trades say. */
  readonly cents: number;
  readonly key: string;
  /** The status of each answer that came; none where the server died before it answered. */
  readonly answers: number[];
  /** What the first good answer gave it, by which the books know it. */
  acknowledged: string | null;
  /** Another answer gave it another name: it happened twice. */
  isDoubled: boolean;
  isSettled: boolean;
}

/** People of two saccos with money, on a server that runs. `ownerUrl` leads to its database past it. */
export interface Scene {
  readonly members: readonly Member[];
  readonly saccoIds: readonly string[];
}

export async function prepareScene(url: string, ownerUrl: string, count: number): Promise<Scene> {
  const database = openDatabase({ url: ownerUrl, poolSize: 2 });
  try {
    const people: Person[] = [];
    for (let index = 0; index < count + 2; index += 1) people.push(await register(url, index));
    const [founder, operator, ...joiners] = people as [Person, Person, ...Person[]];
    await database.transaction((tx) => grantOperator(tx, operator.id));
    const saccoIds: string[] = [];
    for (const name of ['Umoja', 'Tumaini']) {
      const { id } = await database.transaction((tx) => registerSacco(tx, { userId: founder.id }, particularsOf(name)));
      const activation = { saccoId: id, reason: 'Looked at.', strict: false };
      await database.transaction((tx) => activateSacco(tx, { userId: operator.id }, activation));
      saccoIds.push(id);
    }
    for (const member of joiners) {
      await database.sql`update users set phone_confirmed_at = ${database.now()} where id = ${member.id}`;
      await letPrompt(database, member.id);
      await database.transaction((tx) => postOrRefuse(tx, fundsFor(member.id)));
      await insist(url, member, '/sacco/members/join', joining(saccoIds[0] as string), `first-${member.id}`);
      const stock = { sacco: saccoIds[0], shares: STOCK, amount: (STOCK * SHARE_CENTS) / 100 };
      await insist(url, member, '/sacco/members/pay_shares_amount', stock, `stock-${member.id}`);
    }
    const members = await lendTo(ownerUrl, joiners, saccoIds[0] as string, (member, body) =>
      insist(url, member, '/guarantors/pools/join', body, `pool-${member.id}`),
    );
    return { members, saccoIds };
  } finally {
    await database.close();
  }
}

function particularsOf(name: string) {
  return {
    name: `${name} Sacco`,
    description: 'For the day on which the light goes out.',
    regNo: `CS/${name}`,
    regFeeCents: JOINING_CENTS,
    minShares: 1,
    shareValueCents: SHARE_CENTS,
    type: 'sacco',
    logo: null,
  } as const;
}

function fundsFor(id: string) {
  const transfer = {
    debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
    credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: id },
    amount: FUNDS_CENTS,
  } as const;
  return {
    kind: 'wallet_topped_up',
    idempotencyKey: `crash_funds:${id}`,
    causedBy: id,
    about: { type: 'test', id },
    transfers: [transfer],
  } as const;
}

/** Registers somebody; whom nobody knows to be registered stays a stranger, and another one is. */
async function register(url: string, index: number): Promise<Person> {
  const phone = `2547110${String(index).padStart(5, '0')}`;
  const response = await fetch(`${url}/auth/register/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      first_name: 'Wanjiru',
      // An official may not have an operator's name.
      last_name: `Kamau ${[...String(index)].map((digit) => 'bcdfghkmps'[Number(digit)]).join('')}`,
      id_number: `K${1_000_000 + index}`,
      phone_number: phone,
      email: `kill${index}@example.test`,
      password: PASSWORD,
      user_type: 'client',
    }),
  });
  if (response.status >= 500 && index < 10_000) return register(url, index + 100);
  if (response.status !== 201) throw new Error(`Nobody was registered: ${await response.text()}`);
  const body = (await response.json()) as { token: string; user: { id: string } };
  return { id: body.user.id, token: body.token, phone };
}

/** What has to be done before anything happens. A server with faults may have some by then: it is asked again with the same key. */
async function insist(url: string, person: Person, path: string, body: object, key: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const answer = await send(url, person, path, body, key);
    if (answer && answer.status < 300) return;
    if (answer && answer.status < 500) throw new Error(`${path} was refused: ${answer.text}`);
    await sleep(50);
  }
  throw new Error(`${path} was not done in 50 tries.`);
}

/** Phones whose holders have agreed to prompts; there are as many as a member has top-ups in an hour, and more. */
const PROMPTED_PHONES = 97;
const promptedPhone = (count: number) => `25479${9_000_000 - (count % PROMPTED_PHONES)}`;

async function letPrompt(database: Database, userId: string): Promise<void> {
  const now = database.now();
  await database.sql`
    insert into prompt_consents (id, user_id, phone, code_hash, created_at, expires_at, given_at)
    select gen_random_uuid(), ${userId}, phone, repeat('a', 43), ${now}, ${new Date(now.getTime() + 1)}, ${now}
    from unnest(${Array.from({ length: PROMPTED_PHONES }, (_, count) => promptedPhone(count))}::text[]) phone`;
}

const joining = (sacco: string) => ({ sacco, reg_fee: 500, min_shares: 1, share_value: 100, total: 500 });

export type Kind = Act['kind'];

const ORDERS = '/sacco/order-book-items';

/** An order of so many shares; some prices meet one another, and some do not. */
function orderOf(side: 'sell' | 'buy', sacco: string, count: number, shares = 1) {
  return { sacco, side, shares, price: 99 + (count % 3) };
}

/** An offer that many orders can be met from. */
export function largeOffer(member: Member, saccoIds: readonly string[], count: number): Act {
  const act = actOf('offer', member, saccoIds, count);
  return { ...act, body: { ...orderOf('sell', saccoIds[0] as string, 0, 800), price: 99 } };
}

/** More than anybody bids. */
const STANDING_PRICE = 110;

/** An offer that nobody meets, and that is there to be taken by whoever wants it: the first act before a load. */
export function standingOffer(member: Member, saccoIds: readonly string[]): Act {
  const act = actOf('offer', member, saccoIds, -1);
  return { ...act, body: { ...orderOf('sell', saccoIds[0] as string, 0, 100), price: STANDING_PRICE } };
}

/**
 * An act that nobody has asked for yet; `count` makes its key its own.
 * @param order the order that is taken or cancelled
 * @param price what an offer asks that is taken
 */
export function actOf(
  kind: Kind,
  member: Member,
  saccoIds: readonly string[],
  count: number,
  order = '',
  price = 0,
): Act {
  const [sacco, other] = saccoIds as [string, string];
  const act = (path: string, body: Act['body'], cents: number): Act => ({
    member,
    kind,
    path,
    body,
    cents,
    key: `act-${count}`,
    answers: [],
    acknowledged: null,
    isDoubled: false,
    isSettled: false,
  });
  switch (kind) {
    case 'buy':
      return act('/sacco/members/pay_shares_amount', { sacco, shares: 1, amount: 100 }, SHARE_CENTS);
    case 'withdraw':
      return act('/integrations/mpesa/withdraw', { amount: 11, phone: member.phone }, 11_00);
    case 'deposit':
      return act('/integrations/mpesa/deposit', { amount: 7, phone: promptedPhone(count) }, 7_00);
    case 'join':
      return act('/sacco/members/join', joining(other), JOINING_CENTS);
    case 'offer':
      return act(ORDERS, orderOf('sell', sacco, count), 0);
    case 'bid':
      return act(ORDERS, orderOf('buy', sacco, count), 0);
    case 'take':
      return act('/sacco/members/buy-user-shares', { order, shares: 1, price }, 0);
    case 'cancel':
      return act(`${ORDERS}/${order}`, null, 0);
    case 'repay':
    case 'prompt':
    case 'contribute':
    case 'notice': {
      const { path, body, cents } = loanActs[kind](member);
      return act(path, body, cents);
    }
    default:
      return act('/sacco/savings/deposit', { sacco, amount: 3 }, 3_00);
  }
}

const TURNS: readonly Kind[] = [
  ...(['save', 'buy', 'offer', 'bid', 'withdraw', 'offer', 'take', 'save'] as const),
  ...([
    'bid',
    'cancel',
    'deposit',
    'bid',
    'repay',
    'join',
    'contribute',
    'offer',
    'cancel',
    'prompt',
    'notice',
  ] as const),
];

export const KINDS: readonly Kind[] = [...new Set(TURNS)];

/** Members who do one thing after another until they are told to stop: `tried` before, what was answered after. */
export function load(url: string, scene: Scene, acts: Act[], clientsEach: number) {
  let isOver = false;
  // Where a short load ended, the next one goes on: else the last kinds would never have their turn.
  const begun = acts.length;
  const one = async (member: Member, first: number) => {
    for (let turn = first; !isOver; turn += 1) {
      const act = nextAct(TURNS[turn % TURNS.length] as Kind, member, scene, acts);
      acts.push(act);
      const status = await performAct(url, act);
      // Who is told "not now" does not ask again in the same breath.
      if (status === null || status >= 500) await sleep(60);
    }
  };
  const clients = scene.members.flatMap((member) =>
    Array.from({ length: clientsEach }, (_, index) => one(member, begun + index * 3)),
  );
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** One's own latest orders are cancelled, and others' are taken, as far as anybody knows of any. */
function nextAct(kind: Kind, member: Member, { saccoIds }: Scene, acts: readonly Act[]): Act {
  if (kind !== 'take' && kind !== 'cancel') return actOf(kind, member, saccoIds, acts.length);
  const isWanted = (act: Act) =>
    act.acknowledged !== null &&
    (kind === 'take' ? act.kind === 'offer' && act.member !== member : isOrder(act) && act.member === member);
  // Of the latest offers most are gone before they are taken: every other time it is the one that stands.
  const standing = acts.slice(0, 1).find((act) => act.body?.price === STANDING_PRICE && isWanted(act));
  const found = kind === 'take' && acts.length % 2 === 0 && standing ? standing : acts.slice(-200).findLast(isWanted);
  const order = found?.acknowledged;
  if (!order) return actOf('save', member, saccoIds, acts.length);
  return actOf(kind, member, saccoIds, acts.length, order, Number(found.body?.price));
}

const isOrder = ({ kind }: Act) => kind === 'offer' || kind === 'bid';

/** Asks once, and notes what was answered. Returns the status, null where the connection was cut. */
export async function performAct(url: string, act: Act): Promise<number | null> {
  return (await askOnce(url, act))?.status ?? null;
}

/** The same, with the whole answer. */
export async function askOnce(url: string, act: Act): Promise<Sent | null> {
  const answer = await send(url, act.member, act.path, act.body, act.key, 20_000, act.body ? 'POST' : 'DELETE');
  if (!answer) return null;
  act.answers.push(answer.status);
  if (answer.status < 300) {
    const said = JSON.parse(answer.text);
    const name = said.receipt?.id ?? said.withdrawal?.id ?? said.deposit?.id ?? said.membership?.id ?? said.order?.id;
    act.acknowledged ??= name;
    // The same key, the same answer: another one would be another act.
    if (act.acknowledged !== name) act.isDoubled = true;
    act.isSettled = true;
  } else if (answer.status < 500) {
    act.isSettled = true;
  }
  return answer;
}

/** So long what was cut off is asked for again. PostgreSQL has restarted by then, also beside other work. */
export const PATIENCE_MS = 20_000;

/** What was cut off is asked for again, as a person or a phone would, until it is known; then some of the rest. */
export async function askAgain(url: string, acts: readonly Act[], patienceMs = PATIENCE_MS): Promise<Act[]> {
  const latest = performance.now() + patienceMs;
  for (let open = acts.filter(({ isSettled }) => !isSettled); open.length > 0; ) {
    await eachOfSome(open, (act) => performAct(url, act));
    open = open.filter(({ isSettled }) => !isSettled);
    if (open.length > 0 && performance.now() > latest) return open;
    if (open.length > 0) await sleep(50);
  }
  for (const act of acts.filter(({ acknowledged }) => acknowledged !== null).slice(-20)) await performAct(url, act);
  return [];
}

/** Eight at a time. */
async function eachOfSome<T>(things: readonly T[], act: (thing: T) => Promise<unknown>): Promise<void> {
  const left = [...things];
  const one = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await act(thing);
  };
  await Promise.all(Array.from({ length: 8 }, one));
}

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Null where the connection was cut before an answer. */
export async function send(
  url: string,
  member: Pick<Member, 'token'> & Partial<Pick<Member, 'sacco'>>,
  path: string,
  body: object | null,
  key: string,
  timeoutMs = 20_000,
  method = body ? 'POST' : 'GET',
): Promise<Sent | null> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json', 'idempotency-key': key } : {}),
        authorization: `Token ${member.token}`,
        ...(member.sacco ? { saccoid: member.sacco } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  } catch {
    await sleep(20);
    return null;
  }
}

/** The owner's own hands for as long as `act` takes. */
export async function asOwner<T>(url: string, act: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  // Asked for types on a new connection, it would wait for no answer: PostgreSQL, killed just then, would end us too.
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false });
  try {
    return await act(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Withdrawals so far were of the day before: ten a day are allowed, and one that is cut off after each message needs more. */
export async function asOfYesterday(sql: postgres.Sql): Promise<void> {
  await sql`update withdrawals set created_at = created_at - interval '1 day'`;
}

/** The same for what may be looked at twice: a PostgreSQL that was just killed may take a moment to notice it. */
export async function lookAsOwner<T>(url: string, look: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await asOwner(url, look);
    } catch (error) {
      const code = String((error as { code?: unknown }).code);
      if (tries === 200 || !/^(CONNECTION_|CONNECT_|ECONN|EPIPE|57P0)/.test(code)) throw error;
      await sleep(50);
    }
  }
}
