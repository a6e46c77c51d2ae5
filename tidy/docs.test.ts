import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, read, root } from './source.ts';

const documents = filesIn('.', ['.md']);
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>;

test('every link of the documents leads somewhere', () => {
  const dead: string[] = [];
  for (const document of documents) {
    for (const [, target = ''] of read(document).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:|#)/.test(target)) continue;
      if (!existsSync(join(root, dirname(document), target.replace(/#.*/, '')))) dead.push(`${document} -> ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('every command that the documents name exists', () => {
  const missing: string[] = [];
  for (const document of documents) {
    for (const [, name = ''] of read(document).matchAll(/`npm (?:run )?([a-z:-]+)/g)) {
      if (!(name in scripts) && !['ci', 'install', 'start', 'test', 'audit'].includes(name))
        missing.push(`${document}: npm run ${name}`);
    }
  }
  expect(missing).toEqual([]);
});

test('every path that the documents name in back-quotes exists', () => {
  const named = documents.flatMap((document) =>
    [
      ...read(document).matchAll(/`((?:contract|server|web|e2e|bench|prove|tidy|docs|deploy|scripts)\/[\w./{},-]+)`/g),
    ].flatMap(([, path = '']) => spelledOut(path).map((each) => ({ document, path: each }))),
  );
  const missing = named.filter(({ path }) => !existsSync(join(root, path)));
  expect(missing.map(({ document, path }) => `${document}: ${path}`)).toEqual([]);
});

/** `server/ledger/{post,batch-queue}.ts` is two. */
function spelledOut(path: string): string[] {
  const [, before = '', words = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return words === '' ? [path] : words.split(',').map((word) => `${before}${word}${after}`);
}

test('each decision has its own number', () => {
  const numbers = documents.filter((path) => path.startsWith('docs/decisions/')).map((path) => path.slice(15, 18));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});
