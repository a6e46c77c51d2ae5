import type { Route } from '@ushirika/contract/route';
import type { Pooled } from './values.ts';

const KEPT = 64;

/**
 * What replies gave away: ids, tokens, cursors and the rest, by kind, to be sent back by the same person and by others.
 * Of each kind the latest are kept.
 */
export class Pools {
  readonly #kinds = new Map<string, (string | number)[]>();
  readonly #lasting = new Map<string, (string | number)[]>();
  #reused = 0;

  /** How many requests carried something that a reply had given. */
  get reused(): number {
    return this.#reused;
  }

  add(kind: string, value: string | number): void {
    if (value === '' || String(value).length > 400) return;
    const kept = this.#kinds.get(kind) ?? [];
    if (kept.includes(value)) return;
    kept.push(value);
    if (kept.length > KEPT) kept.shift();
    this.#kinds.set(kind, kept);
  }

  /** What is never crowded out: every second one that is taken. */
  keep(kind: string, value: string | number): void {
    this.#lasting.set(kind, [...(this.#lasting.get(kind) ?? []), value]);
  }

  take({ kind, nth, spare }: Pooled): unknown {
    const [lasting, latest] = [this.#lasting.get(kind) ?? [], this.#kinds.get(kind) ?? []];
    const from = lasting.length > 0 && (nth % 2 === 0 || latest.length === 0) ? lasting : latest;
    if (from.length > 0) {
      this.#reused += 1;
      return from[(nth >> 1) % from.length];
    }
    if (spare !== undefined) return spare;
    const ids = this.#kinds.get('id') ?? [];
    return ids[nth % Math.max(1, ids.length)] ?? '00000000-0000-7000-8000-000000000000';
  }

  /** Puts every text of a reply away under its field's name, and an `id` under the name of what has it. */
  harvest(route: Route, body: unknown): void {
    this.#walk(body, [thingOf(route.path)], 0);
  }

  #walk(value: unknown, names: readonly string[], depth: number): void {
    if (depth > 8) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.#walk(item, names, depth + 1);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (typeof inner === 'number') this.add(singular(name), inner);
        else if (typeof inner === 'string') this.#putAway(singular(name), inner, names);
        else this.#walk(inner, name === 'results' ? names : [...names, singular(name)], depth + 1);
      }
      return;
    }
    if (typeof value === 'string') this.add(names.at(-1) ?? 'text', value);
  }

  #putAway(name: string, text: string, names: readonly string[]): void {
    if (name === 'next' || name === 'previous') {
      const cursor = /[?&]cursor=([^&]+)/.exec(text)?.[1];
      if (cursor) this.add('cursor', decodeURIComponent(cursor));
      return;
    }
    this.add(name, text);
    if (name !== 'id') return;
    for (const owner of new Set([names[0], names.at(-1)])) if (owner) this.add(owner, text);
  }
}

/** What the last word of a path before its parameter, or at its end, is about: `/operator/saccos/{id}` is of a `sacco`. */
export function thingOf(path: string, parameter?: string): string {
  const words = path.split('/').filter((word) => word !== '');
  const end = parameter === undefined ? words.length : words.indexOf(`{${parameter}}`);
  const before = words.slice(0, end).filter((word) => !word.startsWith('{'));
  return singular(before.at(-1) ?? 'id');
}

/** The kind of thing that a field of a route asks for. */
export function kindOf(route: Route, part: 'params' | 'query' | 'body', name: string): string {
  return name === 'id' && part === 'params' ? thingOf(route.path, name) : singular(name);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}
