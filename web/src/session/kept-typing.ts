import { currentSession, onSignOut } from './session.ts';

const NAME = 'typed';

/** The texts that this person typed half, by their names; nothing where the browser stores nothing. */
function all(): Record<string, unknown> {
  try {
    const { whose, typed } = JSON.parse(sessionStorage.getItem(NAME) ?? '{}');
    return (whose === idOfPerson() && typed) || {};
  } catch {
    return {};
  }
}

const idOfPerson = () => currentSession()?.user.id;

function write(typed: object): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ whose: idOfPerson(), typed }));
  } catch {
    // It stays on the page.
  }
}

/**
 * Reads what the present person typed half; undefined where nothing is kept.
 * @param name says in which form, and about which row.
 */
export const readTyping = <T>(name: string): T | undefined => all()[name] as T | undefined;

/** Keeps it in this tab, also when the page is left or loaded again, until somebody signs out. Undefined forgets it. */
export const keepTyping = (name: string, typed: unknown): void => write({ ...all(), [name]: typed });

onSignOut(() => write({}));
