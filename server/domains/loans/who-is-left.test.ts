import { describe, expect, test } from 'vitest';
import type { Holder } from './loan-officials.ts';
import { type Act, actsLeft } from './who-is-left.ts';

/** Each official as `name office`. */
const officials = (...held: string[]): Holder[] =>
  held.map((one) => {
    const [user_id = '', office] = one.split(' ');
    return { user_id, office } as Holder;
  });
const loan = (cents: number, manager = 0) => ({
  ...{ amount_cents: cents, judged_cents: cents },
  ...{ committee_alone_cents: 100_000_00, manager_alone_cents: manager },
});
const left = (held: Holder[], interested: string[], of = loan(10_000_00), accounts: readonly string[] = []): Act[] => {
  const isOnePerson = (one: string, other: string) => accounts.includes(one) && accounts.includes(other);
  return [...actsLeft(of, held, { interested: new Set(interested), isOnePerson })].sort();
};

const SACCO = officials(
  ...['amina credit_committee', 'brian credit_committee', 'carol credit_committee'],
  ...['david treasurer', 'esther chair', 'faith manager'],
);

describe('Of those without an interest in a loan there have to be', () => {
  test('two of the committee to decide about an application', () => {
    expect(left(SACCO, ['amina'])).toContain('review');
    expect(left(SACCO, ['amina', 'brian'])).not.toContain('review');
  });
  test('or the manager, where the amount is the manager’s to decide', () => {
    const small = loan(5_000_00, 5_000_00);
    expect(left(SACCO, ['amina', 'brian'], small)).toContain('review');
    expect(left(SACCO, ['amina', 'brian', 'faith'], small)).not.toContain('review');
  });
  test('treasurer or chair too for an amount above the committee’s, and not as a member of the committee', () => {
    const large = loan(200_000_00);
    expect(left(SACCO, ['david'], large)).toContain('review');
    expect(left(SACCO, ['david', 'esther'], large)).not.toContain('review');
    const both = officials('amina credit_committee', 'brian credit_committee', 'brian chair');
    expect(left(both, [], large)).not.toContain('review');
  });
  test('two of any office that pays out', () => {
    expect(left(SACCO, ['esther', 'faith'])).not.toContain('payout');
    expect(left(SACCO, ['david', 'esther'])).not.toContain('payout');
    for (const one of ['david', 'esther', 'faith']) expect(left(SACCO, [one])).toContain('payout');
  });
  test('one to check the payout who is not needed for the decision', () => {
    const held = officials('amina credit_committee', 'amina treasurer', 'brian credit_committee', 'brian chair');
    expect(left(held, [])).toEqual(['default', 'review']);
    expect(left([...held, ...officials('carol credit_committee')], [])).toContain('payout');
    const small = loan(5_000_00, 5_000_00);
    expect(left(officials('faith manager'), [], small)).toEqual(['review']);
    expect(left(officials('faith manager', 'david treasurer'), [], small)).toContain('payout');
  });
  test('two of the committee or its deputies to decide about a default', () => {
    expect(left(SACCO, ['amina', 'brian', 'carol'])).toContain('default');
    expect(left(SACCO, ['amina', 'brian', 'carol', 'david'])).not.toContain('default');
  });
  test('two people for each: two accounts of one person are one', () => {
    const [small, large] = [loan(10_000_00), loan(200_000_00)];
    // What nobody can review is not paid out either.
    expect(left(SACCO, ['carol'], small, ['amina', 'brian'])).toEqual(['default']);
    expect(left(SACCO, ['amina', 'brian', 'carol', 'faith'], small, ['david', 'esther'])).toEqual([]);
    expect(left(SACCO, ['carol', 'david'], large, ['amina', 'esther'])).not.toContain('review');
  });
});
