import { audit } from '../../server/audit.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import type { Database, Tx } from '../../server/db/tx.ts';
import { agreed } from '../../server/domains/wallet/test-payers.ts';
import { arm, disarm } from '../../server/faults.proving.ts';
import type { FaultPoint } from '../../server/faults.ts';
import type { Run, Tier } from '../harness.ts';
import { Random } from '../random.ts';
import { type Answer, type Person, type Product, startProduct } from '../support/product.ts';
import { sendingAgain } from '../support/sending-again.ts';
import { asOfYesterday } from './acts.ts';
import { assertOutside } from './books.ts';
import { Findings, type Part, sizeOf } from './part.ts';

/** How often each point has to fire, and how many acts go by at most until then. */
interface Size {
  readonly timesEach: number;
  readonly actsMax: number;
  readonly payments: number;
}
const SIZES: Readonly<Record<Tier, Size>> = {
  c: { timesEach: 25, actsMax: 2_000, payments: 8 },
  n: { timesEach: 1_000, actsMax: 20_000, payments: 200 },
  r: { timesEach: 10_000, actsMax: 200_000, payments: 1_000 },
};
const CONTROL: Size = { timesEach: 15, actsMax: 2_000, payments: 12 };
const MEMBERS = 6;
const TRIES_MAX = 60;
const COMMIT_RATES = { begin_lost: 0.2, commit_never_sent: 0.25, commit_reply_lost: 0.25, commit_slow: 0.01 } as const;
const GATEWAY_RATES = { gateway_unreached: 0.15, gateway_answer_lost: 0.25, gateway_fault: 0.15 } as const;

type Kind = 'buy' | 'save' | 'withdraw' | 'trade';

/**
 * P4: what the server could not tell is asked again with the same key until it can: exactly one effect then. Where it
 * says that nothing happened, nothing has. Then money goes in and out over a line to M-Pesa that loses answers.
 */
export async function loseReplies(run: Run): Promise<Part> {
  const isSentAgain = run.broken === 'payout-sent-again';
  const size = isSentAgain ? CONTROL : sizeOf(run, SIZES);
  const findings = new Findings();
  findings.expects(...Object.keys(COMMIT_RATES), ...Object.keys(GATEWAY_RATES), 'answer lost on its way to the person');
  const database = await copyTemplate(run.serverUrl, { poolSize: 10 });
  if (run.broken === 'key-outside-the-transaction') fileKeysAfterwards(database);
  const product = await startProduct(
    database,
    { SIMULATOR_AUTO: 'approve' },
    isSentAgain ? { daraja: sendingAgain } : {},
  );
  try {
    const stage = await setStage(product);
    const acts = await actUnderFaults(run, product, stage, findings, size);
    if ((run.broken && !isSentAgain) || findings.count > 0) return findings.outcome();
    const payments = await payUnderFaults(run, product, stage, findings, size.payments);
    for (const { name, breach } of await audit(database.url)) {
      if (breach) findings.violated(`the audit finds "${name}" broken after lost answers (seed ${run.seed})`);
    }
    const lost = findings.timesOf('commit_never_sent') + findings.timesOf('commit_reply_lost');
    findings.figure(
      'P4',
      `${acts} acts with ${lost + findings.timesOf('begin_lost')} answers dropped before and after COMMIT, all resolved with the same key, 0 doubled; ${payments} payments over a line to M-Pesa that lost ${findings.timesOf('gateway_answer_lost') + findings.timesOf('gateway_fault')} answers, 0 doubled`,
    );
    return findings.outcome();
  } finally {
    disarm();
    await product.close();
  }
}

interface Stage {
  readonly members: readonly Person[];
  readonly saccoId: string;
}

async function setStage(product: Product): Promise<Stage> {
  const founder = await product.person('Baraka');
  const operator = await product.operator();
  const saccoId = await product.saccos.sacco(founder.id, operator.id, { minShares: 1 });
  const members: Person[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const member = await product.person('Wanjiru');
    await product.confirmPhone(member);
    await product.saccos.fund(member.id, 100_000_000_00);
    await product.saccos.join(saccoId, member.id);
    members.push(member);
  }
  await offerShares(product, saccoId);
  return { members, saccoId };
}

/** Somebody offers more shares than anybody will buy: whoever wants one trades at once. */
async function offerShares(product: Product, sacco: string): Promise<void> {
  const as = await product.person('Achieng');
  await product.saccos.fund(as.id, 200_000_000_00);
  await product.saccos.join(sacco, as.id);
  const shares = 1_000_000;
  const bought = { sacco, shares, amount: 100 * shares };
  const offered = { sacco, side: 'sell', shares: shares - 1, price: 101 };
  for (const [path, body] of [
    ['/sacco/members/pay_shares_amount', bought],
    ['/sacco/order-book-items', offered],
  ] as const) {
    const { status, text } = await product.call('POST', path, { as, body });
    if (status >= 300) throw new Error(`Nobody offers any shares: ${text}`);
  }
}

/** Members act side by side, so that batches of several share one lost COMMIT. Returns how many acts there were. */
async function actUnderFaults(
  run: Run,
  product: Product,
  stage: Stage,
  findings: Findings,
  size: Size,
): Promise<number> {
  let acts = 0;
  let round = 0;
  const counted: Partial<Record<FaultPoint, number>> = {};
  const enough = () =>
    (['begin_lost', 'commit_never_sent', 'commit_reply_lost'] as const).every(
      (point) => (counted[point] ?? 0) >= size.timesEach,
    );
  while (!enough() && acts < size.actsMax && findings.count === 0) {
    round += 1;
    const seed = run.seed + round;
    await asOfYesterday(product.database.owner);
    arm({ seed, rates: COMMIT_RATES });
    await Promise.all(
      stage.members.map(async (member, index) => {
        const random = new Random(seed * MEMBERS + index);
        for (let turn = 0; turn < 10 && findings.count === 0; turn += 1) {
          await actOnce(product, { member, stage, random, findings, name: `${seed}-${index}-${turn}` });
          acts += 1;
        }
      }),
    );
    for (const [point, times] of Object.entries(disarm())) {
      counted[point as FaultPoint] = (counted[point as FaultPoint] ?? 0) + times;
      findings.fired(point, times);
    }
    // The wages of many rounds; a session must not come to its end meanwhile.
    product.database.world.advance(10);
    if (round % 50 === 0) run.tell(`${acts} acts, ${JSON.stringify(counted)}`);
  }
  if (!enough() && findings.count === 0) findings.violated(`faults fired too rarely: ${JSON.stringify(counted)}`);
  return acts;
}

interface Doing {
  readonly member: Person;
  readonly stage: Stage;
  readonly random: Random;
  readonly findings: Findings;
  readonly name: string;
}

/** One act with one key until it is known what became of it; the books are counted at each answer. */
async function actOnce(product: Product, { member, stage, random, findings, name }: Doing): Promise<void> {
  const kind = random.pick(['buy', 'buy', 'save', 'save', 'trade', 'trade', 'withdraw'] as const);
  const ask = () => askFor(product, kind, member, stage.saccoId, name);
  const before = await effectsOf(product, kind, member);
  let mayHaveHappened = false;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await ask();
    const happened = (await effectsOf(product, kind, member)) - before;
    const where = `${kind} ${name}, try ${tries + 1}, answered ${answer.status} ${answer.body?.code ?? ''}`;
    if (happened > 1) return findings.violated(`the same key had ${happened} effects: ${where}`);
    if (answer.status < 300) {
      if (happened !== 1) return findings.violated(`acknowledged, and ${happened} effects: ${where}`);
      if (!random.chance(0.25)) return;
      await sameAgain(ask, answer, where, findings);
      const effects = (await effectsOf(product, kind, member)) - before;
      if (effects !== 1) findings.violated(`asked again after its answer it had ${effects} effects: ${where}`);
      return;
    }
    if (answer.body?.code === 'unknown_outcome') mayHaveHappened = true;
    else if (happened === 1 && !mayHaveHappened) return findings.violated(`"not done", and it is done: ${where}`);
    if (answer.status !== 503 && answer.body?.code !== 'unknown_outcome') {
      return findings.violated(`neither done, nor not done, nor unknown: ${where} ${answer.text.slice(0, 200)}`);
    }
  }
  findings.violated(`still not known after ${TRIES_MAX} tries: ${kind} ${name}`);
}

/** The answer came to the server's door and not to the person, who asks once more. */
async function sameAgain(ask: () => Promise<Answer>, first: Answer, where: string, findings: Findings): Promise<void> {
  findings.fired('answer lost on its way to the person');
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await ask();
    if (answer.status >= 500) continue;
    if (nameOf(answer) !== nameOf(first)) findings.violated(`the same key has another answer: ${where}`);
    return;
  }
  findings.violated(`what was acknowledged is refused ${TRIES_MAX} times when it is asked again: ${where}`);
}

const nameOf = ({ body }: Answer): unknown => body?.receipt?.id ?? body?.withdrawal?.id;

function askFor(product: Product, kind: Kind, as: Person, sacco: string, key: string): Promise<Answer> {
  switch (kind) {
    case 'buy':
      return product.call('POST', '/sacco/members/pay_shares_amount', {
        as,
        key,
        body: { sacco, shares: 1, amount: 100 },
      });
    case 'trade':
      return product.call('POST', '/sacco/order-book-items', {
        as,
        key,
        body: { sacco, side: 'buy', shares: 1, price: 101 },
      });
    case 'save':
      return product.call('POST', '/sacco/savings/deposit', { as, key, body: { sacco, amount: 3 } });
    default:
      return product.call('POST', '/integrations/mpesa/withdraw', { as, key, body: { amount: 11, phone: as.phone } });
  }
}

async function effectsOf({ database }: Product, kind: Kind, { id }: Person): Promise<number> {
  const { owner } = database;
  const [row] =
    kind === 'buy'
      ? await owner`select count(*)::int as times from share_movements where user_id = ${id}`
      : kind === 'trade'
        ? await owner`select count(*)::int as times from share_trades where buyer_id = ${id}`
        : kind === 'save'
          ? await owner`
            select count(*)::int as times from journals where kind = 'savings_deposited' and caused_by = ${id}`
          : await owner`select count(*)::int as times from withdrawals where user_id = ${id}`;
  return row?.times as number;
}

/** Top-ups and the withdrawals from before, over a line that loses what M-Pesa answers. Returns how many there were. */
async function payUnderFaults(
  run: Run,
  product: Product,
  { members }: Stage,
  findings: Findings,
  count: number,
): Promise<number> {
  const { database } = product;
  const round = members.length * 4;
  let payers: readonly Person[] = members;
  for (let index = 0; index < count; index += 1) {
    // Others than before: who has had many prompts that were not paid is slowed down.
    if (index > 0 && index % round === 0) payers = await Promise.all(members.map(() => product.person('Payer')));
    const phone = `2547${String(30_000_000 + index)}`;
    const as = payers[index % payers.length] as Person;
    await agreed(database, as.id, phone);
    const { status, text } = await product.call('POST', '/integrations/mpesa/deposit', {
      as,
      key: `top-up-${index}`,
      body: { amount: 7, phone },
    });
    if (status >= 300) throw new Error(`No top-up: ${text}`);
    // No more than a few prompts of one person are open at a time.
    if (index % round === round - 1) await quietDown(run, product, findings, index);
  }
  await quietDown(run, product, findings, count);
  const open = await settleAll(product);
  await assertOutside(database.owner, findings);
  if (open.deposits || open.withdrawals) {
    findings.violated(`payments whose fate M-Pesa knows are not settled: ${JSON.stringify(open)} (seed ${run.seed})`);
  }
  const [all] = await database.owner<{ times: number }[]>`
    select ((select count(*) from deposits) + (select count(*) from withdrawals))::int as times`;
  return all?.times ?? 0;
}

interface Unsettled {
  readonly deposits: number;
  readonly withdrawals: number;
}

/** A withdrawal is asked about every six hours (wallet.rules.ts), and a sweep asks about so many at a time and no more. */
const STILL_HOURS_MAX = 13;

/** Quiet hours until all is settled, or until nothing was for two whole waits between questions. */
async function settleAll(product: Product): Promise<Unsettled> {
  let open = await unsettled(product);
  for (let stillHours = 0; open.deposits + open.withdrawals > 0 && stillHours < STILL_HOURS_MAX; ) {
    await settle(product, 3_600_000);
    const now = await unsettled(product);
    const isMoving = now.deposits + now.withdrawals < open.deposits + open.withdrawals;
    stillHours = isMoving ? 0 : stillHours + 1;
    open = now;
  }
  return open;
}

async function unsettled({ database }: Product): Promise<Unsettled> {
  const [open] = await database.owner<Unsettled[]>`
    select (select count(*) from deposits where state in ('created', 'sending', 'sent'))::int as deposits,
      (select count(*) from withdrawals w where state in ('created', 'sending', 'sent') and (
        state = 'created' or exists (select from simulator.payout p where p.originator_conversation_id = w.id::text)
      ))::int as withdrawals`;
  return open ?? { deposits: 0, withdrawals: 0 };
}

async function quietDown(run: Run, product: Product, findings: Findings, round: number): Promise<void> {
  arm({ seed: run.seed + round, rates: GATEWAY_RATES });
  for (let turn = 0; turn < 3; turn += 1) await settle(product, 40_000);
  for (const [point, times] of Object.entries(disarm())) findings.fired(point, times);
  await settle(product, 60_000);
}

/** Lets time go by, then everything run that waits for it: jobs, sweeps, the simulated M-Pesa. */
async function settle(product: Product, ms: number): Promise<void> {
  const { database, app } = product;
  database.world.advance(ms);
  for (const sweep of ['sweep_deposits', 'sweep_withdrawals', 'sweep_claims', 'read_payment_list'])
    await app.tasks[sweep]?.({});
  for (let turn = 0; turn < 3; turn += 1) {
    await database.owner`update graphile_worker._private_jobs set run_at = now() where run_at > now()`;
    await product.runJobs();
    await product.call('POST', '//simulator/__control/tick');
  }
}

/** The negative control: a key is filed after the transaction that it stands for, and not in it. */
function fileKeysAfterwards(database: TestDatabase): void {
  const { transaction, sql } = database;
  const inside: Database['transaction'] = async (run) => {
    const later: (() => Promise<unknown>)[] = [];
    const result = await transaction((tx) => run(Object.create(tx, { sql: { value: withoutKeys(tx, sql, later) } })));
    for (const file of later) await file();
    return result;
  };
  Object.assign(database, { transaction: inside });
}

function withoutKeys(tx: Tx, outside: Database['sql'], later: (() => Promise<unknown>)[]): Tx['sql'] {
  return new Proxy(tx.sql, {
    apply(target, self, parameters) {
      const [strings, , users] = parameters as [TemplateStringsArray, unknown, string[]];
      const isFiling = /insert into idempotency_keys \(.*status, reply\)/.test(String(strings.raw?.[0]));
      if (!isFiling) return Reflect.apply(target, self, parameters);
      later.push(async () => Reflect.apply(outside, undefined, parameters));
      return Promise.resolve(Object.assign([], { count: users.length }));
    },
  });
}
