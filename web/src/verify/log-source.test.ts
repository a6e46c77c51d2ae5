import { afterEach, expect, test, vi } from 'vitest';
import { lookUp } from './log-source.ts';

afterEach(() => vi.unstubAllGlobals());

const absenceOf = async (origin: string) => (await lookUp(origin)).absence;
const OURS = 'ushirika.test/log/platform';
const answers = (replies: Readonly<Record<string, [status: number, body: object]>>) =>
  vi.stubGlobal('fetch', async (address: string) => {
    const reply = replies[address.split('/').at(-1) ?? ''];
    if (!reply) throw new TypeError('Failed to fetch');
    const [status, body] = reply;
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });

test('a log that our server does not have is of another host, or is none of ours; without an answer neither is said', async () => {
  const platform: [number, object] = [200, { origin: OURS }];
  const missing: [number, object] = [404, { code: 'not_found' }];
  answers({ platform, s1: missing });
  expect(await absenceOf('ushirika.test/log/s1')).toBe('no_such_log');
  expect(await absenceOf('other.test/log/s1')).toBe('other_host');
  expect(await absenceOf('other.test/log/platform')).toBe('other_host');
  expect(await lookUp(OURS)).toEqual({ facts: { origin: OURS }, absence: null });
  answers({ platform, s1: [503, {}] });
  expect(await absenceOf('other.test/log/s1')).toBeNull();
  answers({});
  expect(await absenceOf('ushirika.test/log/s1')).toBeNull();
});
