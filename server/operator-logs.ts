import { BadSetting } from './config.ts';
import type { Database } from './db/tx.ts';
import type { Keyring } from './domains/identity/keyring.ts';
import { beginLogAnew } from './domains/proofs/begin-log-anew.ts';
import { continueLog } from './domains/proofs/continue-log.ts';
import { eraseEntry } from './domains/proofs/erase-entry.ts';
import type { Deciding } from './domains/proofs/halted-log.queries.ts';
import { rotateLogKey, UnopenedKey } from './domains/proofs/log-keys.ts';
import { statusOfLogs } from './domains/proofs/log-status.queries.ts';
import type { SignedHeads } from './domains/proofs/signed-heads.ts';
import { UnusableHeads } from './domains/proofs/signed-heads.ts';
import type { Chain, ChainSettings } from './gateways/chain/chain.types.ts';
import type { Terminal } from './operator.ts';

export const LOGS_USAGE = `  npm run operator -- log status
      Shows each log: how large it is, what was signed and anchored, and why it is halted. Of a halted log it prints
      the head that this machine signed last, until another log is begun for it.
  npm run operator -- log continue <sacco's id, or platform>
      Lifts a halt, once the database continues again all that was signed and anchored.
  npm run operator -- log begin-anew <sacco's id, or platform>
      Ends a halted log and begins another, whose first entry names the last head that is known of the old one.
  npm run operator -- log rotate-key
      Makes a new key that signs the logs. The old one signs for it, and stays known, with its dates.
  npm run operator -- log rotate-key lost
      The same where the old key cannot be opened any more: it signs for nothing, and readers are asked to trust the new one.
  npm run operator -- erase-log-payload <sacco's id, or platform> <entry>
      Destroys what an entry of a log says of a person, once no law asks to keep it. All proofs still hold.
  npm run operator -- chain deploy
      Deploys the contract that keeps anchors, with CHAIN_RPC_URL, CHAIN_PRIVATE_KEY and CHAIN_ID (docs/chain.md).
  npm run operator -- chain rotate
      Gives all logs, and the contract, from CHAIN_PRIVATE_KEY to the key CHAIN_NEW_PRIVATE_KEY. Run again, it goes on.`;

/** A log as its address has it. */
const LOG = /^(platform|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})(\.[1-9]\d{0,3})?$/;
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

/** The things that the commands about logs need besides the database. */
export interface LogTools {
  readonly heads: SignedHeads;
  /** Null where no chain is set. */
  readonly chainSettings: ChainSettings | null;
  keyring(): Promise<Keyring>;
}

/** A mistake of the person at the command line: its message is all they need. */
export class Mistake extends Error {}

type LogCommand = (database: Database, terminal: Terminal, tools: LogTools) => Promise<void>;

/** The command about logs that these words name; null where they name another. @throws Mistake */
export function readLogCommand([name, verb, subject = '']: readonly string[]): LogCommand | null {
  if (name === 'erase-log-payload') return eraseLogPayload(verb, subject);
  if (name === 'chain' && verb === 'rotate') return rotateChainKey;
  if (name !== 'log') return null;
  if (verb === 'status') return status;
  if (verb === 'rotate-key') return rotatedKey(subject);
  if (verb !== 'continue' && verb !== 'begin-anew') {
    throw new Mistake('Which? npm run operator -- log status | continue | begin-anew | rotate-key');
  }
  if (!LOG.test(subject)) throw new Mistake(`Which? npm run operator -- log ${verb} <sacco’s id, or platform>`);
  return verb === 'continue' ? continued(subject) : begunAnew(subject);
}

const eraseLogPayload = (log = '', entry = ''): LogCommand => {
  if (!LOG.test(log) || !/^\d{1,15}$/.test(entry)) {
    throw new Mistake('Which? npm run operator -- erase-log-payload <sacco’s id, or platform> <entry>');
  }
  return async (database, { print }) => {
    const kept = await eraseEntry(database, log, Number(entry));
    if (kept) throw new Mistake(kept);
    print(`What entry ${entry} says is destroyed. The log says so in a new entry.`);
  };
};

const status: LogCommand = async (database, { print }, { heads }) => {
  const kept = await heads.read();
  for (const log of await statusOfLogs(database)) {
    const signed = log.signed ? `signed ${log.signed.size} at ${log.signed.at.toISOString()}` : 'not signed yet';
    const anchored = log.anchored ? `, anchored ${log.anchored.size} at ${log.anchored.at.toISOString()}` : '';
    const halted = log.halted ? `, HALTED since ${log.halted.at.toISOString()}: ${log.halted.because}` : '';
    const ended = log.ended_at ? `, ended ${log.ended_at.toISOString()}` : '';
    print(`${log.origin}  ${log.size} entries, ${signed}${anchored}${ended || halted}`);
    const note = log.halted && !log.ended_at ? kept.get(log.origin)?.note : null;
    if (note) print(`The head of it that this machine signed last:\n${note.trimEnd()}`);
  }
  print(`${kept.size} heads are kept in ${heads.path}.`);
};

const continued =
  (log: string): LogCommand =>
  async (database, { print }, tools) => {
    const refused = await continueLog(await deciding(database, tools), log);
    if (refused) throw new Mistake(refused);
    print('The log is not halted any more. It is signed with the next job.');
  };

const begunAnew =
  (log: string): LogCommand =>
  async (database, { print }, tools) => {
    const begun = await beginLogAnew(await deciding(database, tools), log);
    if ('refused' in begun) throw new Mistake(begun.refused);
    const head = begun.follows ? `${begun.follows.size} entries of the old one` : 'the old one';
    print(`The log ${begun.origin} goes on. Its first entry names ${head}.`);
  };

async function deciding(database: Database, { heads, chainSettings }: LogTools): Promise<Deciding> {
  const asked = chainSettings && answering((await gateway()).createChain(chainSettings));
  return { database, heads, chain: asked };
}

/** The chain, whose silence is a sentence. */
function answering(chain: Chain): Chain {
  const head: Chain['head'] = (logId) =>
    chain.head(logId).catch(() => {
      throw new Mistake('The chain does not answer. Nothing was done: try again, or set no CHAIN_* for this command.');
    });
  return { ...chain, head };
}

const gateway = () => import('./gateways/chain/chain.ts');

const rotatedKey = (word: string): LogCommand => {
  if (word !== '' && word !== 'lost')
    throw new Mistake('Which? npm run operator -- log rotate-key, or rotate-key lost');
  return async (database, { print }, { keyring }) => {
    const { key, isSigned } = await rotateLogKey(database, await keyring(), { isLost: word === 'lost' });
    const followed = isSigned
      ? 'The old one has signed for it: browsers that know that one follow by themselves.'
      : 'No older one has signed for it: readers are shown it, and tell their browsers once to trust it.';
    print(`The logs are signed by a new key, ${key}. ${followed}`);
  };
};

const rotateChainKey: LogCommand = async (database, { print, env }, { chainSettings }) => {
  const { CHAIN_NEW_PRIVATE_KEY: next = '' } = env;
  if (!chainSettings || !PRIVATE_KEY.test(next)) {
    throw new Mistake('chain rotate needs CHAIN_* of the servers and CHAIN_NEW_PRIVATE_KEY (0x and 64 digits).');
  }
  const origins = (await statusOfLogs(database))
    .filter(({ ended_at }) => ended_at === null)
    .map(({ origin }) => origin);
  const { rotateKeys } = await gateway();
  const rotated = await rotateKeys(chainSettings, next as `0x${string}`, origins).catch((error: Error) => {
    throw new Mistake(`Not all was given to the new key: ${error.message} Run it again to go on.`);
  });
  print(`${rotated.logs} of ${origins.length} logs were given to the account ${rotated.account}.`);
  print(rotated.isOwner ? 'It owns the contract.' : 'The contract has another owner.');
  print('Set CHAIN_PRIVATE_KEY to the new key and restart the servers.');
};

/** Deploys the contract. It needs no database; the settings are complete only after it, so that they are read one by one. */
export async function deployContract({ print, env }: Terminal): Promise<void> {
  const { CHAIN_RPC_URL: rpcUrl, CHAIN_PRIVATE_KEY: privateKey, CHAIN_ID: chainId } = env;
  if (!rpcUrl || !PRIVATE_KEY.test(privateKey ?? '') || !/^\d+$/.test(chainId ?? '')) {
    throw new Mistake('chain deploy needs CHAIN_RPC_URL, CHAIN_PRIVATE_KEY (0x and 64 digits) and CHAIN_ID.');
  }
  const { deployAnchor } = await gateway();
  const settings = { rpcUrl, privateKey: privateKey as `0x${string}`, chainId: Number(chainId) };
  const { contract, gas } = await deployAnchor(settings).catch((error: Error) => {
    throw new Mistake(`The contract was not deployed. ${error.message}`);
  });
  print(`SaccoAnchor is at ${contract} on chain ${chainId}; it took ${gas} gas.`);
  print(`Set CHAIN_CONTRACT=${contract} and restart the servers.`);
}

/** Whether an error's message is all that the person needs. */
export const isPlain = (error: unknown): error is Error =>
  [Mistake, BadSetting, UnusableHeads, UnopenedKey].some((plain) => error instanceof plain);
