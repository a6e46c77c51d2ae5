import { expect, inject, test } from 'vitest';
import { commitSeed, faultsOf, type Harness } from '../harness.ts';

/** The tests of a harness: tier C holds, and each of its negative controls is seen red for its own reason. */
export function testHarness(harness: Harness, timeoutMs = 240_000): void {
  const run = (broken?: string) =>
    harness.run({
      tier: 'c',
      seed: commitSeed(),
      serverUrl: inject('testServerUrl'),
      ...(broken === undefined ? {} : { broken }),
      tell: () => {},
    });

  if (harness.tiers.includes('c')) {
    test(
      `${harness.title}`,
      async () => {
        const outcome = await run();
        expect(faultsOf(outcome)).toEqual([]);
        for (const figure of Object.entries(outcome.figures)) console.log(figure.join(': '));
      },
      timeoutMs,
    );
  }

  test.each(harness.controls.map((control) => [control.breaks, control] as const))(
    `it goes red when %s`,
    async (_breaks, control) => {
      const { violations } = await run(control.name);
      expect(violations[0] ?? 'nothing was found').toMatch(control.expected);
    },
    timeoutMs,
  );
}
