import { describe, expect, test } from 'vitest';
import { partyOf, samePhone } from './party.ts';

const PHONE = '254712345678';

describe('A payer is the same, another, or not said (field case M1)', () => {
  test.each([
    ['254712345678 - WANJIRU KAMAU', 'same'],
    ['0712345678 - WANJIRU KAMAU', 'same'],
    ['+254 712 345 678', 'same'],
    ['712345678', 'same'],
    ['WANJIRU KAMAU - 0712345678', 'same'],
    ['0712***678', 'same'],
    ['0712***678 - WANJIRU', 'same'],
    ['254712***678', 'same'],
    ['254712XXX678 - WANJIRU', 'same'],
    ['WANJIRU - 0712***678', 'same'],
    ['0712***679', 'another'],
    ['0713***678 - WANJIRU', 'another'],
    ['254712345679 - WANJIRU KAMAU', 'another'],
    ['600984 - A school', 'another'],
    ['2547 ***** 678', 'not_said'],
    ['2547 ***** 679', 'another'],
    ['7*****678', 'not_said'],
    ['71234****', 'not_said'],
    ['7***678 - WANJIRU', 'not_said'],
    ['712***678', 'same'],
    ['7123**678', 'same'],
    ['7*****679', 'another'],
    ['71334****', 'another'],
    ['*********', 'not_said'],
    ['*********678', 'not_said'],
    ['WANJIRU KAMAU', 'not_said'],
    [' - ', 'not_said'],
    ['', 'not_said'],
    ['f7a3b1c2d4e5f60718293a4b5c6d7e8f', 'not_said'],
  ])('"%s" is %s', (text, expected) => {
    expect(samePhone(partyOf(text).number, PHONE)).toBe(expected);
  });

  test('The name stands before or after the number', () => {
    expect(partyOf('0712***678 - WANJIRU KAMAU').name).toBe('WANJIRU KAMAU');
    expect(partyOf('WANJIRU KAMAU - 0712345678').name).toBe('WANJIRU KAMAU');
    expect(partyOf('254712345678').name).toBeNull();
  });
});
