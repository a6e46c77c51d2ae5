import type { Office } from './route.ts';

/*
 * Who is elected (pools-voting-anchoring.md B2; docs/decisions/193). No schema stands here: whoever recounts an election loads it too.
 */

const OF_ONE: readonly Office[] = ['chair', 'vice_chair', 'secretary', 'treasurer', 'manager'];

/** Whether one person holds an office at a time: whoever is elected takes the place of whoever holds it. A committee has several. */
export const isHeldByOne = (office: Office): boolean => OF_ONE.includes(office);

/** The votes of one candidate in a round. */
export interface CandidateVotes {
  readonly candidate: string;
  readonly votes: number;
}

/**
 * Who has the most votes. Of several with as many, the lot decides: the lowest SHA-256 of the proposal, the SHA-256 of the round's
 * ballots (serial and choice, sorted), and the candidate. Nobody knows it before the last ballot is in, and anybody draws it again.
 */
export async function elected(
  proposal: string,
  votes: readonly CandidateVotes[],
  ballots: readonly { readonly serial: string; readonly choice: string }[],
): Promise<string | null> {
  const most = Math.max(0, ...votes.map((one) => one.votes));
  const first = votes.filter((one) => one.votes === most && most > 0).map(({ candidate }) => candidate);
  if (first.length < 2) return first[0] ?? null;
  const lines = ballots.map(({ serial, choice }) => `${serial} ${choice}\n`).sort();
  const root = await digest(lines.join(''));
  const lots = await Promise.all(
    first.map(async (candidate) => ({ candidate, lot: await digest(`${proposal}\n${root}\n${candidate}`) })),
  );
  return lots.reduce((one, other) => (other.lot < one.lot ? other : one)).candidate;
}

async function digest(text: string): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
