import type { Harness, Outcome, Run } from '../harness.ts';
import { provePeopleStayUnknown } from './enumeration.ts';
import { Findings, type Scene } from './findings.ts';
import { proveGuessingCodes } from './guessing.ts';
import { proveResetCodes } from './reset-codes.ts';
import { proveLossCountsAtOnce } from './revocation.ts';
import { proveSecondFactorAndTokens } from './second-factor.ts';
import { proveGuessingIsStopped } from './throttling.ts';
import { proveTimeTellsNothing } from './timing.ts';

type Part = (scene: Scene) => Promise<void> | void;

/** The parts that a negative control breaks; without one, all of them run. */
const partsOf: Readonly<Record<string, readonly Part[]>> = {
  'hash-for-the-known-only': [provePeopleStayUnknown],
  'hash-by-time': [proveTimeTellsNothing],
  'sessions-remembered': [proveLossCountsAtOnce],
  'counted-by-address-only': [proveGuessingIsStopped],
  'codes-counted-by-address-only': [proveGuessingCodes],
  'locked-for-good': [proveGuessingIsStopped],
  'reset-code-used-again': [proveResetCodes],
  'money-leaves-after-a-reset': [proveResetCodes],
  'money-leaves-without-the-password': [proveResetCodes],
  'operators-without-an-app': [proveSecondFactorAndTokens],
  'officials-without-an-app': [proveSecondFactorAndTokens],
  'password-without-the-app': [proveSecondFactorAndTokens],
  'app-code-used-again': [proveSecondFactorAndTokens],
  'codes-forgiven-by-signing-out': [proveSecondFactorAndTokens],
  'owner-locked-out-by-what-is-typed': [proveGuessingIsStopped],
};

const all: readonly Part[] = [
  provePeopleStayUnknown,
  proveLossCountsAtOnce,
  proveResetCodes,
  proveGuessingCodes,
  proveGuessingIsStopped,
  proveSecondFactorAndTokens,
  proveTimeTellsNothing,
];

export const harness: Harness = {
  name: 'sign-in',
  title: 'who is here stays unknown, what was ended is over, and guessing is stopped without shutting the owner out',
  promises: ['P10', 'P11', 'P12', 'P13'],
  tiers: ['c', 'n', 'r'],
  controls: [
    {
      name: 'hash-for-the-known-only',
      breaks: 'the password of somebody who is not here costs no hash',
      expected: /^P11: .* is answered otherwise than a member: 0 slow hashes/,
    },
    {
      name: 'hash-by-time',
      breaks: 'the password of somebody who is not here costs no hash, and only the time tells',
      expected: /^P11: sign-in: medians [\d.]+ ms for the known and [\d.]+ ms for the unknown/,
    },
    {
      name: 'sessions-remembered',
      breaks: 'a server remembers for a second who a token is',
      expected: /^P10: signed out: stale/,
    },
    {
      name: 'counted-by-address-only',
      breaks: 'wrong passwords are counted by address only',
      expected: /^P13: 40 addresses had 40 guesses/,
    },
    {
      name: 'codes-counted-by-address-only',
      breaks: 'wrong reset codes are counted by address only',
      expected: /^P12: \d+ guesses were judged while one code lived/,
    },
    {
      name: 'locked-for-good',
      breaks: 'a lock never ends',
      expected: /^P13: the first lock lasts \d+ s/,
    },
    {
      name: 'reset-code-used-again',
      breaks: 'a reset code works as often as one likes',
      expected: /^P12: a reset code was accepted a second time/,
    },
    {
      name: 'money-leaves-after-a-reset',
      breaks: 'a reset of the password holds no withdrawal',
      expected: /^P12: a withdrawal right after a reset was answered 202/,
    },
    {
      name: 'money-leaves-without-the-password',
      breaks: 'whoever has signed in is never asked for the password again before money leaves',
      expected: /^P12: a session of a quarter of an hour ago drew money without its password: 202/,
    },
    {
      name: 'operators-without-an-app',
      breaks: 'operators need no authenticator app',
      expected: /^P13: an operator without an authenticator app was answered 200/,
    },
    {
      name: 'officials-without-an-app',
      breaks: 'officials of a sacco need no authenticator app',
      expected: /^P13: the chair of a sacco without an authenticator app was answered 200/,
    },
    {
      name: 'password-without-the-app',
      breaks: 'the app is on, and the password alone signs in',
      expected: /^P13: an operator signing in with no code was answered “let in”/,
    },
    {
      name: 'app-code-used-again',
      breaks: 'a code of the app works as often as one likes while it is young',
      expected: /^P13: an operator signing in with the same code again was answered “let in”/,
    },
    {
      name: 'codes-forgiven-by-signing-out',
      breaks: 'whoever has the password takes back all wrong codes by signing out everywhere',
      expected: /^P13: 45 of 45 wrong codes were judged within 15 minutes, more than 10/,
    },
    {
      name: 'owner-locked-out-by-what-is-typed',
      breaks: 'an ID number with a device written behind it counts where the owner’s own failures there count',
      expected: /^P13: what a stranger typed for an ID number locked the owner out at home/,
    },
  ],
  async run(run: Run): Promise<Outcome> {
    const findings = new Findings();
    for (const part of run.broken === undefined ? all : (partsOf[run.broken] ?? all)) {
      run.tell(part.name);
      await part({ run, findings });
    }
    return findings;
  },
};
