/** `1,250,000.50` as pages write it is `1250000.50` as the server reads it; anything else stays as it was typed. */
export function ungrouped(value: string): string {
  return /^\s*\d{1,3}(,\d{3})+(\.\d*)?\s*$/.test(value) ? value.replaceAll(',', '') : value;
}
