export type LoansView = 'mine' | 'calculator' | 'guarantees';

/** What a loan is worked out with, as the address has it. */
export interface TypedTerms {
  readonly product: string;
  readonly amount: string;
  readonly months: string;
}

/** The addresses of the member's pages of loans. */
export const loanPaths = {
  loans: (view?: LoansView) => `/client/loans${view && view !== 'mine' ? `?view=${view}` : ''}`,
  calculator: (terms: Partial<TypedTerms> = {}) =>
    `/client/loans?${new URLSearchParams({ view: 'calculator', ...terms })}`,
  apply: (terms: Partial<TypedTerms> = {}) => {
    const query = new URLSearchParams({ ...terms }).toString();
    return `/client/loans/apply${query ? `?${query}` : ''}`;
  },
  loan: (id: string) => `/client/loans/${encodeURIComponent(id)}`,
  /** The loan with the dialog open in which its guarantors are paid back. */
  payGuarantors: (id: string) => `/client/loans/${encodeURIComponent(id)}?open=pay-guarantors`,
  guarantee: (id: string) => `/client/loans/guarantees/${encodeURIComponent(id)}`,
} as const;
