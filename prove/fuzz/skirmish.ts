import { audit } from '../../server/audit.ts';
import { copyTemplate } from '../../server/db/test-copy.ts';
import { collectGarbage } from '../support/memory.ts';
import { startProduct } from '../support/product.ts';
import { campaign, type Findings, type Ground } from './campaign.ts';
import { gather, mostlyQuickPasswords } from './crowd.ts';
import { LendingDesk } from './lending.ts';
import { Pools } from './pools.ts';
import { replayAll } from './regressions.ts';
import { isThere } from './send.ts';
import { tapOf } from './sql-tap.ts';
import { weakened } from './weak-routes.ts';

export interface Order {
  readonly serverUrl: string;
  readonly seed: number;
  readonly requests: number;
  readonly limitMs: number;
  readonly violationsMax: number;
  /** Routes that have to do what they are for at least once. */
  readonly wanted?: readonly string[];
  readonly broken?: string;
}

export interface Result {
  readonly violations: readonly string[];
  readonly fired: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly routes: number;
  readonly answered: readonly string[];
  /** Routes that never did what they are for. */
  readonly never: readonly string[];
  readonly milliseconds: readonly number[];
  readonly slowest: Findings['slowest'];
  readonly grownMegabytes: number;
}

/** The whole product on a database of its own, the old findings once more, a campaign against it, and a look at what is left. */
export async function skirmish(order: Order, tell: (line: string) => void = () => {}): Promise<Result> {
  const { serverUrl, broken } = order;
  const database = await copyTemplate(serverUrl, { poolSize: 6 });
  const replaced = weakened(broken, database);
  const { contract } = replaced;
  // A control has the weak route among fewer others, so that chance does not decide whether it is met often enough.
  const attacked =
    broken === undefined ? contract : contract.filter((route, index) => index % 10 === 0 || route === contract.at(-1));
  const product = await startProduct(database, {}, { ...replaced, passwords: mostlyQuickPasswords(database.world) });
  try {
    const pools = new Pools();
    const crowd = await gather(product, pools);
    const lending = new LendingDesk(crowd, pools);
    // A control is about its own route: nobody borrows there.
    if (broken === undefined) await lending.renew();
    const ground: Ground = { crowd, pools, lending, tap: await tapOf(product) };
    const old = broken === undefined ? await replayAll(ground, order.limitMs) : [];
    const before = heapMegabytes();
    const findings = await campaign(ground, { ...order, contract, attacked, tell });
    const grownMegabytes = heapMegabytes() - before;
    const after = broken === undefined ? await aftermath(ground) : [];
    return resultOf(findings, [...old, ...findings.violations, ...after], {
      grownMegabytes,
      names: contract.map(({ name }) => name),
      reused: pools.reused,
    });
  } finally {
    await product.close();
  }
}

function resultOf(
  findings: Findings,
  violations: string[],
  { grownMegabytes, names, reused }: { grownMegabytes: number; names: readonly string[]; reused: number },
): Result {
  return {
    violations,
    fired: { ...findings.fired, 'something a reply had given': reused },
    requests: findings.requests,
    routes: names.length,
    answered: [...findings.answered],
    never: names.filter((name) => !findings.answered.has(name)),
    milliseconds: findings.milliseconds,
    slowest: findings.slowest,
    grownMegabytes,
  };
}

/** The books hold, and the server still answers. */
async function aftermath({ crowd, tap }: Ground): Promise<string[]> {
  const { product } = crowd;
  const lines = await audit(product.database.url);
  const broken = lines.flatMap(({ name, breach }) =>
    breach ? [`afterwards the audit finds broken: ${name} (${JSON.stringify(breach.rows[0])})`] : [],
  );
  const { status } = await product.call('GET', '/public/figures');
  const silent = status === 200 ? [] : [`afterwards the server answers ${status}`];
  if (!(await isThere({ crowd }))) silent.push('afterwards nobody answers on the line');
  return [
    ...broken,
    ...silent,
    ...tap.heard().map((fault) => `a job or the audit makes PostgreSQL complain: ${fault}`),
  ];
}

/** What is really in use, after a collection. */
function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
