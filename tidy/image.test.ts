import { expect, test } from 'vitest';
import { read } from './source.ts';

/** The folders and files that the image is built from, as .dockerignore lists them after its `*`. */
const kept = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

test('the image is built from a list of what it needs: no settings, keys, history or data folder get into it', () => {
  expect(read('.dockerignore').split('\n')).toContain('*');
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').slice(0, -1),
  );
  const outside = copied.filter((path) => !kept.some((name) => path === name || path.startsWith(`${name}/`)));
  expect([outside, copied.includes('.')]).toEqual([[], false]);
  for (const secret of ['**/node_modules', '**/.data', '**/*.env', '**/.env*', '**/*.key', '**/*.pem']) {
    expect(read('.dockerignore').split('\n')).toContain(secret);
  }
});
