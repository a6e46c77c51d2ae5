import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import core from '@messageformat/core';
import compileModule from '@messageformat/core/lib/compile-module.js';
import type { Plugin } from 'vite';

/** CommonJS: Node gives what is meant as the default, which the types have one step further. */
const MessageFormat = core as unknown as new (language: string) => object;
const compile = compileModule as unknown as (format: object, texts: Readonly<Record<string, string>>) => string;

const NAME = 'virtual:branching-texts/';

/**
 * `virtual:branching-texts/en` and `…/sw`: the web client's texts that have a plural or a select, each as a function of its
 * values by its English. They are compiled as the client is built, so that no parser of ICU texts is loaded.
 * @param folder the JSON files that have the Swahili of every text of the web client, by its English
 */
export function branchingTexts(folder: string): Plugin {
  return {
    name: 'ushirika:branching-texts',
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const language = id.slice(`\0${NAME}`.length);
      const pairs = swahiliIn(folder).map(([english, swahili]) => [english, language === 'sw' ? swahili : english]);
      const branching = pairs.filter(([, text = '']) => /\{\w+,/.test(text));
      return compile(new MessageFormat(language), Object.fromEntries(branching));
    },
  };
}

function swahiliIn(folder: string): [english: string, swahili: string][] {
  return readdirSync(folder).flatMap((name) =>
    Object.entries<string>(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  );
}
