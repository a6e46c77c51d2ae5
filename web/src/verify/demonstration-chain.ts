import { say } from '../words/say.ts';

/** The id of the chain that `npm start` and the demonstration run on their own computer (docs/chain.md). */
const LOCAL_CHAIN = 31_337;

/** Whether a chain is the one on the computer of the demonstration, which nobody else keeps. */
export const isDemonstrationChain = (chainId: number): boolean => chainId === LOCAL_CHAIN;

/** The sentence that readers of such a chain are owed. */
export const demonstrationWords = (): string =>
  say('This chain runs on this computer for the demonstration: it proves nothing to others.');
