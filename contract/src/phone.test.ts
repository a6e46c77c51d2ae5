import { expect, test } from 'vitest';
import { phoneDigits } from './phone.ts';

test('the usual forms of a number are one number', () => {
  for (const text of [
    '0712345678',
    '712345678',
    '254712345678',
    '+254712345678',
    ' 0712-345 678 ',
    '+254 712 345 678',
  ]) {
    expect(phoneDigits(text), text).toBe('254712345678');
  }
});

test('a doubled nought is a slip of the finger, not another number', () => {
  for (const text of ['00712-345-678', '00772345678', ' /00/4７4７142(59']) expect(phoneDigits(text), text).toBeNull();
});

test('no number is longer than the world’s fifteen digits, though a country’s own plan may allow it', () => {
  expect(phoneDigits('+628712 3102518')).toBe('6287123102518');
  expect(phoneDigits('+628)7  )12-3102518517')).toBeNull();
});

test('what was taken for a number is taken again as it was stored', () => {
  for (const text of ['+447911123456', '+12025550123', '020 2222222', '+255 754 123456']) {
    const digits = phoneDigits(text);
    expect(phoneDigits(`+${digits}`), text).toBe(digits);
  }
});
