export function findBrowser(): string | null;
export function isBestBrowser(): boolean;
