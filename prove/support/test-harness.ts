import { expect, inject, test } from 'vitest';
import { type Control, commitSeed, faultsOf, type Harness, type Run } from '../harness.ts';

/**
 * The tests of a harness: tier C holds, each part of it in a test of its own, and each of its negative controls is seen red
 * for its own reason. `npm test` takes a twelfth of the controls (`PROVE_CONTROLS`, decision 176), and of a harness in parts the
 * first and half of the others.
 */
export function testHarness(harness: Harness, timeoutMs = 240_000): void {
  const run = (settings: Pick<Run, 'part' | 'broken'>) =>
    harness.run({
      tier: 'c',
      seed: commitSeed(),
      serverUrl: inject('testServerUrl'),
      prepared: inject('preparedFolder'),
      ...settings,
      tell: () => {},
    });

  const parts = harness.tiers.includes('c') ? (harness.parts?.c ?? 1) : 0;
  const twelfth = chosenTwelfth();
  for (let part = 1; part <= parts; part += 1) {
    if (twelfth !== null && part > 1 && part % 2 !== twelfth % 2) continue;
    test(
      parts === 1 ? harness.title : `${harness.title}, part ${part} of ${parts}`,
      async () => {
        const outcome = await run(parts === 1 ? {} : { part });
        const faults = faultsOf(outcome);
        expect(faults, faults[0]).toEqual([]);
        for (const figure of Object.entries(outcome.figures)) console.log(figure.join(': '));
      },
      timeoutMs,
    );
  }

  test.each(controlsOf(harness).map((control) => [control.breaks, control] as const))(
    `it goes red when %s`,
    async (_breaks, control) => {
      const { violations } = await run({ broken: control.name });
      expect(violations[0] ?? 'nothing was found').toMatch(control.expected);
    },
    timeoutMs,
  );
}

/** All controls; or every twelfth from the chosen one on. */
function controlsOf({ controls }: Harness): readonly Control[] {
  const twelfth = chosenTwelfth();
  return twelfth === null ? controls : controls.filter((_control, index) => index % 12 === twelfth);
}

/** 0 to 11 from `PROVE_CONTROLS`; null where everything runs. */
function chosenTwelfth(): number | null {
  const chosen = process.env.PROVE_CONTROLS;
  if (chosen === undefined) return null;
  if (!/^(\d|1[01])$/.test(chosen)) throw new Error(`PROVE_CONTROLS is 0 to 11, and not ${chosen}.`);
  return Number(chosen);
}
