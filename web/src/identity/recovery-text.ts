/** A secret in groups of four, as a person reads it. */
export function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

/** The text that is copied and saved: whose codes these are, and one code on each line. */
export function recoveryText(idNumber: string, codes: readonly string[]): string {
  return `Ushirika ${idNumber}\n\n${codes.join('\n')}\n`;
}
