/**
 * One cell of a file that a spreadsheet opens (RFC 4180). A text that begins like a formula gets an apostrophe before it, so that no spreadsheet
 * runs it.
 */
export function csvCell(text: string): string {
  const isNumber = /^-?\d+\.\d\d$/.test(text);
  const safe = !isNumber && /^[\s\p{Cf}]*[=+\-@\t\r\n|%＝＋－＠−]/u.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A whole file, with a byte-order mark: without it spreadsheets misread letters with accents. */
export const csvText = (lines: readonly (readonly string[])[]): string =>
  `\ufeff${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
