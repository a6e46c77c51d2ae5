import { expect, test } from 'vitest';
import { type Announced, hasPublicBallots, type Own, recount } from './recount.ts';
import { PSS_SALT_BYTES, SERIAL_BYTES, signedMessage, toText } from './secret-ballots.ts';
import { RULES_OF_CLASS } from './voting-rules.ts';

const roll = 'a1\nb2\nc3\nd4\n';
const ballots = [
  '{"round":1,"handle":"a1","choice":"for"}',
  '{"round":1,"handle":"b2","choice":"for"}',
  '{"round":1,"handle":"d4","choice":"against"}',
];
const announced: Announced = {
  roll_size: 4,
  ballot: 'open',
  keys: [],
  rules: RULES_OF_CLASS.ordinary,
  rounds: [{ round: 1, tally: { for: 2, against: 1, abstain: 0 }, outcome: 'passed', left_out: 0 }],
  state: 'executed',
  result: { for: 2, against: 1, abstain: 0 },
};
const wrongIn = async (text: string, lines: readonly string[], said = announced, own: Own | null = null) =>
  (await recount({ roll: text, ballots: lines.join('\n'), issued: '' }, said, own)).checks
    .filter(({ isRight }) => !isRight)
    .map(({ name }) => name);

test('a vote that was counted rightly is right in every point, and one finds one’s own ballot', async () => {
  const own = { mark: 'b2', round: 1, choice: 'for' as const };
  expect(await recount({ roll, ballots: ballots.join('\n'), issued: '' }, announced, own)).toEqual({
    members: 4,
    ballots: 3,
    rounds: [{ round: 1, tally: { for: 2, against: 1, abstain: 0 }, outcome: 'passed' }],
    checks: ['roll', 'readable', 'on_roll', 'once', 'rounds', 'tally', 'outcome', 'state', 'own'].map((name) => ({
      name,
      isRight: true,
    })),
    own: 'for',
    isElection: false,
  });
});

test('a recount finds a roll that is too long or has somebody twice', async () => {
  expect(await wrongIn(`${roll}e5\n`, ballots)).toEqual(['roll']);
  expect(await wrongIn('a1\na1\nb2\nd4\n', ballots)).toEqual(['roll']);
});

test('a recount finds a ballot of nobody on the roll, a second ballot, and one that cannot be read', async () => {
  expect(await wrongIn(roll, ['{"round":1,"handle":"zz","choice":"for"}', ...ballots.slice(1)])).toEqual(['on_roll']);
  expect(await wrongIn(roll, [...ballots.slice(1), ...ballots.slice(1, 2)])).toEqual(['once']);
  expect(await wrongIn(roll, [...ballots, '{"round":1,"handle":"c3","choice":"perhaps"}', 'x'])).toEqual(['readable']);
});

test('a recount finds a result that the ballots do not give, and an outcome that the rules do not', async () => {
  const [first = ''] = ballots;
  expect(await wrongIn(roll, [first.replace('for', 'abstain'), ...ballots.slice(1)])).toEqual([
    'tally',
    'outcome',
    'state',
  ]);
  const special = { ...announced, rules: RULES_OF_CLASS.special };
  expect(await wrongIn(roll, ballots, special)).toEqual([]);
  const lost = { ...announced, rounds: announced.rounds.map((one) => ({ ...one, outcome: 'rejected' as const })) };
  expect(await wrongIn(roll, ballots, lost)).toEqual(['outcome']);
});

test('a recount finds one’s own ballot missing, changed, or there although one has not voted', async () => {
  const own = (mark: string, choice: Own['choice']): Own => ({ mark, round: 1, choice });
  expect(await wrongIn(roll, ballots, announced, own('c3', 'for'))).toEqual(['own']);
  expect(await wrongIn(roll, ballots, announced, own('d4', 'for'))).toEqual(['own']);
  expect(await wrongIn(roll, ballots, announced, own('a1', null))).toEqual(['own']);
  expect(await wrongIn(roll, ballots, announced, own('c3', null))).toEqual([]);
});

test('a recount of a secret vote finds a signature of somebody else, a serial that stands there twice, and papers that nobody got', async () => {
  const [ours, theirs] = [await signer(), await signer()];
  const said: Announced = { ...announced, ballot: 'secret', keys: [{ round: 1, key: ours.key }] };
  const signed = [await ours.ballot('for'), await ours.ballot('for'), await ours.ballot('against')];
  const papers = ['a1', 'b2', 'd4'];
  const wrong = async (lines: readonly string[], given: readonly string[] = papers) => {
    const issued = given.map((handle) => JSON.stringify({ round: 1, handle })).join('\n');
    const found = await recount({ roll, ballots: lines.join('\n'), issued }, said, null);
    return found.checks.filter(({ isRight }) => !isRight).map(({ name }) => name);
  };
  const [first = '', ...others] = signed;
  expect(await wrong(signed)).toEqual([]);
  expect(await wrong([await theirs.ballot('for'), ...others])).toEqual(['signed']);
  expect(await wrong([first, first, ...others.slice(1)])).toEqual(['once']);
  // The same serial, written in another way: its last letter has bits to spare.
  expect(await wrong([first, first.replace(/(?<="serial":"[\w-]{42})[\w-]/, nextLetter), ...others.slice(1)])).toEqual([
    'readable',
    'tally',
    'outcome',
    'state',
  ]);
  expect(await wrong(signed, ['a1', 'b2'])).toEqual(['issued']);
  expect(await wrong(signed, ['a1', 'a1', 'b2'])).toEqual(['issued']);
  expect(await wrong(signed, ['a1', 'b2', 'zz'])).toEqual(['issued']);
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const nextLetter = (letter: string) => LETTERS[LETTERS.indexOf(letter) + 1] ?? '';

/** Signs ballots as the key of a round does. */
async function signer() {
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-384', modulusLength: 2_048, publicExponent: Uint8Array.of(1, 0, 1) };
  const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const random = () => toText(crypto.getRandomValues(new Uint8Array(SERIAL_BYTES)));
  return {
    key: toText(new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))),
    async ballot(choice: string) {
      const [serial, prefix, salt] = [random(), random(), random()];
      const message = signedMessage({ serial, prefix });
      const bytes = await crypto.subtle.sign({ name: 'RSA-PSS', saltLength: PSS_SALT_BYTES }, privateKey, message);
      return JSON.stringify({ round: 1, serial, choice, salt, prefix, signature: toText(new Uint8Array(bytes)) });
    },
  };
}

test('a second round is counted by itself, with a quorum and a roll of its own', async () => {
  const second = ['e1', 'f2', 'a7'].map((handle) => `{"round":2,"handle":"${handle}","choice":"for"}`);
  const rolls = `${roll}a7 2\nc9 2\ne1 2\nf2 2\n`;
  const said = {
    ...announced,
    result: { for: 3, against: 0, abstain: 0 },
    rounds: [
      { round: 1, tally: { for: 1, against: 0, abstain: 0 }, outcome: 'no_quorum' as const, left_out: 0 },
      { round: 2, tally: { for: 3, against: 0, abstain: 0 }, outcome: 'passed' as const, left_out: 0 },
    ],
  };
  expect(await wrongIn(rolls, [...ballots.slice(0, 1), ...second], said)).toEqual([]);
  expect(await wrongIn(rolls.replace('c9 2\n', ''), [...ballots.slice(0, 1), ...second], said)).toEqual(['roll']);
  // Two votes of four are enough, unless it was published under the rules before.
  const two = [said.rounds[0], { ...said.rounds[1], tally: { for: 2, against: 0, abstain: 0 } }] as typeof said.rounds;
  const cast = [...ballots.slice(0, 1), ...second.slice(1)];
  const short = { ...said, rounds: two, result: { for: 2, against: 0, abstain: 0 } };
  expect(await wrongIn(rolls, cast, short)).toEqual([]);
  const { second_needs_no_more: _, ...before } = said.rules;
  expect(await wrongIn(rolls, cast, { ...short, rules: before })).toEqual(['outcome', 'state']);
  // A number of the first round votes in the second.
  const first = [...ballots.slice(0, 1), ...second.slice(1), '{"round":2,"handle":"d4","choice":"for"}'];
  expect(await wrongIn(rolls, first, said)).toEqual(['on_roll']);
});

test('the quorum is reckoned without those whom one operator had suspended', async () => {
  const large = Array.from({ length: 10 }, (_, n) => `h${n}\n`).join('');
  const votes = [0, 1, 2].map((n) => `{"round":1,"handle":"h${n}","choice":"for"}`);
  const said = (left_out: number) => ({
    ...announced,
    ...{ roll_size: 10, rules: RULES_OF_CLASS.special, result: { for: 3, against: 0, abstain: 0 } },
    rounds: [{ round: 1, tally: { for: 3, against: 0, abstain: 0 }, outcome: 'passed' as const, left_out }],
  });
  expect(await wrongIn(large, votes, said(1))).toEqual([]);
  expect(await wrongIn(large, votes, said(0))).toEqual(['outcome', 'state']);
  // More than a tenth of the roll; and one of ten, although all ten have voted.
  expect(await wrongIn(large, votes, said(2))).toEqual(['left_out']);
  const all = Array.from({ length: 10 }, (_, n) => `{"round":1,"handle":"h${n}","choice":"for"}`);
  expect(await wrongIn(large, all, said(1))).toEqual(['tally', 'state', 'left_out']);
});

test('an election for which nobody stood is right in every point', async () => {
  const said: Announced = {
    ...{ ...announced, ballot: 'secret', rules: RULES_OF_CLASS.election, election: { candidates: [], elected: null } },
    rounds: [{ round: 1, tally: { for: 0, against: 0, abstain: 0 }, outcome: 'no_candidates', left_out: 0, votes: [] }],
    ...{ state: 'no_candidates', result: { for: 0, against: 0, abstain: 0 } },
  };
  expect(await wrongIn(roll, [], said)).toEqual([]);
});

test('open ballots are not public between two rounds; secret ones of the first round are', () => {
  const [rounds, result] = [[{}], { for: 0, against: 0, abstain: 0 }];
  expect(hasPublicBallots({ ballot: 'open', rounds, result: null })).toBe(false);
  expect(hasPublicBallots({ ballot: 'secret', rounds, result: null })).toBe(true);
  expect(hasPublicBallots({ ballot: 'open', rounds, result })).toBe(true);
});

test('a recount finds a state or a result that the last round does not give', async () => {
  const said = (changed: Partial<Announced>) => wrongIn(roll, ballots, { ...announced, ...changed });
  const states = [
    'queued',
    'recorded',
    'held',
    'voided',
    'executed',
    'execution_failed',
    'given_up',
    'expired',
  ] as const;
  for (const state of states) expect(await said({ state })).toEqual([]);
  for (const state of ['rejected', 'no_quorum', 'no_candidates', 'draft', 'lapsed', 'published', 'open'] as const) {
    expect(await said({ state })).toEqual(['state']);
  }
  expect(await said({ result: null })).toEqual(['state']);
  expect(await said({ result: { for: 3, against: 0, abstain: 0 } })).toEqual(['state']);
  const { state: _, ...stateless } = announced;
  expect(await wrongIn(roll, ballots, stateless as Announced)).toEqual(['state']);
  const lost = { for: 1, against: 2, abstain: 0 };
  const against = [...ballots.slice(0, 1), ballots[1]?.replace('for', 'against') ?? '', ...ballots.slice(2)];
  const rejected = { rounds: [{ round: 1, tally: lost, outcome: 'rejected' as const, left_out: 0 }], result: lost };
  expect(await wrongIn(roll, against, { ...announced, ...rejected, state: 'rejected' })).toEqual([]);
  expect(await wrongIn(roll, against, { ...announced, ...rejected, state: 'executed' })).toEqual(['state']);
});

test('a recount finds an ended vote whose round has no outcome', async () => {
  const rounds = announced.rounds.map((one) => ({ ...one, outcome: null as never }));
  expect(await wrongIn(roll, ballots, { ...announced, rounds })).toEqual(['outcome']);
});

test('a recount finds a round that there cannot be, announced or in the ballots alone', async () => {
  const third = ballots.map((line) => line.replace('"round":1', '"round":3'));
  const rounds = announced.rounds.map((one) => ({ ...one, round: 3 }));
  expect(await wrongIn(`a1 3\nb2 3\nc3 3\nd4 3\na1\nb2\nc3\nd4\n`, third, { ...announced, rounds })).toEqual([
    'rounds',
  ]);
  expect(await wrongIn(roll, [...ballots, ...third], announced)).toEqual(['on_roll', 'rounds']);
  // A second round after one that had votes enough.
  const second = { ...announced.rounds[0], round: 2 } as (typeof rounds)[number];
  const two = ballots.map((line) => line.replace('"round":1', '"round":2'));
  const rolls = `${roll}${roll.replaceAll('\n', ' 2\n')}`;
  expect(await wrongIn(rolls, [...ballots, ...two], { ...announced, rounds: [...announced.rounds, second] })).toEqual([
    'rounds',
  ]);
});

test('between two rounds of a secret vote the first one is right without a result', async () => {
  const said: Announced = {
    ...{ ...announced, ballot: 'secret', state: 'open', result: null },
    rounds: [{ round: 1, tally: { for: 0, against: 0, abstain: 0 }, outcome: 'no_quorum', left_out: 0 }],
  };
  expect(await wrongIn(roll, [], said)).toEqual([]);
  expect(await wrongIn(roll, [], { ...said, state: 'executed', result: said.rounds[0]?.tally ?? null })).toEqual([
    'state',
  ]);
  expect(await wrongIn(roll, [], { ...said, rules: { ...said.rules, has_second_round: false } })).toEqual(['state']);
});
