import { type Deciding, haltedLog, whyStillHalted } from './halted-log.queries.ts';

/** Lifts the halt of a log whose tree continues again all that is known. @returns null, or the sentence why it stays halted */
export async function continueLog(deps: Deciding, name: string): Promise<string | null> {
  const log = await haltedLog(deps.database, name);
  if ('refused' in log) return log.refused;
  const because = await whyStillHalted(deps, log);
  if (because !== null) {
    return `The log ${log.origin} stays halted: ${because}. Restore the newest copy of the database, or see docs/chain.md.`;
  }
  await deps.database.transaction(
    (tx) => tx.sql`
      update logs set halted_at = null, halted_because = null, halted_by = null, halted_size = null, halted_root = null
      where id = ${log.id} and ended_at is null`,
  );
  return null;
}
