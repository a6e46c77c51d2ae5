import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import type { Budget } from './budgets.ts';

interface Chunk {
  file: string;
  name?: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
}

/** Fails the build when the JavaScript that a first view loads is more than its budget. */
export function budgets(all: Budget[]): Plugin {
  let folder = '';
  return {
    name: 'ushirika:budgets',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        const over: string[] = [];
        for (const { view, modules, most } of all) {
          const bytes = bytesOfView(folder, modules);
          const line = `${view}: ${kilobytes(bytes)} kB of JavaScript, of ${kilobytes(most)} kB`;
          console.log(`  ${line}`);
          if (bytes > most) over.push(line);
        }
        if (over.length > 0) throw new Error(`Past the budget. ${over.join('; ')}`);
      },
    },
  };
}

/** The JavaScript, in bytes of brotli, that a view of a finished build loads: the entry and the view's modules. */
export function bytesOfView(folder: string, modules: string[]): number {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  return bytesOf(folder, filesOf(manifest, modules));
}

/** The scripts, as paths below the built folder, that the budgeted views load: what is kept for offline at once. */
export function scriptsOfViews(folder: string, all: readonly Budget[]): Set<string> {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  return new Set(all.flatMap(({ modules }) => [...filesOf(manifest, modules)]));
}

/** The entry, the view's modules, and all that they import statically. */
function filesOf(manifest: Record<string, Chunk>, modules: string[]): Set<string> {
  const files = new Set<string>();
  const walk = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    for (const imported of chunk.imports ?? []) walk(imported);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) walk(key);
  for (const part of modules) {
    const key = Object.keys(manifest).find((candidate) => candidate.startsWith(`src/${part}`));
    if (!key) throw new Error(`The budget names ${part}, which is no chunk of its own.`);
    walk(key);
  }
  return files;
}

function bytesOf(folder: string, files: Set<string>): number {
  return [...files].reduce((sum, file) => sum + brotli(readFileSync(join(folder, file))).length, 0);
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Writes a .br and a .gz beside every file that gets smaller by it, for static serving. */
export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'ushirika:compressed',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          if (!/\.(js|css|html|svg|json|webmanifest)$/.test(name) || name.startsWith('.vite')) continue;
          const bytes = readFileSync(join(folder, name));
          writeFileSync(join(folder, `${name}.br`), brotli(bytes));
          writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        }
      },
    },
  };
}

/** Asks for the font beside the first script, so that the text is not drawn twice. */
export function preloadedFont(name: string): Plugin {
  return {
    name: 'ushirika:preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((path) => path.includes(name) && path.endsWith('.woff2'));
        if (!file) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' };
        return [{ tag: 'link', injectTo: 'head', attrs }];
      },
    },
  };
}
