import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import { nodeHash } from '@ushirika/verifier/tree';
import type { Database } from '../server/db/tx.ts';
import { inclusionProofs } from '../server/domains/proofs/read-tree.ts';
import { Sequencer } from '../server/domains/proofs/sequencer.ts';
import { breachOf } from './b1-ledger.bench.ts';
import type { Bench, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { loadLedger, openWallets, randomPairs } from './ledger-load.ts';
import { median, quantile } from './statistics.ts';

const { sha256 } = nodeCrypto;
/** Entries of the log of which proofs are read. */
const LARGE = 39_063 * 256;
const PROOFS = 2_000;

export const bench: Bench = {
  id: 'B19',
  title: 'The log of the books: entries a second, the ledger with the log beside it, proofs from 10,000,000 entries',
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const { wallets } = await openWallets(server.database);
    const speed = await entriesPerSecond(server, context.say);
    const without: number[] = [];
    const beside: number[] = [];
    for (let pair = 0; pair < context.pairs; pair += 1) {
      without.push((await loadLedger(server.database, context.seconds, randomPairs(wallets, 2 * pair))).perSecond);
      await catchUp(server.database);
      const sequencer = new Sequencer({ database: server.database, originBase: 'bench.test/log' });
      sequencer.start();
      beside.push((await loadLedger(server.database, context.seconds, randomPairs(wallets, 2 * pair + 1))).perSecond);
      await sequencer.stop();
      context.say(
        `${Math.round(without.at(-1) ?? 0)} transfers/s without, ${Math.round(beside.at(-1) ?? 0)} with the log`,
      );
      await catchUp(server.database);
    }
    const breach = await breachOf(server);
    const proofs = await proofTimes(server.database);
    return [
      {
        title: 'entries/s of the sequencer ÷ 20,000',
        ratios: [speed / 20_000],
        threshold: { is: 'least', value: 1 },
        details: [`${Math.round(speed)} entries/s`],
        ...breach,
      },
      {
        title: 'transfers/s with the log ÷ without',
        ratios: beside.map((each, at) => each / (without[at] ?? Number.NaN)),
        threshold: { is: 'least', value: 0.9 },
        details: [`medians: ${Math.round(median(beside))} and ${Math.round(median(without))} transfers/s`],
      },
      {
        title: `p99 of an inclusion proof from ${LARGE.toLocaleString('en')} entries ÷ 5 ms`,
        ratios: [quantile(proofs, 0.99) / 5],
        threshold: { is: 'most', value: 1 },
        details: [`p50 ${quantile(proofs, 0.5).toFixed(2)} ms, p99 ${quantile(proofs, 0.99).toFixed(2)} ms`],
      },
    ];
  },
};

/** Logs the 100,000 journals that fund the wallets. */
async function entriesPerSecond({ database, embedded }: BenchServer, say: (line: string) => void): Promise<number> {
  const before = { postgres: readProcessorTime(embedded.pid) ?? 0, node: process.cpuUsage().user };
  const start = performance.now();
  const entries = await catchUp(database);
  const seconds = (performance.now() - start) / 1000;
  const postgres = ((readProcessorTime(embedded.pid) ?? 0) - before.postgres) / entries;
  const node = (process.cpuUsage().user - before.node) / entries;
  say(
    `${entries} entries in ${seconds.toFixed(1)} s: ${postgres.toFixed(1)} µs of PostgreSQL and ${node.toFixed(1)} µs of Node each`,
  );
  return entries / seconds;
}

async function catchUp(database: Database): Promise<number> {
  return new Sequencer({ database, originBase: 'bench.test/log' }).catchUp();
}

/** Milliseconds of proofs of entries drawn at random, from a log whose tiles are written for this alone. */
async function proofTimes(database: Database): Promise<number[]> {
  const logId = 1_000_000;
  await writeTiles(database, logId, LARGE);
  const times: number[] = [];
  for (let at = 0; at < PROOFS; at += 1) {
    const index = Math.floor(Math.random() * LARGE);
    const start = performance.now();
    await inclusionProofs(database, logId, [index], LARGE);
    times.push(performance.now() - start);
  }
  return times;
}

/** Full tiles of a tree whose leaves are all alike below each 256th: the shape and size are what is measured. */
async function writeTiles(database: Database, logId: number, size: number): Promise<void> {
  const leaf = sha256(Buffer.from('leaf'));
  let root = leaf;
  let count = Math.floor(size / 256);
  for (let level = 0; count > 0; level += 1) {
    const hashes = Buffer.concat(Array.from({ length: 256 }, () => root));
    for (let height = 0; height < 8; height += 1) root = Buffer.from(nodeHash(sha256, root, root));
    await database.sql`
      insert into log_tiles (log_id, level, n, hashes, root)
      select ${logId}, ${level}, n, ${hashes}, ${root} from generate_series(0, ${count - 1}) n`;
    count = Math.floor(count / 256);
  }
  // As the database's own housekeeping leaves a table that has not grown for an hour.
  await database.sql`vacuum (analyze) log_tiles`;
}
