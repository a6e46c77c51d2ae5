/** Seeds that showed a fault of the product, with how many acts they need for it: they are run in every `npm test`. */
export const regressions: readonly { readonly found: string; readonly seed: number; readonly acts: number }[] = [];
