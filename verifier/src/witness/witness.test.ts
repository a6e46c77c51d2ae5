import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toBase64 } from '../bytes.ts';
import { nodeCrypto } from '../node-crypto.ts';
import { formatKey, isSignedBy, parseCheckpoint, parseKey } from '../note.ts';
import { type ServedLog, serveLog, TestLog, testKey } from '../test-log.ts';
import { followLogs } from './follow-logs.ts';
import { runWitness } from './run-witness.ts';
import { Witness, type WitnessStore } from './witness.ts';
import { lockWitness, WitnessFolder, witnessIdentity } from './witness-folder.ts';
import { witnessServer } from './witness-server.ts';

const { sha256 } = nodeCrypto;
const keys = testKey('sacco.example/log/1', 'log');
const log = new TestLog('sacco.example/log/1', keys);
/** The same log with another history from the fourth entry on, signed by the same key. */
const fork = new TestLog('sacco.example/log/1', keys, (at) => (at < 3 ? String(at) : `other ${at}`));
const stranger = testKey('sacco.example/log/1', 'log');
const served: ServedLog[] = [];
const folders: string[] = [];

let path: string;
let folder: WitnessFolder;
let witness: Witness;
let vkey: string;

async function newFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'witness-'));
  folders.push(made);
  return made;
}

async function openWitness(at: string, given = [keys.key]) {
  const me = await witnessIdentity('witness.example/w1', join(at, 'witness.key'), () => new Date(1_790_000_000_000));
  const opened = new WitnessFolder(at, given);
  return { folder: opened, witness: new Witness(nodeCrypto, opened, me), vkey: formatKey(sha256, me.key) };
}

async function serve(shown: TestLog, size: number): Promise<ServedLog> {
  const one = await serveLog(shown, size);
  served.push(one);
  return one;
}

const terminal = (lines: string[], stop: AbortSignal) => ({
  say: (line: string) => lines.push(line),
  stop,
  now: () => new Date(1_790_000_000_000),
});

/** What a witness knows of the log, without a disk. */
function inMemory(): WitnessStore {
  let [note, isBroken]: [string | null, boolean] = [null, false];
  return {
    log: async (origin) => ({ origin, keys: [keys.key], note, isBroken }),
    keepNote: async (_origin, kept) => {
      note = kept;
    },
    keepEvidence: async () => {
      isBroken = true;
    },
  };
}

beforeEach(async () => {
  path = await newFolder();
  ({ folder, witness, vkey } = await openWitness(path));
});
afterEach(async () => {
  await Promise.all(served.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await Promise.all(folders.map((each) => rm(each, { recursive: true })));
});

const add = (body: string) => witness.addCheckpoint(body);
const sizeKept = async () => {
  const note = (await folder.log(log.origin))?.note;
  return note ? parseCheckpoint(note).size : null;
};

describe('a witness that is asked to sign a head', () => {
  test('signs the first head and each that continues it, and its line is a signature of what it saw', async () => {
    const first = await add(log.body(0, 5));
    expect(first).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(first.body).toMatch(/^— witness\.example\/w1 \S+\n$/);
    const grown = await add(log.body(5, 12));
    expect(grown.status).toBe(200);
    const cosigned = parseCheckpoint(log.note(12) + grown.body);
    expect(await isSignedBy(nodeCrypto, cosigned, parseKey(sha256, vkey))).toBe(true);
    expect(await isSignedBy(nodeCrypto, cosigned, keys.key)).toBe(true);
    const kept = parseCheckpoint((await folder.log(log.origin))?.note ?? '');
    expect([kept.size, await isSignedBy(nodeCrypto, kept, parseKey(sha256, vkey))]).toEqual([12, true]);
    expect((await add(log.body(12, 12))).status).toBe(200);
  });

  test('answers 400 to what is no request', async () => {
    const wrong = [
      '',
      'old 5',
      log.body(0, 5).replace('old 0', 'old 00'),
      log.body(0, 5).replace('old 0', 'old -1'),
      log.body(0, 5).replace('old 0', 'new 0'),
      `old 1\n${`${toBase64(new Uint8Array(32))}\n`.repeat(64)}\n${log.note(5)}`,
      `old 1\nAAAA\n\n${log.note(5)}`,
      log.body(0, 5).slice(0, -5),
      log.body(0, 5).replace('old 0', 'old 6'),
    ];
    expect(await Promise.all(wrong.map(async (body) => (await add(body)).status))).toEqual(wrong.map(() => 400));
  });

  test('answers 404 to a log that it does not know', async () => {
    const other = new TestLog('other.example/log', testKey('other.example/log', 'log'));
    expect((await add(other.body(0, 5))).status).toBe(404);
  });

  test('answers 403 where no key that it knows has signed', async () => {
    expect((await add(`old 0\n\n${log.note(5, stranger)}`)).status).toBe(403);
    expect(await sizeKept()).toBe(null);
  });

  test('reads past a signature by a key that it does not know, and does not keep it', async () => {
    const own = log.note(5);
    const both = own + log.note(5, stranger).slice(own.indexOf('—'));
    expect((await add(`old 0\n\n${both}`)).status).toBe(200);
    expect(parseCheckpoint((await folder.log(log.origin))?.note ?? '').signatures).toHaveLength(2);
  });

  test('answers 409 with the size that it signed last, where the old size is another', async () => {
    expect(await add(log.body(3, 5))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '0\n' });
    await add(log.body(0, 5));
    expect(await add(log.body(3, 12))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '5\n' });
    expect((await add(log.body(0, 3))).body).toBe('5\n');
    expect(await sizeKept()).toBe(5);
  });

  test('answers 422 to a proof that does not hold, and keeps what it had', async () => {
    await add(log.body(0, 5));
    expect((await add(fork.body(5, 12))).status).toBe(422);
    expect((await add(`old 5\n\n${log.note(12)}`)).status).toBe(422);
    expect((await add(`old 5\n${log.proof(5, 12)[0]}\n\n${log.note(5)}`)).status).toBe(422);
    expect(await sizeKept()).toBe(5);
    // Anybody can send a wrong proof: it is no evidence against the log.
    expect((await add(log.body(5, 12))).status).toBe(200);
  });

  test('keeps both heads where a log has signed two of one size, and signs no other of it', async () => {
    await add(log.body(0, 5));
    expect((await add(`old 5\n\n${fork.note(5)}`)).status).toBe(409);
    const evidence = await readFile(folder.evidencePath(log.origin), 'utf8');
    expect(evidence).toContain('two different histories of 5 entries');
    expect(evidence).toContain(log.note(5).trim());
    expect(evidence).toContain(fork.note(5).trim());
    expect((await add(log.body(5, 12))).status).toBe(404);
    expect(await sizeKept()).toBe(5);
  });

  test('signs one of two heads that come at once, in whatever order', async () => {
    await add(log.body(0, 5));
    const answers = await Promise.all([log.body(5, 12), log.body(5, 9), log.body(5, 12)].map(add));
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409]);
    expect(answers[1]?.body).toBe('12\n');
    expect(await sizeKept()).toBe(12);
  });

  test('never signs less than it signed, whatever it is sent', async () => {
    const step = fc.record({ from: fc.nat(20), to: fc.nat(20), isFork: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const own = new Witness(
          nodeCrypto,
          inMemory(),
          await witnessIdentity('w', join(path, 'key'), () => new Date()),
        );
        let signed = 0;
        for (const { from, to, isFork } of steps) {
          const of = isFork ? fork : log;
          const body = [`old ${from}`, ...(from <= to ? of.proof(from, to) : []), '', of.note(to)].join('\n');
          const { status } = await own.addCheckpoint(body);
          if (status !== 200) continue;
          if (from !== signed || to < signed) return false;
          signed = to;
        }
        return true;
      }),
      { numRuns: 200 },
    );
  });

  test('goes on after a restart where it stopped', async () => {
    await add(log.body(0, 5));
    ({ witness } = await openWitness(path));
    expect((await add(log.body(0, 12))).body).toBe('5\n');
    expect((await add(log.body(5, 12))).status).toBe(200);
    expect((await readdir(path)).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect((await stat(join(path, 'witness.key'))).mode & 0o777).toBe(0o600);
  });
});

describe('over HTTP', () => {
  const withServer = async <T>(use: (url: string) => Promise<T>): Promise<T> => {
    const server = witnessServer(witness, vkey, () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  test('a head is posted, and what is too large or not text is not read', async () => {
    await withServer(async (url) => {
      const post = (body: string | Uint8Array<ArrayBuffer>) => fetch(`${url}/add-checkpoint`, { method: 'POST', body });
      expect(await (await fetch(url)).text()).toBe(`${vkey}\n`);
      const signed = await post(log.body(0, 5));
      expect([signed.status, (await signed.text()).startsWith('— witness.example/w1 ')]).toEqual([200, true]);
      const late = await post(log.body(0, 12));
      expect([late.status, late.headers.get('content-type'), await late.text()]).toEqual([
        409,
        'text/x.tlog.size',
        '5\n',
      ]);
      expect((await post('x'.repeat(70_000))).status).toBe(413);
      expect((await post(Uint8Array.of(0xff, 0xfe))).status).toBe(400);
      expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
      expect((await fetch(`${url}/else`, { method: 'POST', body: '' })).status).toBe(404);
    });
  });
});

describe('a witness that follows logs', () => {
  const follow = (...urls: string[]) => followLogs(urls, folder, witness);

  test('co-signs each head while the log only grows', async () => {
    const one = await serve(log, 5);
    expect(await follow(one.url)).toMatchObject([{ verdict: 'passed' }]);
    one.shows.size = 33;
    expect(await follow(one.url)).toMatchObject([{ verdict: 'passed', words: expect.stringContaining('33 entries') }]);
    expect(await sizeKept()).toBe(33);
  });

  test('says so where it takes a key on trust, and signs nothing by another key later', async () => {
    ({ folder, witness } = await openWitness(path, []));
    const one = await serve(log, 5);
    const [first] = await follow(one.url);
    expect(first).toMatchObject({ verdict: 'passed', words: expect.stringContaining('taken on trust') });
    one.shows = { log: new TestLog(log.origin, stranger), size: 9 };
    const [second] = await follow(one.url);
    expect(second).toMatchObject({
      verdict: 'failed',
      words: expect.stringContaining('no key that this witness knows'),
    });
    ({ folder, witness } = await openWitness(path, [stranger.key]));
    expect(await follow(one.url)).toMatchObject([{ verdict: 'passed' }]);
  });

  test('keeps both heads where a log shows two histories, of one size or of two', async () => {
    for (const [size, proofsOf] of [
      [5, undefined],
      [12, fork],
      [4, fork],
    ] as const) {
      const at = await newFolder();
      ({ folder, witness } = await openWitness(at));
      const one = await serve(log, 5);
      await follow(one.url);
      one.shows = { log: fork, size, proofsOf };
      const [found] = await follow(one.url);
      expect(found).toMatchObject({
        verdict: 'failed',
        words: expect.stringContaining('TWO SIGNED HEADS DO NOT AGREE'),
      });
      const evidence = await readFile(folder.evidencePath(log.origin), 'utf8');
      expect(evidence).toContain(fork.note(size).trim());
      one.shows = { log, size: 20 };
      expect(await follow(one.url)).toMatchObject([{ verdict: 'failed' }]);
      expect(await sizeKept()).toBe(5);
    }
  });

  test('checks nothing where a log is away, lags, gives no proof or sends it elsewhere', async () => {
    const [one, other] = [await serve(log, 12), await serve(log, 5)];
    await follow(one.url);
    one.shows = { log, size: 5, proofsOf: log };
    expect(await follow(one.url)).toMatchObject([
      { verdict: 'open', words: expect.stringContaining('shows 5 entries') },
    ]);
    one.shows = { log, size: 5 };
    expect(await follow(one.url)).toMatchObject([{ verdict: 'open' }]);
    one.shows = { log, size: 12, redirectTo: `${other.url}/checkpoint` };
    expect(await follow(one.url)).toMatchObject([{ verdict: 'open', words: expect.stringContaining('no answer') }]);
    expect(await follow('http://127.0.0.1:1/log', 'file:///etc/passwd')).toMatchObject([
      { verdict: 'open' },
      { verdict: 'open' },
    ]);
    expect(await sizeKept()).toBe(12);
  });

  test('tells of a log that is halted, and of one that was begun anew', async () => {
    const one = await serve(log, 5);
    const seen = async () => (await followLogs([one.url], folder, witness)).map(({ verdict }) => verdict);
    expect(await seen()).toEqual(['passed']);
    one.shows.says = { halted_at: '2026-11-29T07:00:00.000Z', generations: [{ origin: log.origin }] };
    expect(await seen()).toEqual(['failed']);
    one.shows.says = { halted_at: null, generations: [{ origin: log.origin }, { origin: `${log.origin}.2` }] };
    const [ended] = await followLogs([one.url], folder, witness);
    expect(ended?.words).toContain(`it has ended: ${log.origin}.2 was begun instead`);
  });

  test('takes no older head by a stranger for evidence', async () => {
    const one = await serve(log, 12);
    await follow(one.url);
    one.shows = { log: new TestLog(log.origin, stranger, (at) => `x${at}`), size: 5, proofsOf: fork };
    expect(await follow(one.url)).toMatchObject([{ verdict: 'failed', words: expect.stringContaining('no key') }]);
    expect((await folder.log(log.origin))?.isBroken).toBe(false);
  });

  test('does not follow an address that shows another log than before', async () => {
    const one = await serve(log, 5);
    await follow(one.url);
    const otherKeys = testKey('other.example/log', 'log');
    one.shows = { log: new TestLog('other.example/log', otherKeys), size: 5 };
    expect(await follow(one.url)).toMatchObject([
      { verdict: 'failed', words: expect.stringContaining('This address showed') },
    ]);
  });

  test('ends with 1 once two heads did not agree, with 2 where a log was away, with 0 otherwise', async () => {
    const one = await serve(log, 5);
    const at = await newFolder();
    const lines: string[] = [];
    const options = {
      urls: [one.url],
      keys: [],
      folder: at,
      name: 'w.example/1',
      keyFile: null,
      listen: null,
      everySeconds: null,
    };
    const run = () => runWitness(options, terminal(lines, new AbortController().signal));
    expect(await run()).toBe(0);
    one.shows.redirectTo = 'http://127.0.0.1:1/';
    expect(await run()).toBe(2);
    one.shows = { log: fork, size: 5 };
    expect(await run()).toBe(1);
    expect(lines.join('\n')).toContain('DO NOT AGREE');
  });
});

test('a witness that runs on answers, reads again, tells what it finds, and ends with 1 where somebody posts a second history', async () => {
  const one = await serve(log, 5);
  const lines: string[] = [];
  const said = async (words: string) => {
    await expect.poll(() => lines.join('\n'), { timeout: 10_000 }).toContain(words);
  };
  const stop = new AbortController();
  const ended = runWitness(
    {
      urls: [one.url],
      keys: [keys.vkey],
      folder: await newFolder(),
      name: 'w.example/1',
      keyFile: join(path, 'elsewhere.key'),
      listen: { host: '127.0.0.1', port: 0 },
      everySeconds: 1,
    },
    terminal(lines, stop.signal),
  );
  await said('5 entries, co-signed');
  one.shows.size = 33;
  await said('33 entries, co-signed');
  let reads = 0;
  one.server.on('request', () => {
    reads += 1;
  });
  await expect.poll(() => reads, { timeout: 10_000 }).toBeGreaterThan(2);
  const address = /http:\S+/.exec(lines.join('\n'))?.[0] ?? '';
  const { status } = await fetch(address, { method: 'POST', body: `old 33\n\n${fork.note(33)}` });
  expect(status).toBe(409);
  await said('two different histories of 33 entries');
  stop.abort();
  expect(await ended).toBe(1);
  expect(lines.filter((text) => text.includes('33 entries, co-signed'))).toHaveLength(1);
});

test('of witnesses that start at once one alone opens the folder, and one that was killed does not block it', async () => {
  const script = `import(process.argv[1]).then(({ lockWitness }) => lockWitness(process.argv[2])).then(
    () => { console.log('open'); setTimeout(() => {}, 60000); }, (error) => console.log(error.message))`;
  const module = new URL('./witness-folder.ts', import.meta.url).href;
  const starts = Array.from({ length: 6 }, () => spawn(process.execPath, ['-e', script, module, path]));
  try {
    const said = await Promise.all(
      starts.map((each) => new Promise<string>((resolve) => each.stdout.once('data', (text) => resolve(String(text))))),
    );
    const holder = starts[said.indexOf('open\n')];
    const refused = `Process ${holder?.pid} is a witness with the folder ${path} already.`;
    expect(said.toSorted()).toEqual([...Array(5).fill(`${refused}\n`), 'open\n']);
    await expect(lockWitness(path)).rejects.toThrow(refused);
    holder?.kill('SIGKILL');
    await new Promise((resolve) => holder?.once('exit', resolve));
    const unlock = await lockWitness(path);
    await expect(lockWitness(path)).rejects.toThrow('already');
    await unlock();
    await (await lockWitness(path))();
  } finally {
    for (const each of starts) each.kill('SIGKILL');
  }
});
