import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';

/** Does each of a batch as if alone: what one that is refused has written is taken back, and the others go on. */
export async function eachAlone<Asked, Done>(
  tx: Tx,
  all: readonly Asked[],
  act: (asked: Asked) => Promise<Done>,
): Promise<(Done | Refusal)[]> {
  const answers: (Done | Refusal)[] = [];
  for (const asked of all) {
    await tx.sql`savepoint each_alone`;
    try {
      answers.push(await act(asked));
      await tx.sql`release savepoint each_alone`;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      await tx.sql`rollback to savepoint each_alone`;
      answers.push(refusal);
    }
  }
  return answers;
}
