import type { Route } from '@ushirika/contract/route';
import { allActs, matrixParts } from '../domains.ts';
import { gathered } from '../matrix/domain-part.ts';

/** Writing routes that the simulation leaves out, each with the reason. Reviewed: it should stay short. */
export const leftOut: Readonly<Record<string, string>> = gathered(
  ...matrixParts.map(({ withoutActs = {} }) => withoutActs),
  {
    objectByCode: 'nobody is given what another paid: those 48 hours are in server/domains/operator/proposals.test.ts',
    objectSignedIn: 'the same',
    payOutSuspended: 'an account is lifted as soon as it is suspended: server/domains/operator/suspensions.test.ts',
    balanceResult: 'it books nothing, and naive M-Pesa keeps no charges: server/domains/wallet/compare-float.test.ts',
    balanceTimeout: 'the same',
    smsDelivery: 'it moves nothing: server/domains/notifications/delivery.test.ts',
  },
);

/** A writing route that no act covers has no place in the naive books yet: each is named. */
export function uncovered(contract: readonly Pick<Route, 'name' | 'repetition'>[]): string[] {
  const covered = new Set(allActs.flatMap(({ routes }) => routes));
  const writing = contract.filter(({ repetition }) => repetition !== 'read').map(({ name }) => name);
  const missing = writing.filter((name) => !covered.has(name) && !Object.hasOwn(leftOut, name));
  const gone = [...covered, ...Object.keys(leftOut)].filter((name) => !writing.includes(name));
  return [
    ...missing.map((name) => `The writing route ${name} is in no act of the simulation (prove/model/acts/).`),
    ...gone.map((name) => `The simulation covers ${name}, which is no writing route any more.`),
  ];
}
