/** Builds the web client where it is older than its sources. @returns false where that failed; the output says why */
export function buildWebClient(): Promise<boolean>;
