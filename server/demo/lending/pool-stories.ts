import type { PoolFields } from '../../domains/pools/create-pool.ts';
import { type DemoPerson, members, treasurer, wanjiru } from '../people.ts';
import { type DemoSacco, mwangaza, nuru, umoja } from '../saccos.ts';

/*
 * The pools of the demonstration: who is in which, and who asks for a guarantee.
 */

const person = (place: number) => members[place] as DemoPerson;

export interface DemoPool {
  readonly sacco: DemoSacco | null;
  readonly by: DemoPerson;
  readonly day: number;
  readonly fields: PoolFields;
  /** Who joins, on which day, with how many shillings. */
  readonly joins: readonly (readonly [who: DemoPerson, day: number, shillings: number])[];
}

export const fieldsOf = (
  name: string,
  contribution: number,
  share: number,
  base: number,
  trust: number,
): PoolFields => ({
  name,
  min_contribution: contribution * 100,
  min_contribution_perc: share * 100,
  min_member_period: 30,
  base_risk_percentage: base * 100,
  risk_weight_factor: 150,
  min_trust_score: trust,
});

/** The market women's pool: open, with Wanjiru and Otieno as its stewards. */
export const soko: DemoPool = {
  sacco: mwangaza,
  by: wanjiru,
  day: 300,
  fields: fieldsOf('Soko Guarantee Pool', 2_000, 20, 3, 60),
  joins: [
    [wanjiru, 302, 6_000],
    [treasurer, 302, 4_000],
    [person(0), 303, 5_000],
    [person(1), 304, 4_500],
    [person(2), 306, 3_000],
    [person(4), 307, 7_500],
    [person(6), 311, 5_000],
  ],
};

/**
 * The riders' pool of Umoja: open, with a guarantee below its automatic limit. It has one steward, a rider with money in it, so it
 * guarantees nothing above the limit. Most officials have no money in it: an official with money in a pool decides about no loan that it
 * backs.
 */
export const boda: DemoPool = {
  sacco: umoja,
  by: person(33),
  day: 312,
  fields: fieldsOf('Boda Engine Pool', 500, 25, 5, 40),
  joins: [
    [person(33), 314, 12_000],
    [person(31), 314, 8_000],
    [person(37), 315, 7_000],
    [person(39), 315, 10_000],
    [person(35), 316, 5_000],
    [person(36), 316, 8_000],
    [wanjiru, 317, 9_000],
    [person(38), 318, 6_000],
  ],
};

/** The teachers': two have joined, it is forming. */
export const walimu: DemoPool = {
  sacco: nuru,
  by: nuru.founder,
  day: 324,
  fields: fieldsOf('Walimu School Fees Pool', 5_000, 15, 2.5, 65),
  joins: [
    [nuru.founder, 326, 8_000],
    [person(43), 327, 6_000],
  ],
};

/** For neighbours of any sacco: forming. */
export const jirani: DemoPool = {
  sacco: null,
  by: wanjiru,
  day: 336,
  fields: fieldsOf('Jirani Open Pool', 1_000, 30, 6, 70),
  joins: [
    [wanjiru, 338, 1_500],
    [person(33), 340, 1_200],
    [person(44), 341, 2_000],
  ],
};

export interface Wanted {
  readonly pool: DemoPool;
  readonly by: DemoPerson;
  readonly day: number;
  readonly shillings: number;
  readonly months: number;
  readonly purpose: string;
}

export const engine: Wanted = {
  pool: boda,
  by: person(37),
  day: 352,
  shillings: 3_000,
  months: 12,
  purpose: 'A second-hand engine for my motorcycle',
};
export const tooMuch: Wanted = {
  pool: boda,
  by: person(36),
  day: 355,
  shillings: 25_000,
  months: 24,
  purpose: 'A second motorcycle, to be hired out',
};
/** Wanjiru declines it, with her reason: Otieno alone is too few. */
export const freezer: Wanted = {
  pool: soko,
  by: treasurer,
  day: 357,
  shillings: 4_000,
  months: 12,
  purpose: 'A freezer for fish at the stall',
};
export const stock: Wanted = {
  pool: soko,
  by: person(0),
  day: 364,
  shillings: 5_000,
  months: 6,
  purpose: 'Stock of kitenge cloth before December',
};
export const repair: Wanted = {
  pool: boda,
  by: wanjiru,
  day: 364,
  shillings: 2_000,
  months: 6,
  purpose: 'New tyres for the motorcycle that I hire out',
};
