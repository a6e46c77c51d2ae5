import { csvText } from '@ushirika/contract/csv';

/** Hands the lines to the browser as a file that a spreadsheet opens. */
export function saveCsv(name: string, lines: readonly (readonly string[])[]): void {
  const address = URL.createObjectURL(new Blob([csvText(lines)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
