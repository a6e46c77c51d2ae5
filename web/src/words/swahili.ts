import { journalTexts } from '@ushirika/contract/journals';
import client from './sw/client.json';
import desk from './sw/desk.json';
import publicPages from './sw/public.json';
import refusals from './sw/refusals.json';

/**
 * The Swahili for every text: the server's own sentences, the public pages and design system, the pages for whoever is
 * signed in, the settings and the operator's desk. A text of the client has one line in one of the files; say.test.ts
 * lists what is missing.
 */
export const swahili: Readonly<Record<string, string>> = {
  ...Object.fromEntries(journalTexts),
  ...refusals,
  ...desk,
  ...client,
  ...publicPages,
};
