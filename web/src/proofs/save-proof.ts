import type { ProofReceipt } from '@ushirika/contract/proofs';
import { type Receipt, tlogProofOf } from '@ushirika/verifier/receipt';
import { save } from '../receipts/receipt-files.ts';
import { factsIn } from '../verify/facts-of.ts';

/** The receipt of the contract is the verifier's: the same members, which each declares for itself. */
export const asReceipt = (receipt: ProofReceipt): Receipt => receipt as unknown as Receipt;

/** The name of a saved proof, without its ending: with the number that the page shows of the movement. */
export function fileNameOf(receipt: ProofReceipt): string {
  const { journal } = factsIn(asReceipt(receipt).opening);
  return `ushirika-proof-${journal ?? `entry-${receipt.entry.i}`}`;
}

const jsonFile = (receipt: ProofReceipt): File =>
  new File([JSON.stringify(receipt, null, 2)], `${fileNameOf(receipt)}.json`, { type: 'application/json' });

export function saveAsJson(receipt: ProofReceipt): void {
  const file = jsonFile(receipt);
  save(file, file.name);
}

export function saveAsProof(receipt: ProofReceipt): void {
  save(new Blob([tlogProofOf(asReceipt(receipt))], { type: 'text/plain' }), `${fileNameOf(receipt)}.tlog-proof`);
}

/** Hands the receipt to another app: as a file, or as the address that holds it where no files can be handed over. */
export async function shareProof(receipt: ProofReceipt, title: string, url: string): Promise<void> {
  const files = [jsonFile(receipt)];
  const canTake = 'canShare' in navigator && navigator.canShare({ files });
  // A reader who shares with nobody after all is no failure.
  await navigator.share(canTake ? { title, files } : { title, url }).catch(() => {});
}
