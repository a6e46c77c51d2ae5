import type { Database } from '../../server/db/tx.ts';
import type { Findings } from './part.ts';
import type { Cut, Ended } from './tapped-server.ts';

/** What is asked for, and whether it has been done. */
export interface Asked {
  act(server: Database): Promise<unknown>;
  isDone(): Promise<boolean>;
}

export interface AskedTwice extends Ended {
  /** Whether the first time was enough. */
  readonly wasDone: boolean;
}

export interface Strides {
  /** After how many messages the first is cut off, and by how many the next one goes on longer. */
  readonly first: number;
  readonly stride: number;
}

/**
 * Has things done again and again, cut off after more and more messages, until nothing is cut off any more. In the last round the
 * answer to the longest one's COMMIT does not come through. Returns how often something was cut off.
 * @param ask what is done in one round, on something new each time
 */
export async function throughMessages(
  { first, stride }: Strides,
  { findings, isBroken }: { readonly findings: Findings; readonly isBroken: boolean },
  ask: (cut: Cut) => Promise<readonly AskedTwice[]>,
): Promise<number> {
  findings.expects('done before the cut', 'undone by the cut');
  let [rounds, cuts] = [0, 0];
  const round = async (messages: number): Promise<number> => {
    const ended = await ask({ messages, by: rounds % 3 === 2 && !isBroken ? 'PostgreSQL' : 'server' });
    const cut = ended.filter(({ isCut }) => isCut);
    for (const { wasDone } of cut) findings.fired(wasDone ? 'done before the cut' : 'undone by the cut');
    rounds += 1;
    cuts += cut.length;
    return cut.length > 0 ? 0 : Math.max(...ended.map((each) => each.messages));
  };
  let whole = 0;
  for (let at = first; whole === 0 && findings.count === 0; at += stride) whole = await round(at);
  if (findings.count === 0) await round(whole - 1);
  return cuts;
}

/** Each figure of something that is in more than one place, beside what it has to be. */
export function assertSame(
  found: Readonly<Record<string, unknown>> | undefined,
  wanted: Readonly<Record<string, unknown>>,
  findings: Findings,
  when: string,
): void {
  for (const [what, value] of Object.entries(wanted)) {
    if (found?.[what] !== value) findings.violated(`${when}: ${what} is ${found?.[what]}, and not ${value}`);
  }
}
