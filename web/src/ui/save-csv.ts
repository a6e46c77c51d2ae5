/** Hands the lines to the browser as a file that a spreadsheet opens. Text that may have a comma in it goes through `quoted`. */
export function saveCsv(name: string, lines: readonly (readonly string[])[]): void {
  const text = lines.map((line) => line.join(',')).join('\r\n');
  const address = URL.createObjectURL(new Blob([`\ufeff${text}\r\n`], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
