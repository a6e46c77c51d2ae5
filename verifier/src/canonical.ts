/** A value that has one canonical text: no fractions, no numbers beyond 2^53 - 1, nothing undefined. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/**
 * The canonical JSON text of RFC 8785: names sorted by their UTF-16 units, no blanks. Numbers are whole, so that their text is the same
 * in every language. @throws for a fraction, a number beyond 2^53 - 1, half of a surrogate pair, and what is not `Plain`
 */
export function canonical(value: Plain): string {
  // A value whose names are sorted already has its canonical text from the platform's own writer, several times faster.
  return isInOrder(value) ? JSON.stringify(value) : written(value);
}

/** Whether a value is plain, with its names in order. @throws as `canonical` does */
function isInOrder(value: Plain): boolean {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('Half of a surrogate pair has no canonical text.');
    return true;
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('Only whole numbers have a canonical text here.');
    return true;
  }
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value !== 'object') throw new Error('Only plain values have a canonical text.');
  if (Array.isArray(value)) return value.reduce((isSorted, each) => isInOrder(each) && isSorted, true);
  let [isSorted, before] = [true, ''];
  // Names by `Object.keys`: pairs of `Object.entries` cost the log a tenth of its time.
  for (const name of Object.keys(value)) {
    if (!name.isWellFormed()) throw new Error('Half of a surrogate pair has no canonical text.');
    if (!isInOrder((value as { readonly [name: string]: Plain })[name] as Plain) || name < before) isSorted = false;
    before = name;
  }
  return isSorted;
}

/** The text of a plain value, whatever order its names are in. */
function written(value: Plain): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${written(each)}`);
  return `{${members.join(',')}}`;
}
