import { expect, test } from 'vitest';
import { CallFailure, firstSentences, refusedIn, wordsFor, wordsOrQuoted, wordsWithPrefix } from './failure.ts';

const refused = (status: number, body: object) => CallFailure.fromAnswer(status, body);
const timeout = () => CallFailure.fromThrown(new DOMException('late', 'TimeoutError'));
const network = () => CallFailure.fromThrown(new TypeError('Failed to fetch'));

test('a refusal is told in the words of the server', () => {
  const failure = refused(422, {
    success: false,
    code: 'insufficient_funds',
    message: 'Not enough money in your wallet.',
  });
  expect(wordsFor(failure)).toBe('Not enough money in your wallet.');
  expect(failure.code).toBe('insufficient_funds');
});

test('a refusal that has only a detail is told by it', () => {
  expect(wordsFor(refused(400, { detail: 'The email is taken.' }))).toBe('The email is taken.');
});

test('sign-in, forgot and reset put Error: before what the server says, and not before our own sentences', () => {
  expect(wordsWithPrefix(refused(401, { message: 'Invalid ID number or password' }))).toBe(
    'Error: Invalid ID number or password',
  );
  expect(wordsWithPrefix(network())).toBe('You seem to be offline. Check your connection and try again.');
});

test('sign-up tells the first sentence of each entry in errors', () => {
  const failure = refused(400, {
    message: 'No',
    errors: { email: ['Taken.', 'Odd.'], phone_number: ['Not a phone.'] },
  });
  expect(firstSentences(failure)).toEqual(['Taken.', 'Not a phone.']);
  expect(firstSentences(refused(400, { message: 'No', errors: {} }))).toEqual(['No']);
});

test('no network, no answer in time and an answer that cannot be read have sentences of their own', () => {
  expect(wordsFor(network())).toBe('You seem to be offline. Check your connection and try again.');
  expect(wordsFor(CallFailure.lost())).toBe('No answer came. It may have gone through: send it again, it counts once.');
  expect(wordsFor(timeout())).toBe('That took too long. Check your connection and try again.');
  expect(wordsFor(CallFailure.unreadable(502))).toBe('The answer could not be read. Try again in a moment.');
});

test('a failure without any words says so much', () => {
  expect(wordsFor(refused(500, {}))).toBe('Something Went wrong, try again later.');
  expect(wordsFor(new Error('x is not a function'))).toBe('Something Went wrong, try again later.');
});

test('join and buy tell the part between the first single quotes where the server has no message', () => {
  expect(wordsOrQuoted(refused(400, { error: "[ErrorDetail(string='Buy at least 10 shares', code='invalid')]" }))).toBe(
    'Buy at least 10 shares',
  );
  expect(wordsOrQuoted(refused(422, { message: 'This sacco is not active.' }))).toBe('This sacco is not active.');
});

test('success false in an answer without an error is told by its message', () => {
  expect(refusedIn({ success: false, message: 'No such pair' })).toBe('No such pair');
  expect(refusedIn({ success: true, message: 'Sent' })).toBeNull();
});

test('only a refusal of the request itself says for sure that nothing was done', () => {
  expect(refused(422, {}).isFinal).toBe(true);
  for (const failure of [refused(503, {}), network(), timeout(), CallFailure.unreadable(200)]) {
    expect(failure.isFinal).toBe(false);
  }
});
