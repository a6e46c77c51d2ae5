import type { DeskListName } from './loans-desk.queries.ts';

/** The addresses of the credit desk's pages. */
export const deskPaths = {
  desk: () => '/client/desk',
  loans: (list?: DeskListName) => `/client/desk/loans${list ? `?list=${list}` : ''}`,
  loan: (id: string) => `/client/desk/loans/${encodeURIComponent(id)}`,
  checkOffs: (list?: 'to_check' | 'to_pay') => `/client/desk/check-offs${list ? `?list=${list}` : ''}`,
  checkOff: (id: string) => `/client/desk/check-offs/${encodeURIComponent(id)}`,
  products: () => '/client/desk/products',
} as const;
