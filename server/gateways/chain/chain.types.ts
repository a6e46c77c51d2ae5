/** How a chain is reached; all of it is set, or none (docs/chain.md). */
export interface ChainSettings {
  readonly rpcUrl: string;
  readonly privateKey: `0x${string}`;
  readonly chainId: number;
  readonly contract: `0x${string}`;
  /** An endpoint that everybody may ask; null: none is named to readers. */
  readonly publicRpcUrl: string | null;
}

/** The chain's newest anchor of a log; `size` 0 where it has none. */
export interface ChainHead {
  readonly size: number;
  readonly root: Uint8Array;
}

export interface AnchorCall {
  readonly logId: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** A signed transaction that was not sent yet. */
export interface SignedAnchor {
  /** Hexadecimal, as the chain names it. */
  readonly transaction: string;
  /** Sends it and waits for its block. @returns false where none came within a minute: the next one would take its place */
  send(): Promise<boolean>;
}

/** Where an anchor stands on the chain. */
export type AnchorState =
  | { readonly state: 'confirmed'; readonly transaction: string; readonly block: number; readonly at: Date }
  /** It is on its way, or too new to be relied on. */
  | { readonly state: 'waiting' }
  /** The chain has it, by a transaction of another that is too old to be found. */
  | { readonly state: 'untraced' }
  /** The chain does not have it, and will not get it by this transaction. */
  | { readonly state: 'absent' };

/** A refusal of the contract or the chain, by a word: `NotPublisher`, `NotGrowing`, `Inconsistent`, `no_funds`, `refused`. */
export class ChainRefusal extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The chain refuses: ${reason}.`);
    this.reason = reason;
  }
}

/** SaccoAnchor on its chain. Everything else that is thrown means that the chain gave no answer. */
export interface Chain {
  readonly chainId: number;
  /** Small letters. */
  readonly contract: string;
  readonly publicRpcUrl: string | null;
  head(logId: Uint8Array): Promise<ChainHead>;
  /** Makes the log known with this key as its publisher, where the key is the owner's; waits until it is on the chain. */
  register(logId: Uint8Array): Promise<void>;
  /** Tries the call, and signs it. @throws ChainRefusal */
  sign(call: AnchorCall): Promise<SignedAnchor>;
  stateOf(anchor: {
    logId: Uint8Array;
    size: number;
    root: Uint8Array;
    transaction: string | null;
  }): Promise<AnchorState>;
  /** Whether the key has less than twenty anchors cost now. */
  isShortOfFunds(): Promise<boolean>;
}
