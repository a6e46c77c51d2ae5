import type { Route } from '@ushirika/contract/route';
import type { LookUp, Pooled } from './values.ts';

const KEPT = 64;
const CURSOR_OF = 'cursor of ';

/** What goes together in one request, by kind: a loan, its sacco, the hash of its terms. */
export type Ready = Readonly<Record<string, string | number>>;

/**
 * What replies gave away: ids, tokens, cursors and the rest, by kind, to be sent back by the same person and by others.
 * Of each kind the latest are kept.
 */
export class Pools {
  readonly #kinds = new Map<string, (string | number)[]>();
  readonly #lasting = new Map<string, (string | number)[]>();
  readonly #ready = new Map<string, Ready>();
  #shunned: readonly string[] = [];
  #reused = 0;
  #asker = '';

  /** How many requests carried something that a reply had given. */
  get reused(): number {
    return this.#reused;
  }

  /** What is never put away, and so never sent. */
  shun(texts: readonly string[]): void {
    this.#shunned = texts;
  }

  add(kind: string, value: string | number): void {
    if (this.#shunned.some((text) => String(value).includes(text))) return;
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

  /** Only these are kept of a kind from now on. */
  keepOnly(kind: string, values: readonly (string | number)[]): void {
    this.#lasting.set(kind, [...values]);
  }

  all(kind: string): readonly (string | number)[] {
    return [...(this.#kinds.get(kind) ?? [])];
  }

  /** What was of that kind is out of date. */
  replace(kind: string, values: readonly (string | number)[]): void {
    this.#kinds.set(kind, [...values]);
  }

  /** Somebody could take the step of a route with this, at this moment. */
  ready(route: string, as: string, values: Ready): void {
    this.#ready.set(`${route} by ${as}`, values);
  }

  /** Whether something was made ready for a route, of whomever. */
  hasReady(route: string): boolean {
    return [...this.#ready.keys()].some((key) => key.startsWith(`${route} by `));
  }

  forgetReady(): void {
    this.#ready.clear();
  }

  /** For one request: what is ready for its route and sender is taken as a whole, or nothing of it is. */
  lookUp(route: Route, as: string): LookUp {
    const ready = this.#ready.get(`${route.name} by ${as}`);
    let together: Ready | undefined;
    return (pooled) => {
      together ??= pooled.nth % 4 === 0 ? {} : (ready ?? {});
      const value = together[pooled.kind];
      if (value === undefined) return this.take(pooled, as);
      this.#reused += 1;
      return value;
    };
  }

  /** @param as who sends it: what a reply gave that person is drawn every third time, if there is any */
  take({ kind: asked, nth, spare }: Pooled, as: string): unknown {
    const own = this.#kinds.get(ownKind(asked, as)) ?? [];
    if (own.length > 0 && nth % 3 === 0) {
      this.#reused += 1;
      return own[nth % own.length];
    }
    // A cursor of another list now and then.
    const kind = asked.startsWith(CURSOR_OF) && nth % 8 === 7 ? 'cursor' : asked;
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
  harvest(route: Route, body: unknown, as: string): void {
    this.#asker = as;
    this.#walk(body, [thingOf(route.path)], 0);
    const page = body as { next?: unknown; previous?: unknown; data?: { next?: unknown } } | undefined;
    for (const link of [page?.next, page?.previous, page?.data?.next]) {
      const cursor = /[?&]cursor=([^&]+)/.exec(String(link))?.[1];
      if (!cursor) continue;
      this.add('cursor', decodeURIComponent(cursor));
      this.add(`${CURSOR_OF}${route.name}`, decodeURIComponent(cursor));
    }
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
    this.add(name, text);
    // An app is set up with the latest alone.
    if (name === 'secret') this.replace(ownKind(name, this.#asker), [text]);
    if (name !== 'id') return;
    for (const owner of new Set([names[0], names.at(-1)])) {
      if (!owner) continue;
      this.add(owner, text);
      this.add(ownKind(owner, this.#asker), text);
    }
  }
}

/** What one person has of a kind. */
export const ownKind = (kind: string, as: string) => `${kind} of ${as}`;

/** What the last word of a path before its parameter, or at its end, is about: `/operator/saccos/{id}` is of a `sacco`. */
function thingOf(path: string, parameter?: string): string {
  const words = path.split('/').filter((word) => word !== '');
  const end = parameter === undefined ? words.length : words.indexOf(`{${parameter}}`);
  const before = words.slice(0, end).filter((word) => !word.startsWith('{'));
  return singular(before.at(-1) ?? 'id');
}

/** The kind of thing that a field of a route asks for. */
export function kindOf(route: Route, part: 'params' | 'query' | 'body', name: string): string {
  if (name === 'cursor') return `${CURSOR_OF}${route.name}`;
  return name === 'id' && part === 'params' ? thingOf(route.path, name) : singular(name);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}
