import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logIdOf } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { testPeople } from '../../server/db/test-people.ts';
import type { Database } from '../../server/db/tx.ts';
import { ChainWitness } from '../../server/domains/proofs/chain-witness.ts';
import { HaltedLog } from '../../server/domains/proofs/halt-log.ts';
import { proofsInvariants } from '../../server/domains/proofs/proofs.invariants.ts';
import { publishAnchors } from '../../server/domains/proofs/publish-anchors.ts';
import { Sequencer } from '../../server/domains/proofs/sequencer.ts';
import { signCheckpoints } from '../../server/domains/proofs/sign-checkpoints.ts';
import { SignedHeads } from '../../server/domains/proofs/signed-heads.ts';
import { testSaccos } from '../../server/domains/saccos/test-saccos.ts';
import { leaveOut } from '../../server/faults.proving.ts';
import { createChain } from '../../server/gateways/chain/chain.ts';
import type { Chain } from '../../server/gateways/chain/chain.types.ts';
import { prepareLocalChain, startLocalChain } from '../../server/gateways/chain/local-chain.ts';
import { breaches } from '../../server/ledger/invariants.ts';
import type { Run, Tier } from '../harness.ts';
import { TEST_KEYRING } from '../support/product.ts';
import type { Strides } from './each-message.ts';
import { Findings, type Part, sizeOf } from './part.ts';
import { TappedServers } from './tapped-server.ts';

const SIZES: Readonly<Record<Tier, Strides>> = {
  c: { first: 5, stride: 47 },
  n: { first: 1, stride: 1 },
  r: { first: 1, stride: 1 },
};
/** The control is seen as the tree is read. */
const CONTROL: Strides = { first: 20, stride: 4 };
const ORIGIN = 'crash.test/log';
/** An anchor that was signed and never sent is given up after ten minutes. */
const GIVEN_UP_MS = 11 * 60_000;
const GROWTH = 3;

/**
 * Journals are logged, the head is signed and anchored on a chain, and all of it is cut off after its first, second, third ... message to or
 * from PostgreSQL. Another process goes on. Then each journal is in the log once, each signed head continues the one before, and the chain has
 * the newest.
 */
export async function cutOffLogs(run: Run): Promise<Part> {
  const findings = new Findings();
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-crash-logs-'));
  const local = await startLocalChain(null);
  const database = await copyTemplate(run.serverUrl, { poolSize: 4 });
  const servers = new TappedServers(database, findings, null);
  // The negative control: whatever keeps the tree from being read is taken for damage.
  if (run.broken) leaveOut('proofs.damage_alone');
  try {
    const chain = createChain(await prepareLocalChain(local, null));
    const process = { chain, heads: new SignedHeads(folder) };
    const fund = await funding(database);
    const { first, stride } = run.broken ? CONTROL : sizeOf(run, SIZES);
    let cuts = 0;
    for (let messages = first, isCut = true; isCut && findings.count === 0; messages += stride) {
      await fund();
      const by = cuts % 3 === 2 || run.broken ? 'PostgreSQL' : 'server';
      const ended = await servers.cutOff({ messages, by }, (server) => logSignAndAnchor(server, process));
      isCut = ended.isCut;
      if (isCut) cuts += 1;
      database.world.advance(GIVEN_UP_MS);
      await untilAnchored(database, process);
      await assertLogs(database, chain, findings, `logged, signed and anchored, cut off after message ${messages}`);
    }
    if (run.broken || findings.count > 0) return findings.outcome();
    findings.figure('P2', `${cuts} times the log, its signature or its anchor cut off at a message: one history`);
    return findings.outcome();
  } catch (error) {
    if (!(error instanceof HaltedLog)) throw error;
    findings.violated(`after a cut nobody changed anything, and ${error.message}`);
    return findings.outcome();
  } finally {
    leaveOut(null);
    await servers.close();
    await database.close();
    await local.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Machine {
  readonly chain: Chain;
  readonly heads: SignedHeads;
}

/** All that a process does for the logs, once. */
async function logSignAndAnchor(database: Database, { chain, heads }: Machine): Promise<void> {
  await new Sequencer({ database, originBase: ORIGIN }).catchUp();
  await signCheckpoints({ database, keyring: TEST_KEYRING, heads, chainWitness: new ChainWitness(async () => chain) });
  await publishAnchors({ database, chain });
}

/** Another process goes on until all is logged and anchored. A transaction of another database may hold the log up for a moment. */
async function untilAnchored(database: TestDatabase, machine: Machine): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await logSignAndAnchor(database, machine);
    const [behind] = await database.sql`
      select from log_cursors where source = 'journals' and upto < (select max(id) from journals)
      union all select from anchors where state = 'pending'
      union all select from logs l where l.size > coalesce((
        select max(a.size) from anchors a where a.log_id = l.id and a.state = 'confirmed'), 0)`;
    if (!behind) return;
  }
  throw new Error('The log is not anchored after 200 rounds.');
}

async function assertLogs(database: TestDatabase, chain: Chain, findings: Findings, when: string): Promise<void> {
  for (const { name, rows } of await breaches(database.owner, proofsInvariants))
    findings.violated(`${when}: "${name}" is broken: ${JSON.stringify(rows[0])}`);
  const [newest] = await database.sql<{ origin: string; size: number; root: Buffer }[]>`
    select l.origin, c.size, c.root from checkpoints c join logs l on l.id = c.log_id order by c.size desc limit 1`;
  const head = newest && (await chain.head(logIdOf(nodeCrypto.sha256, newest.origin)));
  if (!newest || !head || head.size !== newest.size || !newest.root.equals(head.root))
    findings.violated(`${when}: the chain has ${head?.size} entries, and ${newest?.size} are signed`);
}

/** Top-ups of one member, three each time. */
async function funding(database: TestDatabase): Promise<() => Promise<void>> {
  const saccos = testSaccos(database);
  const member = await testPeople(database).person('Amina');
  return async () => {
    for (let at = 1; at <= GROWTH; at += 1) await saccos.fund(member, at * 100_00);
  };
}
