import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { eachPart } from '../../db/each-part.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { integers } from '../../ledger/sql-arrays.ts';
import { notifyAll } from '../notifications/notify.ts';
import { noteProceeds } from '../wallet/sale-proceeds.ts';
import { checkOffAccount } from './check-off-rows.ts';
import { payableNow } from './repayment.rules.ts';
import { type LineOutcome, type ShareOutSource, shareOutChunk } from './share-out-chunk.ts';

/** While one chunk is reckoned here, PostgreSQL writes another, and a third waits for the accounts of the sacco. */
const CHUNKS_AT_ONCE = 3;

export interface RunOptions {
  readonly chunksAtOnce?: number;
}

/**
 * Shares out every check-off that was paid: first all loans, then each member is told. Each chunk commits with its mark, so this goes
 * on where it was cut off; of several at once each chunk is done by one.
 */
export async function runCheckOffs(database: Database, options: RunOptions = {}): Promise<void> {
  const running = await database.sql<{ id: string }[]>`select id from check_offs where state = 'running' order by id`;
  const run = (id: string) => () => runCheckOff(database, id, options);
  await eachPart(running.map(({ id }) => run(id)));
}

async function runCheckOff(database: Database, id: string, options: RunOptions): Promise<void> {
  await payLines(database, id, options);
  await tellMembers(database, id, options);
  await database.transaction((tx) => finish(tx, id));
}

/** Pays the loans of all lines that are not paid yet. */
export const payLines = (database: Database, id: string, options: RunOptions = {}) =>
  byChunks(database, options, (tx) => payChunk(tx, id));

export const tellMembers = (database: Database, id: string, options: RunOptions = {}) =>
  byChunks(database, options, (tx) => tellChunk(tx, id));

async function byChunks(
  database: Database,
  { chunksAtOnce = CHUNKS_AT_ONCE }: RunOptions,
  act: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const worker = async () => {
    while (await database.transaction(act));
  };
  await Promise.all(Array.from({ length: chunksAtOnce }, worker));
}

interface Chunk {
  readonly first_line: number;
  readonly last_line: number;
  readonly sacco_id: string;
  readonly employer: string;
  readonly sacco: string;
  readonly received_at: Date;
  readonly payer_id: string;
}

/** A chunk that no other process works on, under its lock. */
async function takeChunk(tx: Tx, id: string, state: 'waiting' | 'paid'): Promise<Chunk | null> {
  const [chunk] = await tx.sql<Chunk[]>`
    select k.first_line, k.last_line, c.sacco_id, c.employer, c.received_at, c.payer_id, s.name as sacco
    from check_off_chunks k join check_offs c on c.id = k.check_off_id join saccos s on s.id = c.sacco_id
    where k.check_off_id = ${id} and k.state = ${state} order by k.first_line limit 1 for update of k skip locked`;
  return chunk ?? null;
}

const linesOf = (tx: Tx, id: string, { first_line, last_line }: Chunk) => tx.sql<
  { line: number; member_id: string; amount_cents: Cents }[]
>`
  select line, member_id, amount_cents from check_off_lines
  where check_off_id = ${id} and line between ${first_line} and ${last_line} order by line`;

/** Pays the loans of one chunk; false where none is left. */
async function payChunk(tx: Tx, id: string): Promise<boolean> {
  const chunk = await takeChunk(tx, id, 'waiting');
  if (!chunk) return false;
  const lines = await linesOf(tx, id, chunk);
  const memberOf = new Map(lines.map(({ line, member_id }) => [line, member_id]));
  const outcomes = await shareOutChunk(
    tx,
    sourceOf(id, chunk),
    lines.map((each) => ({ line: each.line, memberId: each.member_id, amountCents: each.amount_cents })),
    (paid) => keepOutcomes(tx, { id, firstLine: chunk.first_line }, paid),
  );
  // Whoever pays and two officials choose who gets it: it is held as what shares were sold for is (decision 152).
  await noteProceeds(
    tx,
    outcomes.map(({ line, returned }) => ({ userId: memberOf.get(line) ?? '', cents: returned })),
  );
  return true;
}

const sourceOf = (id: string, { sacco_id: saccoId, first_line, received_at }: Chunk): ShareOutSource => ({
  saccoId,
  account: checkOffAccount(saccoId, id),
  about: { type: 'check_off', id },
  channel: 'check_off',
  returned: 'check_off_returned',
  keyOf: ({ line }) => `${id}:${line}`,
  chunkKey: `${id}:${first_line}`,
  mostOf: payableNow,
  paidByEmployerOn: nairobiDay(received_at),
});

/** What became of each line, and of the chunk: one statement. */
async function keepOutcomes(
  tx: Tx,
  { id, firstLine }: { readonly id: string; readonly firstLine: number },
  { repayments, outcomes }: { readonly repayments: number; readonly outcomes: readonly LineOutcome[] },
): Promise<void> {
  const sumOf = (of: 'repaid' | 'returned') => outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
  await tx.sql`
    with kept as (
      insert into check_off_outcomes (check_off_id, line, repaid_cents, returned_cents)
      select ${id}, line, repaid, returned
      from unnest(${integers(outcomes.map(({ line }) => line))}::int[], ${integers(outcomes.map(({ repaid }) => repaid))}::bigint[],
        ${integers(outcomes.map(({ returned }) => returned))}::bigint[]) as o (line, repaid, returned)
    )
    update check_off_chunks set state = 'paid', paid_at = ${tx.now}, repayments = ${repayments},
      repaid_cents = ${sumOf('repaid')}, returned_cents = ${sumOf('returned')}
    where check_off_id = ${id} and first_line = ${firstLine}`;
}

/** Tells the members of one chunk; false where none is left. */
async function tellChunk(tx: Tx, id: string): Promise<boolean> {
  const chunk = await takeChunk(tx, id, 'paid');
  if (!chunk) return false;
  const lines = await linesOf(tx, id, chunk);
  await notifyAll(
    tx,
    lines.map(({ member_id, amount_cents }) => ({
      userId: member_id,
      topic: 'loans' as const,
      template: 'check_off_paid',
      text: sentence(
        '{sacco}: a check-off paid {amount} for you. It paid what was due of your loans; what is left is in your wallet.',
        { sacco: chunk.sacco, amount: formatShillings(shillingsFromCents(amount_cents)) },
      ),
      causedBy: chunk.payer_id,
    })),
  );
  await tx.sql`
    update check_off_chunks set state = 'told' where check_off_id = ${id} and first_line = ${chunk.first_line}`;
  return true;
}

/** A chunk that another process still works on is not told yet: that process ends the list. */
async function finish(tx: Tx, id: string): Promise<void> {
  await tx.sql`
    update check_offs set state = 'done', finished_at = ${tx.now}
    where id = ${id} and state = 'running'
      and not exists (select from check_off_chunks k where k.check_off_id = ${id} and k.state <> 'told')`;
}
