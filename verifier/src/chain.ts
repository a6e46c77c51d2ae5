import { concat, fromHex, toHex, uint64, utf8 } from './bytes.ts';
import type { Sha256 } from './crypto.ts';

/*
 * Reads SaccoAnchor.sol by JSON-RPC, without a library: one call with two arguments of 32 bytes.
 */

/** The first four bytes of keccak256("rootAt(bytes32,uint64)"). */
const ROOT_AT = '930b6ace';

/** The name of a log on the chain: SHA-256 of its origin. */
export const logIdOf = (sha256: Sha256, origin: string): Uint8Array => sha256(utf8(origin));

/** The call's data, hexadecimal. */
export function rootAtCall(logId: Uint8Array, size: number): string {
  return `0x${ROOT_AT}${toHex(concat(logId, new Uint8Array(24), uint64(size)))}`;
}

/** Asks a chain; answers the parsed JSON of its reply. Given by the page, so that it can be stopped. */
export type AskChain = (rpcUrl: string, body: string) => Promise<unknown>;

export const askByFetch: AskChain = async (rpcUrl, body) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpcUrl, { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`The chain's server answers ${response.status}.`);
  return response.json();
};

/** A request of JSON-RPC. @throws with a sentence where the chain's server refuses or answers no text */
async function request(ask: AskChain, rpcUrl: string, method: string, params: unknown[]): Promise<string> {
  const reply = (await ask(rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) as { result?: unknown };
  if (typeof reply?.result !== 'string') throw new Error('The chain’s server gave no answer to this question.');
  return reply.result;
}

/**
 * The root that the chain has for a log at a size, or null where it has none.
 * @throws with a sentence where the endpoint is of another chain, or gives no answer
 */
export async function rootOnChain(
  ask: AskChain,
  { rpcUrl, chainId, contract }: { rpcUrl: string; chainId: number; contract: string },
  { logId, size }: { logId: Uint8Array; size: number },
): Promise<Uint8Array | null> {
  const answeredId = Number(await request(ask, rpcUrl, 'eth_chainId', []));
  if (answeredId !== chainId) throw new Error(`This endpoint is of chain ${answeredId}, not of chain ${chainId}.`);
  const data = rootAtCall(logId, size);
  const root = fromHex(await request(ask, rpcUrl, 'eth_call', [{ to: contract, data }, 'latest']));
  if (root.length !== 32) throw new Error('At this address is no contract that keeps anchors.');
  return root.every((byte) => byte === 0) ? null : root;
}
