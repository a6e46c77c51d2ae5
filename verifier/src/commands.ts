import { parseArgs } from 'node:util';
import { checkConsistency } from './check-consistency.ts';
import { checkReceiptFile } from './check-receipt-file.ts';
import { messageOf, Unchecked } from './files.ts';
import type { ExitCode, Found } from './report.ts';
import { verifyTally } from './verify-tally.ts';
import { runWitness, type Terminal } from './witness/run-witness.ts';

const USAGE = `Checks the books of Ushirika without its server.

  ushirika-verify receipt FILE [--key VKEY]... [--rpc URL] [--contract 0x...]...
      a receipt (.json or .tlog-proof); --rpc asks a chain by an endpoint that you trust, and --contract names
      the contract that you know; after a log has moved to a new one, name both
  ushirika-verify tally ADDRESS-OR-FOLDER [--receipt FILE [--key VKEY]... [--rpc URL] [--contract 0x...]...]
      counts a vote again, from the address of its page or from its saved files; --receipt, the receipt of its result,
      compares what was asked, the rules and the counts with the log of the books
  ushirika-verify consistency OLDER NEWER [--key VKEY]... [--proof FILE | --url LOG]
      two signed heads of a log, in files: does the newer one continue the older?
  ushirika-verify witness --state FOLDER --name NAME [--log URL]... [--key VKEY]...
      [--key-file FILE] [--listen [HOST:]PORT] [--every SECONDS]
      follows logs, and co-signs their heads while they only grow

It ends with 0: all that is needed is right. 1: something is wrong. 2: nothing is wrong, and something could not be checked.`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true, default: [] as string[] } as const;
const options = {
  key: texts,
  log: texts,
  rpc: text,
  contract: texts,
  receipt: text,
  proof: text,
  url: text,
  state: text,
  name: text,
  'key-file': text,
  listen: text,
  every: text,
  help: { type: 'boolean' },
} as const;

/** @throws where there is an option that no command has */
const read = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

type Values = ReturnType<typeof read>['values'];

/** A word after the command that it cannot do without. @throws Unchecked where there are fewer or more */
function exactly(given: readonly string[], count: number): readonly string[] {
  if (given.length !== count) throw new Unchecked(USAGE);
  return given;
}

function needed(value: string | undefined): string {
  if (!value) throw new Unchecked(USAGE);
  return value;
}

/** @throws Unchecked unless it is a whole number from `least` to `most` */
function wholeNumber(value: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Unchecked(`A whole number from ${least} to ${most} is needed, not ${value}.`);
}

type Command = (given: readonly string[], values: Values, terminal: Terminal) => Promise<ExitCode>;

function print({ lines, code }: Found, { say }: Terminal): ExitCode {
  for (const line of lines) say(line);
  return code;
}

const trustOf = ({ key: keys, rpc, contract: contracts }: Values) => ({ keys, rpcUrl: rpc ?? null, contracts });

const receipt: Command = async (given, values, terminal) => {
  const [file = ''] = exactly(given, 1);
  return print(await checkReceiptFile(file, trustOf(values)), terminal);
};

const tally: Command = async (given, values, terminal) => {
  const [place = ''] = exactly(given, 1);
  return print(await verifyTally(place, values.receipt ?? null, trustOf(values)), terminal);
};

const consistency: Command = async (given, { key: keys, proof, url }, terminal) => {
  const [older = '', newer = ''] = exactly(given, 2);
  return print(await checkConsistency({ older, newer, keys, proofFile: proof ?? null, logUrl: url ?? null }), terminal);
};

const witness: Command = async (given, values, terminal) => {
  exactly(given, 0);
  const { log: urls, key: keys, listen, every } = values;
  if (urls.length === 0 && keys.length === 0) throw new Unchecked(USAGE);
  // The brackets of an IPv6 address are of the text alone.
  const [, host = '127.0.0.1', port = ''] = /^(?:\[?([^\]]+)\]?:)?(\d+)$/.exec(listen ?? '') ?? [];
  const witnessed = {
    urls,
    keys,
    folder: needed(values.state),
    name: needed(values.name),
    keyFile: values['key-file'] ?? null,
    listen: listen === undefined ? null : { host, port: wholeNumber(port, 0, 65_535) },
    everySeconds: every === undefined ? null : wholeNumber(every, 1, 2_000_000),
  };
  return runWitness(witnessed, terminal);
};

const commands: ReadonlyMap<string, Command> = new Map(Object.entries({ receipt, tally, consistency, witness }));

/** Does what the words of a command line ask for. It does not throw: whatever stops a check, nothing was found wrong by it. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const { values, positionals } = read(words.filter((word) => word !== '--'));
    const [name = '', ...given] = positionals;
    const command = commands.get(name);
    if (command && !values.help) return await command(given, values, terminal);
    terminal.say(USAGE);
    return values.help ? 0 : 2;
  } catch (error) {
    terminal.say(messageOf(error));
    return 2;
  }
}
