import { tapOf } from '../fuzz/sql-tap.ts';
import type { Harness, Outcome, Run } from '../harness.ts';
import { type Breaking, breakings, type OwnersHand } from './controls.ts';
import { examine, type Order } from './examine.ts';
import { assignInMasses } from './mass-assignment.ts';
import { runCells } from './run-cells.ts';
import { sweepHeads, sweepMethods, traceFaults } from './sweep.ts';
import { Door, runWithoutChecks } from './without-checks.ts';

export const harness: Harness = {
  name: 'matrix',
  title: 'every route × identity × object is answered as the reviewed policy says, and what is denied changes nothing',
  promises: ['P7', 'P8', 'P9'],
  tiers: ['c', 'n'],
  controls: breakings,
  run: (run) => {
    const breaking = breakings.find(({ name }) => name === run.broken);
    if (breaking?.name === 'walls-are-down') return wallsDown(run, breaking);
    return breaking ? broken(run, breaking) : whole(run);
  },
};

function orderOf(run: Run): Order {
  return { serverUrl: run.serverUrl, seed: run.seed, isCrossed: run.tier !== 'c' };
}

async function broken(run: Run, breaking: Breaking): Promise<Outcome> {
  const hand: OwnersHand = { ask: async () => [] };
  const order = {
    ...orderOf(run),
    replaced: breaking.replaced(hand),
    ...(breaking.routes ? { routes: breaking.routes } : {}),
  };
  const { violations } = await examine(order, async (examination) => {
    hand.ask = (statement, values) => examination.product.database.owner.unsafe(statement, values);
    await (breaking.look ?? runCells)(examination, order);
  });
  return { violations, fired: {}, figures: {} };
}

async function wallsDown(run: Run, { routes }: Breaking): Promise<Outcome> {
  const door = new Door();
  const order = {
    ...orderOf(run),
    replaced: { gatekeepers: door.gatekeepers },
    ...(routes ? { routes } : {}),
  } satisfies Order;
  const { violations } = await examine(order, async (examination) => {
    await examination.product.database.owner`alter table referral_terms disable row level security`;
    await runWithoutChecks(examination, order, door);
  });
  return { violations, fired: {}, figures: {} };
}

async function whole(run: Run): Promise<Outcome> {
  const door = new Door();
  const order: Order = { ...orderOf(run), replaced: { gatekeepers: door.gatekeepers } };
  const extra = { acts: 0, polluted: 0, methods: 0, heads: 0, tables: 0, requests: 0, letIn: 0 };
  const { violations, counts } = await examine(order, async (examination) => {
    const tap = await tapOf(examination.product);
    await runCells(examination, order);
    run.tell(`${examination.findings.counts.cells} cells asked`);
    Object.assign(extra, await assignInMasses(examination));
    extra.methods = await sweepMethods(examination);
    extra.heads = await sweepHeads(examination);
    extra.tables = examination.state.tables;
    examination.findings.violations.push(...(await traceFaults(examination.product)));
    // Behind the application's checks PostgreSQL refuses too. It must never come to that.
    const heard = new Set(tap.heard());
    examination.findings.violations.push(...[...heard].map((error) => `PostgreSQL had to refuse: ${error}`));
    Object.assign(extra, await runWithoutChecks(examination, order, door));
  });
  return {
    violations,
    fired: {
      ...counts,
      'acts with fields added': extra.acts,
      'bodies that would pollute': extra.polluted,
      'undeclared methods': extra.methods,
      'heads compared with their reads': extra.heads,
      'requests without the checks': extra.requests,
      'requests let in without the checks': extra.letIn,
    },
    figures: {
      P7: `${counts.cells} cells of ${counts.routes} routes, and ${extra.methods} undeclared methods: 0 unexpected`,
      P8: `${extra.requests} denied requests with the checks removed, ${extra.letIn} let in: 0 foreign rows read or changed`,
      P9: `${counts.refused} refused requests: no row of ${extra.tables} tables changed`,
    },
  };
}
