import { logIdOf } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import type { Chain } from '../../gateways/chain/chain.types.ts';
import type { KnownHead } from './halt-log.ts';

const AT_ONCE = 20;

/** The chain is set and silent. */
export class SilentChain extends Error {
  constructor() {
    super(
      'The chain does not answer, and this process has not compared the logs with it yet. Nothing is signed until it answers: see docs/chain.md.',
    );
  }
}

/** The chain as a witness of what was signed. Each process asks it once for each log; afterwards the publisher compares with every anchor. */
export class ChainWitness {
  readonly #chain: () => Promise<Chain | null>;
  readonly #seen = new Set<string>();

  constructor(chain: () => Promise<Chain | null>) {
    this.#chain = chain;
  }

  /** The chain's heads of the logs that were not compared yet; none where there is no chain. @throws SilentChain */
  async unseen(origins: readonly string[]): Promise<Map<string, KnownHead>> {
    const heads = new Map<string, KnownHead>();
    const asked = origins.filter((origin) => !this.#seen.has(origin));
    if (asked.length === 0) return heads;
    try {
      const chain = await this.#chain();
      for (let at = 0; chain && at < asked.length; at += AT_ONCE) {
        const ask = async (origin: string) => heads.set(origin, await chain.head(logIdOf(nodeCrypto.sha256, origin)));
        await Promise.all(asked.slice(at, at + AT_ONCE).map(ask));
      }
    } catch {
      throw new SilentChain();
    }
    return heads;
  }

  /** Notes that these logs were compared. */
  saw(origins: Iterable<string>): void {
    for (const origin of origins) this.#seen.add(origin);
  }
}
