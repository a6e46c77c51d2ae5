import { inWords } from '@ushirika/contract/in-words';
import { formatShillings } from '@ushirika/contract/money';
import type { Language } from '@ushirika/contract/notifications';
import { longDate, longDateTime, type Sentence, sentence } from '@ushirika/contract/sentence';
import anyAscii from 'any-ascii';
import PDFDocument from 'pdfkit';
import { startOfDay } from './history.ts';
import { centsOf, figuresOf, nairobiMinute, plainShillings, type Statement } from './statement.ts';

const MARGIN = 48;
const INK = '#1c2733';
const FAINT = '#66727f';
const LINE = '#d5dbe1';
const ACCENT = '#0b6b53';

/** Left edge, width and side of each column, on A4 (595 points wide). */
const COLUMNS = [
  { title: sentence('Date'), left: 48, width: 84, align: 'left' },
  { title: sentence('Description'), left: 136, width: 178, align: 'left' },
  { title: sentence('Receipt'), left: 318, width: 66, align: 'left' },
  { title: sentence('In'), left: 384, width: 50, align: 'right' },
  { title: sentence('Out'), left: 436, width: 50, align: 'right' },
  { title: sentence('Balance'), left: 488, width: 59, align: 'right' },
] as const;

type Document = InstanceType<typeof PDFDocument>;
/** Puts a sentence into the reader's language, in letters that the standard fonts have. */
type Say = (words: Sentence) => string;

/** The statement as an A4 PDF, in fonts that every PDF reader has. */
export async function statementPdf(statement: Statement, language: Language): Promise<Buffer> {
  const say: Say = (words) => latin(inWords(words, language));
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: say(sentence('Wallet statement')), Author: 'Ushirika', CreationDate: statement.madeAt },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  heading(document, statement, say);
  figures(document, statement, say);
  table(document, statement, say);
  pageNumbers(document, statement, say);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function heading(document: Document, { owner, from, to }: Statement, say: Say): void {
  document.font('Helvetica-Bold').fontSize(20).fillColor(ACCENT).text('Ushirika', MARGIN, MARGIN);
  document
    .fontSize(13)
    .fillColor(INK)
    .text(say(sentence('Wallet statement')), { continued: false });
  document.moveDown(0.6).font('Helvetica').fontSize(10);
  document.text(say(sentence('{name}, ID number {number}', { name: owner.name, number: owner.idNumber })));
  const span = { from: longDate(startOfDay(from)), to: longDate(startOfDay(to)) };
  document.fillColor(FAINT).text(say(sentence('{from} to {to}', span)));
  document.moveDown(1);
}

function figures(document: Document, statement: Statement, say: Say): void {
  const top = document.y;
  figuresOf(statement).forEach(([name, value], index) => {
    const left = MARGIN + index * 125;
    document.font('Helvetica').fontSize(8).fillColor(FAINT).text(say(name), left, top, { width: 120 });
    document
      .font('Helvetica-Bold')
      .fontSize(11)
      .fillColor(INK)
      .text(shown(value), left, top + 12, { width: 120 });
  });
  document.y = top + 44;
}

function table(document: Document, statement: Statement, say: Say): void {
  header(document, say);
  if (statement.rows.length === 0) {
    document
      .font('Helvetica')
      .fontSize(10)
      .fillColor(FAINT)
      .text(say(sentence('No money moved in this time.')), MARGIN, document.y + 8);
  }
  for (const row of statement.rows) {
    const amount = plain(centsOf(row));
    const cells = [
      nairobiMinute(row.at),
      say(row.description),
      row.receipt ?? '',
      row.direction === 'in' ? amount : '',
      row.direction === 'out' ? amount : '',
      plain(Math.round(row.balance * 100)),
    ];
    document.font('Helvetica').fontSize(8.5);
    const height = Math.max(
      ...cells.map((text, index) => document.heightOfString(text, { width: columnOf(index).width })),
    );
    if (document.y + height + 6 > document.page.height - MARGIN - 20) {
      document.addPage();
      header(document, say);
      document.font('Helvetica').fontSize(8.5);
    }
    cellsAt(document, cells, document.y, INK);
    rule(document, document.y + height + 3);
    document.y += height + 6;
  }
}

function header(document: Document, say: Say): void {
  const top = document.y;
  document.font('Helvetica-Bold').fontSize(8.5);
  cellsAt(
    document,
    COLUMNS.map(({ title }) => say(title)),
    top,
    FAINT,
  );
  rule(document, top + 13);
  document.y = top + 17;
}

function cellsAt(document: Document, cells: readonly string[], top: number, colour: string): void {
  document.fillColor(colour);
  cells.forEach((text, index) => {
    const { left, width, align } = columnOf(index);
    document.text(text, left, top, { width, align, lineBreak: true });
  });
  document.y = top;
}

const columnOf = (index: number) => COLUMNS[index] as (typeof COLUMNS)[number];

function rule(document: Document, y: number): void {
  document
    .moveTo(MARGIN, y)
    .lineTo(document.page.width - MARGIN, y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
}

function pageNumbers(document: Document, { madeAt }: Statement, say: Say): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page);
    // A text below the margin would start a new page.
    document.page.margins.bottom = 0;
    document.font('Helvetica').fontSize(8).fillColor(FAINT);
    const line = sentence('Made {at} (Nairobi). All amounts in Kenya shillings. Page {page} of {pages}', {
      at: longDateTime(madeAt),
      page: page - start + 1,
      pages: count,
    });
    document.text(say(line), MARGIN, document.page.height - 34, { lineBreak: false });
  }
}

const shown = (value: number) => latin(formatShillings(value));

/** `1,234.50` */
function plain(cents: number): string {
  return plainShillings(cents).replace(/\B(?=(\d{3})+(?=\.))/g, ',');
}

/** The standard fonts have Latin letters only: accents are dropped, and other scripts are written in Latin letters (አበበ: abebe). */
export function latin(text: string): string {
  const plain = text.replaceAll('\u00a0', ' ').replaceAll('−', '-').replaceAll('·', '-').normalize('NFC');
  return anyAscii(plain).replaceAll(/[^\x20-\x7e]/g, '?');
}
