import { logIdOf } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import type { Database } from '../../db/tx.ts';
import type { Chain } from '../../gateways/chain/chain.types.ts';
import { forkFrom, type HaltedBy, type KnownHead } from './halt-log.ts';
import { logNamed } from './log-name.ts';
import { forkOf, type Head } from './sign-checkpoints.ts';
import type { SignedHeads } from './signed-heads.ts';

/** The witnesses that an operator's command about a halted log asks. */
export interface Deciding {
  readonly database: Database;
  readonly heads: SignedHeads;
  /** Null where none is set. */
  readonly chain: Chain | null;
}

export interface HaltedLogRow extends Head {
  readonly sacco_id: string | null;
  readonly halted_by: HaltedBy | null;
  readonly halted_because: string | null;
  readonly halted_size: number | null;
  readonly halted_root: Buffer | null;
}

/** The running log of that name, halted; or the sentence why there is none. `name`: a sacco's id, `platform`, or as its address has it. */
export async function haltedLog(database: Database, name: string): Promise<HaltedLogRow | { refused: string }> {
  const { saccoId, isNamed } = logNamed(database, name);
  const isCurrent = name.includes('.') ? isNamed : database.sql`true`;
  const [log] = await database.sql<HaltedLogRow[]>`
    select l.id, l.origin, l.sacco_id, l.size, l.root, c.size as signed_size, c.root as signed_root,
      l.halted_by, l.halted_because, l.halted_size, l.halted_root
    from logs l
    left join lateral (select size, root from checkpoints where log_id = l.id order by size desc limit 1) c on true
    where l.sacco_id is not distinct from ${saccoId}::uuid and l.ended_at is null and ${isCurrent}`;
  if (!log) return { refused: 'There is no such log that runs.' };
  return log.halted_by ? log : { refused: `The log ${log.origin} is not halted. Nothing was done.` };
}

/** Why the tree of a halted log still does not continue what is known: null once it does. */
export async function whyStillHalted(deps: Deciding, log: HaltedLogRow): Promise<string | null> {
  const { database } = deps;
  const { file, chain } = await outside(deps, log.origin);
  const { halted_by: by, halted_size: size, halted_root: root } = log;
  const before = by && size !== null && root ? await forkFrom(database, log, by, { size, root }) : null;
  return (before ?? (await forkOf(database, log, { file, chain })))?.because ?? null;
}

/** All heads that are known of a log. */
export async function whatIsKnown(
  deps: Deciding,
  { origin, signed_size, signed_root, halted_by, halted_size, halted_root }: HaltedLogRow,
): Promise<{ by: HaltedBy; head: KnownHead }[]> {
  const { file, chain } = await outside(deps, origin);
  const signed = signed_size !== null && signed_root ? { size: signed_size, root: signed_root } : undefined;
  const halted = halted_size !== null && halted_root ? { size: halted_size, root: halted_root } : undefined;
  const all = [
    { by: 'database' as const, head: signed },
    { by: halted_by ?? 'database', head: halted },
    { by: 'file' as const, head: file },
    { by: 'chain' as const, head: chain },
  ];
  return all.flatMap(({ by, head }) => (head && head.size > 0 ? [{ by, head }] : []));
}

/** @throws where the chain or the file gives no answer */
async function outside({ heads, chain }: Deciding, origin: string) {
  const onChain = await chain?.head(logIdOf(nodeCrypto.sha256, origin));
  return { file: (await heads.read()).get(origin), chain: onChain };
}
