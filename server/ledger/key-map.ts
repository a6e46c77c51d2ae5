import type { AccountKey } from './ledger.types.ts';

/** A map by account: by book, then kind, then owner. Three short look-ups cost less than joining the three texts. */
export class KeyMap<Value> {
  readonly #books = new Map<string, Map<string, Map<string | null, Value>>>();

  get({ book, kind, owner }: AccountKey): Value | undefined {
    return this.#books.get(book)?.get(kind)?.get(owner);
  }

  set({ book, kind, owner }: AccountKey, value: Value): void {
    const kinds = this.#books.get(book) ?? new Map<string, Map<string | null, Value>>();
    const owners = kinds.get(kind) ?? new Map<string | null, Value>();
    if (owners.size === 0) this.#books.set(book, kinds.set(kind, owners));
    owners.set(owner, value);
  }

  clear(): void {
    this.#books.clear();
  }
}
