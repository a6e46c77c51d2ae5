import { inLines, type Paper } from './paper.ts';

/*
 * A receipt as a PDF of one page with real text, that can be searched and copied. It is written here by hand: a page of text
 * in two of the fonts that every reader has (ISO 32000-1, 9.6.2.2) is some forty lines, and a library for it 300 KB.
 */

/** In points: as wide as A5, and as high as its text. */
const WIDTH = 420;
const MARGIN = 36;
const VALUES_AT = 156;
const LEAST_HEIGHT = 300;

type Font = 'F1' | 'F2';
interface Line {
  readonly text: string;
  readonly x: number;
  /** From the top. */
  readonly y: number;
  readonly size: number;
  readonly font: Font;
  /** Red, green and blue from 0 to 1. */
  readonly colour: string;
}

const INK = '0.11 0.12 0.1';
const FAINT = '0.36 0.38 0.35';
const FOREST = '0.07 0.33 0.23';

/** The rows of a QR code, without its quiet zone: true is dark. */
export type Code = readonly (readonly boolean[])[];

/**
 * The file's bytes. A code is drawn below the facts, as wide as the text. `held`: a member of the file's facts that programs read,
 * such as `/Name (text)`, in letters of ASCII.
 */
export function receiptPdf(paper: Paper, title: string, code: Code = [], held = ''): Uint8Array<ArrayBuffer> {
  const { lines, height: textHeight } = laidOut(paper);
  const room = WIDTH - 2 * MARGIN;
  const height = textHeight + (code.length > 0 ? room + MARGIN : 0);
  const band = `${FOREST} rg 0 ${height - 8} ${WIDTH} 8 re f`;
  const squares = drawnCode(code, room);
  const content = [band, ...lines.map((line) => drawn(line, height)), ...squares].join('\n');
  return bytesOf(
    fileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
      `<< /Title ${hexOf(title)} /Creator ${hexOf('Ushirika')} ${held} >>`,
    ]),
  );
}

/** Each line in its place, and how high the page is with them all. */
function laidOut({ mark, what, amount, facts, note = '' }: Paper): { lines: readonly Line[]; height: number } {
  const lines: Line[] = [];
  let y = 44;
  const put = (texts: readonly string[], style: Pick<Line, 'size' | 'font' | 'colour'>, x = MARGIN, from = y) =>
    texts.map((text, index) => lines.push({ text, x, y: from + index * style.size * 1.3, ...style })).length *
    style.size *
    1.3;
  const room =
    (size: number, x = MARGIN, to = WIDTH - MARGIN) =>
    (text: string) =>
      inLines(text, to - x, (part) => widthOf(part, size));
  put(['Ushirika'], { size: 18, font: 'F2', colour: FOREST });
  y += 32;
  y += put(room(10)(mark), { size: 10, font: 'F2', colour: FOREST }) + 6;
  y += put(room(13)(what), { size: 13, font: 'F1', colour: INK }) + 10;
  if (amount !== null) y += put([amount], { size: 22, font: 'F2', colour: INK }) + 6;
  for (const [name, value] of facts) {
    const names = put(room(10, MARGIN, VALUES_AT - 10)(name), { size: 10, font: 'F1', colour: FAINT });
    const values = put(room(10, VALUES_AT)(value), { size: 10, font: 'F2', colour: INK }, VALUES_AT);
    y += Math.max(names, values) + 7;
  }
  if (note) y += put(room(10)(note), { size: 10, font: 'F1', colour: INK }, MARGIN, y + 5) + 5;
  return { lines, height: Math.max(LEAST_HEIGHT, Math.ceil(y + MARGIN)) };
}

function drawn({ text, x, y, size, font, colour }: Line, height: number): string {
  return `BT ${colour} rg /${font} ${size} Tf ${x} ${(height - y).toFixed(2)} Td ${hexOf(text)} Tj ET`;
}

/** A square for each dark module, from the page's lower margin up. */
function drawnCode(code: Code, width: number): string[] {
  const side = width / Math.max(1, code.length);
  const at = (modules: number) => (MARGIN + modules * side).toFixed(3);
  const squares = code.flatMap((row, y) =>
    row.flatMap((isDark, x) =>
      isDark ? [`${at(x)} ${at(code.length - 1 - y)} ${side.toFixed(3)} ${side.toFixed(3)} re`] : [],
    ),
  );
  return squares.length > 0 ? [`${INK} rg`, ...squares, 'f'] : [];
}

/** The parts with their numbers, and the table of where each begins. */
function fileOf(parts: readonly string[]): string {
  let file = '%PDF-1.4\n';
  const starts = parts.map((part, index) => {
    const start = file.length;
    file += `${index + 1} 0 obj\n${part}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const size = parts.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${parts.length} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0));
}

/** Where WinAnsi, the fonts' own set of letters, differs from Latin-1. */
const WIN_ANSI: Readonly<Record<string, number>> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '−': 0x96,
  '—': 0x97,
  '\u00a0': 0x20,
};

/** A text as the fonts have it. A letter they have not is written without its marks, else as a question mark. */
function hexOf(text: string): string {
  const codes = [...text.normalize('NFC')].map((letter) => {
    const own = WIN_ANSI[letter] ?? letter.charCodeAt(0);
    if (letter.length === 1 && own <= 0xff) return own;
    const plain = letter.normalize('NFKD').charCodeAt(0);
    return plain <= 0x7e ? plain : 0x3f;
  });
  return `<${codes.map((code) => code.toString(16).padStart(2, '0')).join('')}>`;
}

/** How wide Helvetica sets a text, rather more than less, in points. */
function widthOf(text: string, size: number): number {
  let ems = 0;
  for (const letter of text) {
    if (/[ijl.,:;'’|!]/.test(letter)) ems += 0.28;
    else if (/[mwMW@%]/.test(letter)) ems += 0.94;
    else if (/\p{Lu}/u.test(letter)) ems += 0.74;
    else ems += /\s/.test(letter) ? 0.28 : 0.6;
  }
  return ems * size;
}
