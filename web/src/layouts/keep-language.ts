import type { getPreferences, setPreferences } from '@ushirika/contract/notifications';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { currentSession } from '../session/session.ts';
import { chooseLanguage, type Language } from '../words/say.ts';

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
