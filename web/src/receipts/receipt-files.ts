import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import type { Paper } from './paper.ts';
import { receiptPdf } from './receipt-pdf.ts';
import { receiptPicture } from './receipt-picture.ts';

/** Long enough for any browser to have taken the file. */
const TAKEN_MS = 60_000;

export function saveAsPdf(paper: Paper, name: string): void {
  save(new Blob([receiptPdf(paper, say('Receipt'))], { type: 'application/pdf' }), `${name}.pdf`);
}

/** The paper as a PDF, with a QR code below its facts, and with what programs find in it (`receiptPdf`). */
export async function savePaperWithCode(
  paper: Paper,
  { address, held }: { address: string; held: string },
  name: string,
): Promise<void> {
  const { encode } = await import('uqr');
  const { data } = encode(address, { ecc: 'L', border: 0 });
  save(new Blob([receiptPdf(paper, say('Receipt'), data, held)], { type: 'application/pdf' }), `${name}.pdf`);
}

export async function saveAsPicture(paper: Paper, name: string): Promise<void> {
  try {
    save(await receiptPicture(paper), `${name}.png`);
  } catch {
    toast.error(say('Your browser could not make the picture. Save it as PDF instead.'));
  }
}

/** Hands the picture to another app, such as WhatsApp; where no files can be handed over, the words. */
export async function shareReceipt(paper: Paper, text: string, name: string): Promise<void> {
  const title = say('Receipt');
  const files = await receiptPicture(paper).then(
    (picture) => [new File([picture], `${name}.png`, { type: 'image/png' })],
    () => [],
  );
  const withPicture = { title, files };
  const canTake = files.length > 0 && 'canShare' in navigator && navigator.canShare(withPicture);
  // Whoever shares with nobody after all has an answer that says so.
  await navigator.share(canTake ? withPicture : { title, text }).catch(() => {});
}

export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_MS);
}
