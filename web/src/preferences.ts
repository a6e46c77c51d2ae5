/**
 * The person's choices about this device, the keys of logs that it has seen, and hashes of movements. They say in plain words nothing about who
 * signed in, so they outlive a sign-out, which clears everything else.
 */
const NAMES = ['language', 'theme', 'log_keys', 'seen_movements'] as const;
export type Preference = (typeof NAMES)[number];

export function readPreference(name: Preference): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writePreference(name: Preference, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser without storage keeps the choice for this page only.
  }
}

/** Clears local storage, but for the choices above. Throws when the browser refuses. */
export function clearLocalStorage(): void {
  const kept = NAMES.map((name) => [name, localStorage.getItem(name)] as const);
  localStorage.clear();
  for (const [name, value] of kept) if (value !== null) localStorage.setItem(name, value);
}
