/**
 * PostgreSQL's array literals. A batch is sent as one text parameter for each column, which costs a tenth of
 * serializing each value. Add a cast where PostgreSQL cannot infer the type: `${integers(ids)}::bigint[]`.
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

/** An array of texts or UUIDs. A text with special characters is quoted, so it stays one element. */
export function texts(values: readonly (string | null)[]): string {
  let literal = '';
  // Columns such as a kind repeat one text, so each run of it is converted once.
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

/** Texts that need no quotes. Shorter ones are always quoted, since one could be the word null. */
const plain = /^[A-Za-z0-9_:.-]{5,}$/;

function element(value: string | null): string {
  if (value === null) return 'null';
  return plain.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** The elements of an array of numbers or ctids, from PostgreSQL's text form; none for null. */
export function parseArray(text: string | null): string[] {
  if (text === null || text === '{}') return [];
  return text.startsWith('{"') ? text.slice(2, -2).split('","') : text.slice(1, -1).split(',');
}
