import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from './db/test-database.ts';
import { arm, buggify, disarm } from './faults.proving.ts';
import { ask } from './gateways/ask.ts';

const database = await testDatabase();
await database.owner`create table acts (id integer primary key)`;
afterEach(() => void disarm());

const act = (id: number) => database.transaction((tx) => tx.sql`insert into acts values (${id})`);
const isThere = async (id: number) => (await database.owner`select from acts where id = ${id}`).length === 1;

/** Loads the database and the gateways as a process of its own would, and says what came with them. */
function loadedBy(...flags: string[]) {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ load: (url, context, next) => { seen.push(url); return next(url, context); } });
    await import(${JSON.stringify(fileURLToPath(new URL('./start.ts', import.meta.url)))});
    await import(${JSON.stringify(fileURLToPath(new URL('./gateways/ask.ts', import.meta.url)))});
    console.log(seen.filter((url) => url.includes('/faults')).map((url) => url.split('/').at(-1)).join());
    process.exit(0);`;
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...env, ...(flags.length > 0 ? {} : { FAULTS: '{"seed":1,"rates":{"commit_reply_lost":1}}' }) },
  });
}

test('a process that is not started for proving has no fault code, whatever its environment says', () => {
  expect(loadedBy().stdout.trim()).toBe('faults.ts');
  expect(loadedBy('--conditions=proving').stdout.trim()).toBe('faults.proving.ts');
});

test('in production the fault code refuses to be loaded even then', () => {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const file = fileURLToPath(new URL('./faults.proving.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    env: { ...env, NODE_ENV: 'production' },
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('never for production');
});

test('a COMMIT whose answer is lost is an unknown outcome, and done', async () => {
  arm({ seed: 1, rates: { commit_reply_lost: 1 } });
  await expect(act(1)).rejects.toMatchObject({ code: 'unknown_outcome' });
  expect(disarm()).toEqual({ commit_reply_lost: 1 });
  expect(await isThere(1)).toBe(true);
});

test('a connection that dies before COMMIT is sent leaves nothing, and says so', async () => {
  arm({ seed: 1, rates: { commit_never_sent: 1 } });
  await expect(act(2)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(await isThere(2)).toBe(false);
});

test('what could not begin is begun again; what waits before its COMMIT comes through', async () => {
  arm({ seed: 3, rates: { begin_lost: 0.5, commit_slow: 0.5 } });
  for (let id = 10; id < 20; id += 1) await act(id).catch((error) => expect(error.code).toBe('unavailable'));
  const { begin_lost, commit_slow } = disarm();
  expect(begin_lost).toBeGreaterThan(0);
  expect(commit_slow).toBeGreaterThan(0);
});

test('the same seed brings the same faults', async () => {
  const run = async () => {
    arm({ seed: 7, rates: { commit_reply_lost: 0.3 } });
    const outcomes: boolean[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      outcomes.push(
        await database
          .transaction(async () => {})
          .then(
            () => true,
            () => false,
          ),
      );
    }
    return outcomes;
  };
  const first = await run();
  expect(first).toContain(false);
  expect(await run()).toEqual(first);
});

test.each([
  ['gateway_unreached', 0, { kind: 'none', detail: 'ECONNREFUSED' }],
  ['gateway_answer_lost', 1, { kind: 'none', detail: 'timed out' }],
  ['gateway_fault', 1, { kind: 'other', status: 500, empty: true }],
] as const)('of %s the provider has seen %i requests', async (point, requests, answer) => {
  let seen = 0;
  const fetch = async () => {
    seen += 1;
    return new Response('{"ResponseCode":"0"}');
  };
  arm({ seed: 1, rates: { [point]: 1 } });
  const options = {
    method: 'POST',
    url: 'http://provider.test',
    headers: {},
    timeoutMs: 1000,
    bytesMax: 1000,
  } as const;
  expect(await ask({ ...options, fetch: fetch as typeof globalThis.fetch })).toEqual(answer);
  expect(seen).toBe(requests);
});

test('where faults are of whoever is at it, what others do meanwhile changes none of them', () => {
  const rates = { begin_lost: 0.5 } as const;
  const faultsOf = (order: readonly string[]) => {
    let who = '';
    arm({ seed: 5, rates, whose: () => who });
    const fates: Record<string, boolean[]> = {};
    for (const next of order) {
      who = next;
      fates[who] = [...(fates[who] ?? []), buggify('begin_lost')];
    }
    return fates;
  };
  const oneAfterTheOther = faultsOf([...'aaaaaaaa', ...'bbbbbbbb']);
  expect(faultsOf([...'abbbaababaabbaba'])).toEqual(oneAfterTheOther);
  expect(oneAfterTheOther.a).not.toEqual(oneAfterTheOther.b);
});
