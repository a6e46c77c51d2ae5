/** The addresses of the pages of proofs that other folders do not link to; the others are in ../paths.ts. */
export const proofPaths = {
  /** A receipt in the fragment, which the browser sends to no server. */
  verifyReceipt: (code: string) => `/verify#r=${code}`,
} as const;
