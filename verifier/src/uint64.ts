/** Eight bytes, the highest first. @throws unless `value` is a whole number from 0 to 2^53 - 1 */
export function uint64(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('A whole number is needed.');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
