import { describe, expect, test } from 'vitest';
import { networkOf } from '../../network-of.ts';
import { crockfordCode, digitCode, inGroups, readCrockford } from './codes.rules.ts';
import { deviceOf } from './device.rules.ts';

describe('codes that people read and type', () => {
  test('a code has only symbols that cannot be mistaken for one another', () => {
    const all = crockfordCode(32, () => Buffer.from(Array.from({ length: 32 }, (_, n) => n)));
    expect(all).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
    expect(inGroups('ABCD1234')).toBe('ABCD-1234');
  });

  test.each([
    ['AB10-0Q1Z', 'AB100Q1Z'],
    ['ab10 0q1z', 'AB100Q1Z'],
    ['ABio–oQlZ', 'AB100Q1Z'],
    ['ABLO0QIZ', 'AB100Q1Z'],
    ['AB10-0Q1', null],
    ['AB10-0Q1ZZ', null],
    ['AB10-0Q1U', null],
    ['', null],
  ])('"%s" is read as %s', (typed, code) => {
    expect(readCrockford(typed, 8)).toBe(code);
  });

  test('every digit of a phone code is as likely as the next', () => {
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const digits = digitCode(250, () => everyByte);
    expect([...new Set(digits)].map((digit) => digits.split(digit).length - 1)).toEqual(Array(10).fill(25));
  });
});

describe('devices and networks', () => {
  test.each([
    ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iOS'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'],
    ['curl/8.5.0', 'Unknown device'],
    ['', 'Unknown device'],
  ])('%s is shown as %s', (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });

  test.each([
    ['41.90.1.2', '41.90.1.2'],
    ['::ffff:41.90.1.2', '41.90.1.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::5', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('attempts from %s are counted for %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
