import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Chain } from './gateways/chain/chain.types.ts';

const DEMO_EVERY_SECONDS = 60;
/** The first pages are shown before the demonstration's chain takes a core. */
const DEMO_AFTER_MS = 5_000;

/** The chain that the logs are anchored on, as far as there is one. */
export interface Anchoring {
  /** Null: nothing is anchored. */
  readonly everySeconds: number | null;
  /** The chain, made ready by the first call; null where there is none, or where the demonstration's cannot run here. */
  chain(): Promise<Chain | null>;
  /** The chain as far as it is ready: requests do not wait for it. */
  ready(): Chain | null;
  stop(): Promise<void>;
}

/** The settings' chain; else the demonstration's own, which starts with the first job; else none. */
export function anchoringOf(config: Config): Anchoring {
  const isDemo = config.chain === null && config.demo && !config.production;
  let [making, made]: [Promise<Chain | null> | null, Chain | null] = [null, null];
  let end = async () => {};
  const ending = new AbortController();
  // The library of chains takes a quarter of a second to load, and most processes never need it.
  const make = async () => {
    const { createChain } = await import('./gateways/chain/chain.ts');
    if (config.chain) return createChain(config.chain);
    await sleep(DEMO_AFTER_MS, undefined, { signal: ending.signal });
    const { prepareLocalChain, startLocalChain } = await import('./gateways/chain/local-chain.ts');
    const folder = join(config.dataDir, 'chain');
    const local = await startLocalChain(folder);
    end = () => local.stop();
    return createChain(await prepareLocalChain(local, folder));
  };
  const chain = async () => {
    if (!config.chain && !isDemo) return null;
    making ??= make().catch((error: unknown) => {
      if (config.chain) throw error;
      if (ending.signal.aborted) return null;
      console.warn(`The demonstration has no chain on this machine: ${(error as Error).message}`);
      return null;
    });
    made = await making;
    return made;
  };
  return {
    everySeconds: config.chain ? config.chainEverySeconds : isDemo ? DEMO_EVERY_SECONDS : null,
    chain,
    ready: () => made,
    stop: async () => {
      ending.abort();
      await making?.catch(() => null);
      await end();
    },
  };
}
