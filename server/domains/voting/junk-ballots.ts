import { bytesOf, toText } from '@ushirika/contract/secret-ballots';
import { castSecretBallot } from '@ushirika/contract/voting';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { isSignedBallot } from './ballot-keys.ts';

/** So many votes whose keys are remembered, and for so long: the key of a second round comes later. */
const VOTES_MAX = 500;
const REMEMBERED_MS = 10_000;

interface Asked {
  readonly ip: string;
  readonly params: unknown;
  readonly body: unknown;
}

interface Keys {
  readonly readAt: number;
  readonly keys: readonly Buffer[];
}

/**
 * What the limit of requests counts of secret ballots: those without a signature of the vote by address and vote; of the others each serial,
 * and no address, which would stand beside the ballot in memory. So whoever sends junk from the network of a school or a mobile operator keeps nobody there from voting.
 */
export function junkBallots(database: Database): (asked: Asked) => Promise<string> {
  const known = new Map<string, Keys>();
  const keysOf = async (id: string): Promise<readonly Buffer[]> => {
    const now = database.now().getTime();
    const found = known.get(id);
    if (found && Math.abs(now - found.readAt) < REMEMBERED_MS) return found.keys;
    const rows = await asSystem(
      () => database.sql<{ public_key: Buffer }[]>`select public_key from proposal_keys where proposal_id = ${id}`,
    );
    if (known.size >= VOTES_MAX) known.clear();
    const keys = rows.map(({ public_key }) => public_key);
    known.set(id, { readAt: now, keys });
    return keys;
  };
  return async ({ ip, params, body }) => {
    const [vote, ballot] = [castSecretBallot.params.safeParse(params), castSecretBallot.body.safeParse(body)];
    if (!vote.success) return ip;
    const { id } = vote.data;
    const junk = `${ip} ${id}`;
    if (!ballot.success) return junk;
    const keys = await keysOf(id);
    if (!keys.some((key) => isSignedBallot(key, ballot.data))) return junk;
    return `${id} ${toText(bytesOf(ballot.data.serial))}`;
  };
}
