import { BOARD_OFFICES } from '@ushirika/contract/loan-recovery';
import { OFFICES } from '@ushirika/contract/route';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../prove/random.ts';
import type { IsOnePerson } from './second-account.ts';
import { countsBeside, isAgreed, officeToVoteIn, type Voter, writeOffMay } from './write-off-sides.ts';

const unrelated: IsOnePerson = () => false;
const holds = (id: string, ...offices: Voter['offices'][number][]): Voter => ({ id, offices });

interface Sacco {
  readonly people: readonly Voter[];
  readonly isOnePerson: IsOnePerson;
}

/** Up to five accounts with any offices; some of them are those of one person. */
function drawn(random: Random): Sacco {
  const people = ['a', 'b', 'c', 'd', 'e']
    .slice(0, random.whole(1, 5))
    .map((id) => ({ id, offices: OFFICES.filter(() => random.chance(0.25)) }));
  const personOf = new Map(people.map(({ id }) => [id, random.whole(1, 6)]));
  return { people, isOnePerson: (one, other) => one !== other && personOf.get(one) === personOf.get(other) };
}

/** The rule, said again: one of the board, and somebody else of the committee. */
const pairIn = ({ isOnePerson }: Sacco, people: readonly Voter[]): boolean =>
  people.some((board) =>
    people.some(
      (committee) =>
        board.id !== committee.id &&
        BOARD_OFFICES.some((office) => board.offices.includes(office)) &&
        committee.offices.includes('supervisory_committee') &&
        !isOnePerson(board.id, committee.id),
    ),
  );

/** One after another votes who may; whether it is written off in the end, and after whose vote. */
function voted(sacco: Sacco, order: readonly Voter[]): boolean {
  const voters: Voter[] = [];
  for (const by of order) {
    if (voters.includes(by) || !officeToVoteIn(by, voters)) continue;
    const mayVote = countsBeside(by, voters, sacco.isOnePerson);
    const may = writeOffMay(voters, { by, declined: false, isOnePerson: sacco.isOnePerson });
    expect(may.includes('agree')).toBe(mayVote);
    expect(may.includes('decline')).toBe(pairIn({ ...sacco, isOnePerson: unrelated }, [...voters, by]));
    if (!mayVote) continue;
    voters.push(by);
    const agreed = isAgreed(voters, sacco.isOnePerson);
    expect(agreed).toBe(pairIn(sacco, voters));
    if (agreed) return true;
  }
  return false;
}

describe('a write-off', () => {
  test('is agreed exactly when one of the board and another of the supervisory committee vote, whoever comes first', () => {
    const random = new Random(168);
    for (let round = 0; round < 3_000; round += 1) {
      const sacco = drawn(random);
      const order = sacco.people
        .map((person) => ({ person, place: random.next() }))
        .sort((one, other) => one.place - other.place)
        .map(({ person }) => person);
      // Who is refused as a second account may vote once somebody else of the other side has.
      expect(voted(sacco, [...order, ...order])).toBe(pairIn(sacco, sacco.people));
    }
  });

  test('is completed by either side, where somebody of both sides has voted first', () => {
    const both = holds('both', 'chair', 'supervisory_committee');
    for (const other of [holds('board', 'secretary'), holds('committee', 'supervisory_committee')]) {
      expect(isAgreed([both], unrelated)).toBe(false);
      expect(isAgreed([both, other], unrelated)).toBe(true);
      expect(writeOffMay([both], { by: other, declined: false, isOnePerson: unrelated })).toEqual(['agree', 'decline']);
    }
  });

  test('is said once more by one who voted, where an office that was taken up since has made a pair of the voters', () => {
    const [chair, secretary] = [holds('chair', 'chair'), holds('secretary', 'secretary')];
    const may = (voters: Voter[]) => writeOffMay(voters, { by: chair, declined: false, isOnePerson: unrelated });
    expect(may([chair, secretary])).toEqual([]);
    expect(may([chair, holds('secretary', 'secretary', 'supervisory_committee')])).toEqual(['agree']);
  });

  test('takes no second account of one person; either may decline what the other has voted for', () => {
    const [chair, second] = [holds('chair', 'chair'), holds('second', 'supervisory_committee')];
    const isOnePerson: IsOnePerson = () => true;
    expect(isAgreed([chair, second], isOnePerson)).toBe(false);
    expect(writeOffMay([chair], { by: second, declined: false, isOnePerson })).toEqual(['decline']);
  });
});
