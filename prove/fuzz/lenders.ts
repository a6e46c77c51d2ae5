import { nairobiDay } from '@ushirika/contract/time';
import { setLoanProduct } from '../../server/domains/loans/change-loan-product.ts';
import type { testLateLoans } from '../../server/domains/loans/test-late-loans.ts';
import { DEVELOPMENT } from '../../server/domains/loans/test-loans.ts';
import type { Answer } from '../support/product.ts';
import type { Crowd } from './crowd.ts';
import type { Pools, Ready } from './pools.ts';

/* What all that the crowd borrows and pools is made with; lending.ts makes it. */

const DAY_MS = 86_400_000;
/** How long ago the loans that are late were paid out. */
export const PAID_OUT_DAYS = 199;

/** Who has a part in it: of the crowd, and people who ask for nothing, so that there is a second one at each step. */
export const CROWD = ['member', 'neighbour', 'official', 'secretary'] as const;
export const HELPERS = ['one', 'two', 'three', 'guest', 'backer', 'saver'] as const;
export type Name = (typeof CROWD)[number] | (typeof HELPERS)[number];

/** Somebody with a session of their own beside that of the campaign, which may have ended. */
export interface Hand {
  readonly id: string;
  readonly token: string;
  readonly sessionId: string;
}

/** What a set of loans and guarantees is made with. */
export interface Lending {
  readonly crowd: Crowd;
  readonly pools: Pools;
  readonly late: ReturnType<typeof testLateLoans>;
  readonly hands: Readonly<Record<Name, Hand>>;
  /** Here nothing is late. */
  readonly sacco: string;
  /** Here `neighbour` is late. */
  readonly lateSacco: string;
}

/** What waits for the code of an SMS. */
export interface Signature {
  readonly route: string;
  readonly as: Name;
  readonly template: string;
  readonly path: string;
  readonly sacco?: string;
  readonly body: object;
  readonly values: Ready;
}

/** A request that has to be answered well: what is built on it would not be there else. */
export async function asked(
  { crowd }: Pick<Lending, 'crowd'>,
  hand: Hand,
  [method, path]: readonly [method: string, path: string],
  sent: { readonly sacco?: string; readonly body?: object } = {},
): Promise<Answer['body']> {
  const key = crowd.product.database.newId();
  const { status, text, body } = await crowd.product.call(method, path, { token: hand.token, key, ...sent });
  if (status >= 300)
    throw new Error(`The campaign could not be prepared: ${method} ${path} answered ${status} ${text}`);
  return body;
}

/** Does something on an earlier day, at noon: a day of loans is not run before its morning. */
export async function daysAgo<T>({ crowd }: Pick<Lending, 'crowd'>, days: number, act: () => Promise<T>): Promise<T> {
  const { world } = crowd.product.database;
  const now = world.now();
  world.setNow(new Date(`${nairobiDay(new Date(now.getTime() - days * DAY_MS))}T12:00:00+03:00`));
  try {
    return await act();
  } finally {
    world.setNow(now);
  }
}

/** A product that wants so many guarantors. */
export function product({ crowd, hands, sacco }: Lending, guarantors: number): Promise<string> {
  const terms = { ...DEVELOPMENT, min_amount: 10_00, min_member_days: 0, min_guarantors: guarantors };
  const named = { ...terms, name: `With ${guarantors} guarantors`, saccoId: sacco };
  return crowd.product.database.transaction((tx) => setLoanProduct(tx, { userId: hands.official.id }, named));
}

/** The id in the list of members. */
export async function memberId({ crowd, sacco }: Lending, { id }: Hand): Promise<string> {
  const [row] = await crowd.product.database.owner<{ id: string }[]>`
    select id::text from memberships where sacco_id = ${sacco} and user_id = ${id}`;
  return row?.id ?? '';
}
