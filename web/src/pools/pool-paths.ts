import { useLocation } from 'react-router';
import { paths } from '../paths.ts';

/** The addresses of pools, of requests for a guarantee and of guarantees, below one of the two lists of pools. */
function below(list: string) {
  return {
    list,
    pool: (id: string) => `${list}/${encodeURIComponent(id)}`,
    request: (id: string) => `${list}/requests/${encodeURIComponent(id)}`,
    contract: (id: string) => `${list}/contracts/${encodeURIComponent(id)}`,
  } as const;
}

export const clientPoolPaths = below(paths.clientGuarantorPools());
/** Where a guarantee is named in an application: loans stand after pools, and their own paths with them. */
export const loanApplicationPath = `${paths.client()}/loans/apply`;
/** A vote of a pool: votes stand after pools too. */
export const poolVotePath = (id: string) => `${paths.client()}/voting-proposals/${encodeURIComponent(id)}`;
/** One's own application that names a guarantee. */
export const poolLoanPath = (id: string) => `${paths.client()}/loans/${encodeURIComponent(id)}`;
export const publicPoolPaths = below(paths.guarantorPools());

/** Those of the area that somebody is in: whoever came from the client area stays in it. */
export function usePoolPaths() {
  return useLocation().pathname.startsWith(paths.client()) ? clientPoolPaths : publicPoolPaths;
}
