import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { serveWebClient } from './static.ts';

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ushirika-kept-'));
  made.push(path);
  return path;
}

function buildOf(name: string): string {
  const dist = join(folder(), 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(dist, 'index.html'), `<head></head>${name}`);
  writeFileSync(join(dist, 'assets', `index-${name}.js`), `'${name}'`);
  return dist;
}

async function serverOf(name: string, kept?: string) {
  const app = fastify();
  await serveWebClient(app, buildOf(name), { displayedMemberOffset: 0 }, kept);
  return (url: string) => app.inject({ url });
}

test('a server of a newer build has the files of the builds before it, for a year in every browser', async () => {
  const kept = folder();
  await serverOf('a', kept);
  const ask = await serverOf('b', kept);
  const answer = await ask('/assets/index-a.js');
  expect([answer.statusCode, answer.body]).toEqual([200, "'a'"]);
  expect(answer.headers['cache-control']).toContain('immutable');
  expect((await ask('/assets/index-b.js')).body).toBe("'b'");
  expect((await ask('/assets/index-c.js')).statusCode).not.toBe(200);
  expect((await ask('/assets/..%2Flast-use')).statusCode).not.toBe(200);
});

test('a server that runs on has the files of a newer build that started on the same data folder', async () => {
  const kept = folder();
  const ask = await serverOf('a', kept);
  await serverOf('b', kept);
  expect((await ask('/assets/index-b.js')).statusCode).toBe(200);
});

test('five builds are kept, no more', async () => {
  const kept = folder();
  for (const name of 'abcdefg') await serverOf(name, kept);
  expect(readdirSync(kept)).toHaveLength(5);
});

test('where the data folder cannot be written a server has its own files and starts all the same', async () => {
  const kept = join(folder(), 'file');
  writeFileSync(kept, '');
  const ask = await serverOf('a', join(kept, 'below'));
  expect((await ask('/assets/index-a.js')).statusCode).toBe(200);
  expect((await ask('/assets/index-b.js')).statusCode).not.toBe(200);
});
