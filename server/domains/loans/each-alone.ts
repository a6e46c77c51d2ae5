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
    try {
      answers.push(await tx.alone(() => act(asked)));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      answers.push(refusal);
    }
  }
  return answers;
}
