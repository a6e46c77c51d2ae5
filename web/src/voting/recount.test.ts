import { RULES_OF_CLASS } from '@ushirika/contract/voting-rules';
import { expect, test } from 'vitest';
import { type Announced, type Own, recount } from './recount.ts';

const roll = 'a1\nb2\nc3\nd4\n';
const ballots = [
  '{"round":1,"handle":"a1","choice":"for"}',
  '{"round":1,"handle":"b2","choice":"for"}',
  '{"round":1,"handle":"d4","choice":"against"}',
];
const announced: Announced = {
  roll_size: 4,
  rules: RULES_OF_CLASS.ordinary,
  rounds: [{ round: 1, tally: { for: 2, against: 1, abstain: 0 }, outcome: 'passed', left_out: 0 }],
};
const wrongIn = (text: string, lines: readonly string[], said: Announced = announced, own: Own | null = null) =>
  recount(text, lines.join('\n'), said, own)
    .checks.filter(({ isRight }) => !isRight)
    .map(({ name }) => name);

test('a vote that was counted rightly is right in every point, and one finds one’s own ballot', () => {
  const own = { handle: 'b2', round: 1, choice: 'for' as const };
  expect(recount(roll, ballots.join('\n'), announced, own)).toEqual({
    members: 4,
    ballots: 3,
    rounds: [{ round: 1, tally: { for: 2, against: 1, abstain: 0 }, outcome: 'passed' }],
    checks: ['roll', 'readable', 'on_roll', 'once', 'tally', 'outcome', 'own'].map((name) => ({ name, isRight: true })),
    own: 'for',
  });
});

test('a recount finds a roll that is too long or has somebody twice', () => {
  expect(wrongIn(`${roll}e5\n`, ballots)).toEqual(['roll']);
  expect(wrongIn('a1\na1\nb2\nd4\n', ballots)).toEqual(['roll']);
});

test('a recount finds a ballot of nobody on the roll, a second ballot, and one that cannot be read', () => {
  expect(wrongIn(roll, ['{"round":1,"handle":"zz","choice":"for"}', ...ballots.slice(1)])).toEqual(['on_roll']);
  expect(wrongIn(roll, [...ballots.slice(1), ...ballots.slice(1, 2)])).toEqual(['once']);
  expect(wrongIn(roll, [...ballots, '{"round":1,"handle":"c3","choice":"perhaps"}', 'x'])).toEqual(['readable']);
});

test('a recount finds a result that the ballots do not give, and an outcome that the rules do not', () => {
  const [first = ''] = ballots;
  expect(wrongIn(roll, [first.replace('for', 'abstain'), ...ballots.slice(1)])).toEqual(['tally', 'outcome']);
  const special = { ...announced, rules: RULES_OF_CLASS.special };
  expect(wrongIn(roll, ballots, special)).toEqual([]);
  const lost = { ...announced, rounds: announced.rounds.map((one) => ({ ...one, outcome: 'rejected' as const })) };
  expect(wrongIn(roll, ballots, lost)).toEqual(['outcome']);
});

test('a recount finds one’s own ballot missing, changed, or there although one has not voted', () => {
  const own = (handle: string, choice: Own['choice']): Own => ({ handle, round: 1, choice });
  expect(wrongIn(roll, ballots, announced, own('c3', 'for'))).toEqual(['own']);
  expect(wrongIn(roll, ballots, announced, own('d4', 'for'))).toEqual(['own']);
  expect(wrongIn(roll, ballots, announced, own('a1', null))).toEqual(['own']);
  expect(wrongIn(roll, ballots, announced, own('c3', null))).toEqual([]);
});

test('a second round is counted by itself, with a quorum and a roll of its own', () => {
  const second = ['e1', 'f2', 'a7'].map((handle) => `{"round":2,"handle":"${handle}","choice":"for"}`);
  const rolls = `${roll}a7 2\nc9 2\ne1 2\nf2 2\n`;
  const said = {
    ...announced,
    rounds: [
      { round: 1, tally: { for: 1, against: 0, abstain: 0 }, outcome: 'no_quorum' as const, left_out: 0 },
      { round: 2, tally: { for: 3, against: 0, abstain: 0 }, outcome: 'passed' as const, left_out: 0 },
    ],
  };
  expect(wrongIn(rolls, [...ballots.slice(0, 1), ...second], said)).toEqual([]);
  expect(wrongIn(rolls.replace('c9 2\n', ''), [...ballots.slice(0, 1), ...second], said)).toEqual(['roll']);
  // A number of the first round votes in the second.
  const first = [...ballots.slice(0, 1), ...second.slice(1), '{"round":2,"handle":"d4","choice":"for"}'];
  expect(wrongIn(rolls, first, said)).toEqual(['on_roll']);
});

test('the quorum is reckoned without those whom one operator had suspended', () => {
  const [large, votes] = [
    Array.from({ length: 10 }, (_, n) => `h${n}\n`),
    [0, 1, 2].map((n) => `{"round":1,"handle":"h${n}","choice":"for"}`),
  ];
  const said = (left_out: number) => ({
    ...{ roll_size: 10, rules: RULES_OF_CLASS.special },
    rounds: [{ round: 1, tally: { for: 3, against: 0, abstain: 0 }, outcome: 'passed' as const, left_out }],
  });
  expect(wrongIn(large.join(''), votes, said(1))).toEqual([]);
  expect(wrongIn(large.join(''), votes, said(0))).toEqual(['outcome']);
});
