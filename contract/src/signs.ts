/*
 * Signs that nobody sees, and signs that mean the same as an ordinary one: one reading for numbers, names and texts.
 * Nothing here loads zod or a numbering plan: first views import it.
 */

/** Marks that programs put into what is copied. The one that turns letters round (U+202E) is not among them: what it hides is refused. */
const PASTED = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202d\u2060-\u2064\u2066-\u206f\ufeff]|[\ufe00-\ufe0f]/g;

export const withoutUnseen = (text: string): string => text.replace(PASTED, '');

/** Whether a sign is left that has no shape, or changes how those around it are shown. */
export const hasUnseen = (text: string): boolean => /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/**
 * Whether a text has signs that no text has: control characters but for line ends and tabs, which PostgreSQL cannot all hold; and what nobody
 * sees or what turns the direction of the letters around it. Joiners are not among them: words and pictures of several scripts need them.
 */
export const hasControls = (text: string): boolean =>
  /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u2800\u3164\ufeff\uffa0]/u.test(
    text,
  );

/** A text as people see it: forms of one letter are made one, and signs without a shape are gone. */
export const asSeen = (text: string): string =>
  text.normalize('NFKC').replace(/[\p{Default_Ignorable_Code_Point}\p{Me}]/gu, '');

/** Each kind of apostrophe and dash as the ordinary one. */
export const plainApostrophes = (text: string): string => text.replace(/[`´‘’‛ʹʻʼ′＇]/gu, "'");
export const plainDashes = (text: string): string => text.replace(/[\p{Pd}\u2212\u2043]/gu, '-');

/** Each kind of blank as the ordinary one, none at the ends, and never two. */
export const plainBlanks = (text: string): string => text.replace(/[\s\u2800]+/g, ' ').trim();
