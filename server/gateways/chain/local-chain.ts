import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../db/embedded.ts';
import { deployAnchor, isDeployed } from './chain.ts';
import type { ChainSettings } from './chain.types.ts';

const CHAIN_ID = 31_337;
const UP_MS_MAX = 15_000;
/** A thousand coins, which nobody else has a use for. */
const FUNDS = '0x3635c9adc5dea00000';

export interface LocalChain {
  readonly rpcUrl: string;
  /** The process that keeps the chain and ends with ours. */
  readonly process: ChildProcess;
  /** Any call of JSON-RPC: tests mine, rewind and stop the chain. */
  request<T>(method: string, params?: unknown[]): Promise<T>;
  stop(): Promise<void>;
}

/** A chain of one's own: anvil, for the demonstration and for tests. `folder` null: it is forgotten when it stops. */
export async function startLocalChain(folder: string | null): Promise<LocalChain> {
  const port = await freePort();
  const rpcUrl = `http://127.0.0.1:${port}`;
  const kept = folder ? ['--state', join(folder, 'state.json'), '--state-interval', '20'] : [];
  const args = ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${CHAIN_ID}`, '--accounts', '1', '--quiet'];
  // The shell waits for the end of its input, which comes with our end, however we end.
  const script = '"$@" & chain=$!; cat > /dev/null; kill -INT $chain; wait $chain';
  const child = spawn('sh', ['-c', script, 'sh', programOf(), ...args, ...kept], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const request = async <T>(method: string, params: unknown[] = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const reply = (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()) as {
      result: T;
      error?: object;
    };
    if (reply.error) throw new Error(JSON.stringify(reply.error));
    return reply.result;
  };
  const stop = async () => {
    child.stdin?.end();
    await ended;
  };
  for (let waited = 0; waited < UP_MS_MAX; waited += 50) {
    if (await request('eth_chainId').catch(() => null)) return { rpcUrl, process: child, request, stop };
    await sleep(50);
  }
  await stop();
  throw new Error('anvil did not start.');
}

/** The chain's settings: a key of its own that is funded by the chain itself, and the contract, deployed where it is missing. */
export async function prepareLocalChain(
  { rpcUrl, request }: LocalChain,
  folder: string | null,
): Promise<ChainSettings> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const { getContractAddress } = await import('viem');
  const privateKey = keyIn(folder);
  const { address } = privateKeyToAccount(privateKey);
  await request('anvil_setBalance', [address, FUNDS]);
  const contract = getContractAddress({ from: address, nonce: 0n });
  if (!(await isDeployed({ rpcUrl, contract }))) await deployAnchor({ rpcUrl, privateKey, chainId: CHAIN_ID });
  return { rpcUrl, privateKey, chainId: CHAIN_ID, contract, publicRpcUrl: rpcUrl };
}

function keyIn(folder: string | null): `0x${string}` {
  const made = `0x${randomBytes(32).toString('hex')}` as const;
  if (!folder) return made;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'key');
  if (!existsSync(file)) writeFileSync(file, made, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim() as `0x${string}`;
}

/** The program in the platform's package: the wrapper would need its install script. @throws where there is none for this machine */
function programOf(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  const found = require.resolve(`@foundry-rs/anvil-${process.platform}-${cpu}/package.json`);
  return join(found, '..', 'bin', 'anvil');
}
