/**
 * PostgreSQL's array literals, written by hand: a batch goes over the wire as one text parameter per column, which
 * costs a tenth of serializing value by value. Cast each where its type is not known: `${integers(ids)}::bigint[]`.
 */

/** An array of safe integers. */
export function integers(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

export function integersOrNulls(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

export function booleans(values: readonly boolean[]): string {
  return `{${values.join(',')}}`;
}

/** An array of texts or UUIDs; whatever a text holds, it stays one element. */
export function texts(values: readonly (string | null)[]): string {
  let literal = '';
  // Columns such as a kind repeat one text: it is looked at once.
  let last: string | null = null;
  let written = 'null';
  for (const value of values) {
    if (value !== last) {
      last = value;
      written = element(value);
    }
    literal += literal === '' ? written : `,${written}`;
  }
  return `{${literal}}`;
}

/** Needs no quotes, unless it spells null. */
const plain = /^[A-Za-z0-9_:.-]{5,}$/;

function element(value: string | null): string {
  if (value === null) return 'null';
  return plain.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** The elements of an array of numbers or row places, from PostgreSQL's text form; none for null. */
export function parseArray(text: string | null): string[] {
  if (text === null || text === '{}') return [];
  return text.startsWith('{"') ? text.slice(2, -2).split('","') : text.slice(1, -1).split(',');
}
