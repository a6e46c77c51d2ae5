/** The person as the register and login answers carry them. */
export interface StoredPerson {
  id: string;
  first_name: string;
  last_name: string;
  id_number: string;
  phone_number: string;
  email: string;
}

/** localStorage.user: the whole answer of the register or login call. */
export interface StoredSession {
  token: string;
  user: StoredPerson;
}

/** localStorage.sacco: the sacco that the person works in. The card's whole row is stored; these are what is read. */
export interface StoredSacco {
  id: string;
  name: string;
}

export type Stored<T> = { state: 'none' } | { state: 'corrupt' } | { state: 'present'; value: T };

/** Reads the text of localStorage.user. Missing, empty and the text `undefined` mean that nobody is signed in. */
export function parseStoredSession(text: string | null): Stored<StoredSession> {
  if (text === null || text === '' || text === 'undefined') return { state: 'none' };
  const value = parseObject(text);
  if (!value || !isText(value.token)) return { state: 'corrupt' };
  const person = value.user;
  if (!isObject(person) || !isText(person.id)) return { state: 'corrupt' };
  return { state: 'present', value: { ...value, token: value.token, user: personOf(person, person.id) } };
}

/** Reads the text of localStorage.sacco. */
export function parseStoredSacco(text: string | null): Stored<StoredSacco> {
  if (text === null || text === '' || text === 'undefined') return { state: 'none' };
  const value = parseObject(text);
  if (!value || !isText(value.id) || !isText(value.name)) return { state: 'corrupt' };
  return { state: 'present', value: { ...value, id: value.id, name: value.name } };
}

function personOf(person: Record<string, unknown>, id: string): StoredPerson {
  const text = (name: string) => (typeof person[name] === 'string' ? (person[name] as string) : '');
  return {
    ...person,
    id,
    first_name: text('first_name'),
    last_name: text('last_name'),
    id_number: text('id_number'),
    phone_number: text('phone_number'),
    email: text('email'),
  };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
