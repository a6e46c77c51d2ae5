import type { Control, Harness, Run } from '../harness.ts';
import { breakConnections } from './broken-connections.ts';
import { cutOffCheckOffs } from './check-offs.ts';
import { jumpClocks } from './clocks.ts';
import { fillDisks } from './disk-full.ts';
import { cutOffDividends } from './dividends.ts';
import { loseReplies } from './dropped-replies.ts';
import { surviveKills } from './kills.ts';
import { killLoanDays } from './loan-days.ts';
import { cutOffLogs } from './logs.ts';
import { type Part, together } from './part.ts';
import { cutOffPayouts } from './payouts.ts';
import { cutOffPoolRequests } from './pool-requests.ts';
import { killAtEachMessage } from './step-by-step.ts';

interface CrashPart {
  readonly name: string;
  run(run: Run): Promise<Part>;
  readonly controls: readonly Control[];
}

/** Each part keeps watch over promises of its own; a control runs its own part alone. */
const parts: readonly CrashPart[] = [
  {
    name: 'kills',
    run: surviveKills,
    controls: [
      {
        name: 'asynchronous-commit',
        breaks: 'PostgreSQL answers a COMMIT before its log is on the disk',
        expected: /acknowledged acts are lost after kill/,
      },
    ],
  },
  {
    name: 'dropped-replies',
    run: loseReplies,
    controls: [
      {
        name: 'key-outside-the-transaction',
        breaks: 'an idempotency key is filed after the transaction that it stands for, and not in it',
        expected: /the same key had 2 effects/,
      },
      {
        name: 'payout-sent-again',
        breaks: 'a payout whose answer was lost is sent again under a new id',
        expected: /paid out under an id that is no withdrawal's/,
      },
    ],
  },
  {
    name: 'step-by-step',
    run: killAtEachMessage,
    controls: [
      {
        name: 'acknowledged-early',
        breaks: 'people are answered before their COMMIT, and PostgreSQL’s process dies meanwhile',
        expected: /acknowledged and lost|0 effects of one key/,
      },
    ],
  },
  {
    name: 'loan-days',
    run: killLoanDays,
    controls: [
      {
        name: 'marked-apart',
        breaks: 'how far a sacco’s day of loans has come is kept at once, and not together with what was done',
        expected: /after runs that were cut off, the \w+ differ from the twin's/,
      },
    ],
  },
  {
    name: 'payouts',
    run: cutOffPayouts,
    controls: [
      {
        name: 'told-before-it-is-paid',
        breaks: 'people are told of a loan’s payout before it is done',
        expected: /a loan is paid out, cut off after message \d+: notices is 2/,
      },
    ],
  },
  {
    name: 'pool-requests',
    run: cutOffPoolRequests,
    controls: [
      {
        name: 'told-before-it-is-approved',
        breaks: 'people are told of a step of a request to a pool before it is done',
        expected: /a guarantee is asked for, cut off after message \d+: told (borrowers|stewards) is/,
      },
    ],
  },
  {
    name: 'check-offs',
    run: cutOffCheckOffs,
    controls: [
      {
        name: 'noted-apart',
        breaks: 'what a check-off gave to members is noted as held at once, and not together with it',
        expected: /a check-off is shared out, cut off after message \d+: held is \d+, and not \d+/,
      },
    ],
  },
  {
    name: 'dividends',
    run: cutOffDividends,
    controls: [
      {
        name: 'told-apart',
        breaks: 'members are told of a dividend at once, and not together with its mark',
        expected: /a dividend is paid, cut off after message \d+: told is \d+, and not \d+/,
      },
    ],
  },
  {
    name: 'broken-connections',
    run: breakConnections,
    controls: [
      {
        name: 'acknowledged-on-a-bad-line',
        breaks: 'people are answered before their COMMIT, and the connection breaks meanwhile',
        expected: /acknowledged acts are lost after a connection/,
      },
    ],
  },
  {
    name: 'disk-full',
    run: fillDisks,
    controls: [
      {
        name: 'acknowledged-before-commit',
        breaks: 'people are answered before their COMMIT',
        expected: /acknowledged acts are lost after round \d of a full log disk/,
      },
      {
        name: 'full-disk-is-a-fault',
        breaks: 'a full disk is taken for a fault of ours, and not for "not now"',
        expected: /on a full disk a write is answered 500/,
      },
    ],
  },
  {
    name: 'clocks',
    run: jumpClocks,
    controls: [
      {
        name: 'clock-not-watched',
        breaks: 'whatever the clock says is believed',
        expected: /with the server's clock two hours back the expired session is answered 200/,
      },
    ],
  },
  {
    name: 'logs',
    run: cutOffLogs,
    controls: [
      {
        name: 'any-error-is-damage',
        breaks: 'a connection that breaks as the tree is read is taken for a damaged tree',
        expected: /nobody changed anything, and The log \S+ is halted/,
      },
    ],
  },
];

/** For one part alone, by hand: PROVE_PART=kills. */
const byHand = process.env.PROVE_PART;

export const harness: Harness = {
  name: 'crash',
  title:
    'Killed, cut off, stalled, out of space or out of time, nothing acknowledged is lost and nothing happens twice',
  promises: ['P2', 'P4', 'P17', 'P18', 'P19'],
  tiers: ['c', 'n', 'r'],
  parts: { c: parts.length, n: parts.length, r: parts.length },
  controls: parts.flatMap(({ name, controls }, index) =>
    byHand && byHand !== name ? [] : controls.map((control) => ({ ...control, part: index + 1 })),
  ),
  async run(run) {
    const chosen = parts.filter(({ controls }) => !run.broken || controls.some(({ name }) => name === run.broken));
    const wanted = chosen.filter(
      (part) => (!byHand || byHand === part.name) && (!run.part || part === parts[run.part - 1]),
    );
    if (wanted.length === 0) throw new Error(`PROVE_PART=${byHand ?? ''} leaves nothing to run.`);
    const done: Part[] = [];
    for (const part of wanted) {
      const began = performance.now();
      done.push(await part.run(run));
      run.tell(`${part.name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
    return together(done);
  },
};
