import type { getPreferences, setPreferences } from '@ushirika/contract/notifications';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { currentSession } from '../session/session.ts';
import { chooseLanguage, currentLanguage, isLanguageChosen, type Language } from '../words/say.ts';

/**
 * Changes the language of the pages, and for whoever is signed in that of SMS and notices too.
 * @throws CallFailure where the server could not be told; the pages have changed all the same
 */
export async function keepLanguage(language: Language): Promise<void> {
  await chooseLanguage(language);
  if (!currentSession()) return;
  const kept = await call<typeof getPreferences>('GET', '/client/preferences');
  if (kept.language === language) return;
  await call<typeof setPreferences>('PUT', '/client/preferences', { body: { ...kept, language } });
  await refresh(['User']);
}

/**
 * After a sign-in: the pages take the account's language. One that was chosen on the page before the sign-in becomes the
 * account's (decision 043). Where the server cannot be asked the pages stay as they are.
 */
export async function takeUpLanguage(): Promise<void> {
  try {
    if (isLanguageChosen()) return await keepLanguage(currentLanguage());
    await chooseLanguage((await call<typeof getPreferences>('GET', '/client/preferences')).language);
  } catch {
    // Settings change it at any time.
  }
}
