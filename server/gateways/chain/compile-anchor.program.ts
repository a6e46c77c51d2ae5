import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SOURCE_FILE } from './compile-anchor.ts';

/*
 * Compiles SaccoAnchor.sol and writes its creation code to standard output. A process of its own: solc takes a second of a core and 200 MB.
 */

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };

interface Output {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>
  >;
}

const name = 'SaccoAnchor.sol';
const input = {
  language: 'Solidity',
  sources: { [name]: { content: readFileSync(SOURCE_FILE, 'utf8') } },
  settings: {
    // Instructions that every chain of docs/chain.md knows.
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 100_000 },
    outputSelection: { [name]: { SaccoAnchor: ['evm.bytecode.object'] } },
  },
};
const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
// A warning too: the contract cannot be mended once it is deployed.
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
process.stdout.write(`0x${contracts[name]?.SaccoAnchor?.evm.bytecode.object}`);
