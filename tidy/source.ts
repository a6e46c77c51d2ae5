import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';

/** The repo's root. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const skipped = new Set(['node_modules', 'dist', '.git', '.data', 'coverage', 'test-results', 'playwright-report']);

/** Every file below a folder of the repo, as paths from the root with `/`. */
export function filesIn(folder: string, endings: readonly string[]): string[] {
  const found: string[] = [];
  const walk = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const full = join(path, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (endings.some((ending) => entry.name.endsWith(ending)))
        found.push(relative(root, full).split(sep).join('/'));
    }
  };
  walk(join(root, folder));
  return found.sort();
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\/test-[\w-]+\.ts$|\.program\.ts$/.test(path) || path.startsWith('e2e/');

/** The hand-written source: what the rules are about. */
export function sourceFiles(): string[] {
  return ['contract', 'server', 'web/src', 'bench', 'prove', 'scripts', 'tidy', 'e2e', 'verifier'].flatMap((folder) =>
    filesIn(folder, ['.ts', '.tsx', '.mjs']),
  );
}

export interface Import {
  readonly from: string;
  /** The path from the root for a relative import; the specifier for any other. */
  readonly to: string;
  readonly line: number;
}

/** Static and dynamic imports, and re-exports. */
export function importsOf(path: string): Import[] {
  const text = read(path);
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    const to =
      specifier === '#faults'
        ? 'server/faults.ts'
        : specifier.startsWith('.')
          ? relative(root, resolve(root, dirname(path), specifier))
              .split(sep)
              .join('/')
          : specifier;
    return { from: path, to, line: text.slice(0, match.index).split('\n').length + 1 };
  });
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Parses a file and visits every node with its parent. */
export function visit(path: string, visitor: (node: Node, parent: Node | null) => void): void {
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts';
  const program = parseAst(read(path), { lang } as never) as unknown as Node;
  const walk = (node: Node, parent: Node | null) => {
    visitor(node, parent);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child && typeof child === 'object' && typeof (child as Node).type === 'string') walk(child as Node, node);
      }
    }
  };
  walk(program, null);
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
