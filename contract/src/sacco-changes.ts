import { z } from 'zod';
import { acted, listOf, route } from './route.ts';
import { said } from './said.ts';
import { instant } from './time.ts';
import { CHANGE_KINDS } from './vote-kinds.ts';

/*
 * What one official alone cannot change: a first official proposes, a second one confirms, and after a day it takes
 * effect (docs/decisions/153). A name takes effect at once. Terms are changed by vote (docs/decisions/191): two officials close a market or
 * a loan product at once, and change terms where fewer than three members can vote yet.
 */

/**
 * - `proposed`: waits for a second official; lapses after 7 days.
 * - `confirmed`: takes effect at `effective_at`; any official may still refuse it.
 * - `outdated`: what it was to change had changed meanwhile, or the sacco was not active: nothing was done.
 */
export const CHANGE_STATES = [
  'proposed',
  'confirmed',
  'in_force',
  'withdrawn',
  'refused',
  'lapsed',
  'outdated',
] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** Hours from the confirmation until new terms hold. */
export const CHANGE_DELAY_HOURS = 24;
/** Days that a proposal waits for a second official. */
export const CHANGE_LAPSES_AFTER_DAYS = 7;
/** Days for which what two officials close at once stays closed, unless members decide otherwise. */
export const CLOSED_DAYS = 14;
/** Days after that in which officials do not close the same thing again. */
export const CLOSED_AGAIN_DAYS = 30;
/** Proposals of one kind that the officials of a sacco, or a person for a name, may make in 24 hours. */
export const CHANGES_PER_DAY = 5;

const person = z.object({ id: z.uuid(), name: z.string() });
const values = z.record(z.string(), z.union([z.string(), z.number()]));

export const saccoChange = z.object({
  id: z.uuid(),
  kind: z.enum(CHANGE_KINDS),
  state: z.enum(CHANGE_STATES),
  before: values,
  after: values,
  proposed_by: person,
  proposed_at: instant,
  /** When it comes to nothing unless it is confirmed; null once it is confirmed or closed. */
  lapses_at: instant.nullable(),
  confirmed_by: person.nullable(),
  effective_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** Whether it holds as soon as it is confirmed, and not 24 hours later. */
  at_once: z.boolean(),
  /** Of what two officials closed at once: when it opens again, unless members decide otherwise; null once that is settled. */
  undo_at: instant.nullable(),
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(['confirm', 'refuse', 'withdraw'])),
  /** Why whoever asks may refuse it and not confirm it: another account that looks like theirs has proposed it (docs/decisions/189). */
  second_account: said.nullable(),
});
export type SaccoChange = z.infer<typeof saccoChange>;

export const listSaccoChanges = route({
  name: 'listSaccoChanges',
  method: 'GET',
  path: '/sacco/changes',
  summary:
    'Changes of a sacco’s terms and of its officials’ names that wait or were decided lately: all of them for officials; for members what is confirmed.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ sacco: z.uuid() }),
  reply: listOf(saccoChange),
});

const decided = acted({ change: saccoChange });

/** What a route answers that proposes a change, which another official then confirms. */
export const proposed = {
  status: 202,
  reply: decided,
  refusals: ['change_conflict', 'changes_limit_reached', 'second_official_required'],
} as const;

const params = z.object({ id: z.uuid() });

export const confirmSaccoChange = route({
  name: 'confirmSaccoChange',
  method: 'POST',
  path: '/sacco/changes/{id}/confirmation',
  summary: 'A second official says yes: terms hold 24 hours later, a name at once.',
  caller: 'official',
  repetition: 'natural',
  params,
  reply: decided,
  refusals: ['sacco_inactive', 'change_conflict', 'second_official_required'],
});

export const refuseSaccoChange = route({
  name: 'refuseSaccoChange',
  method: 'POST',
  path: '/sacco/changes/{id}/refusal',
  summary: 'Any other official says no, until it is in force.',
  caller: 'official',
  repetition: 'natural',
  params,
  reply: decided,
  refusals: ['sacco_inactive', 'change_conflict'],
});

export const withdrawSaccoChange = route({
  name: 'withdrawSaccoChange',
  method: 'POST',
  path: '/sacco/changes/{id}/withdrawal',
  summary: 'Whoever proposed it takes it back, until it is in force.',
  caller: 'signed_in',
  repetition: 'natural',
  params,
  reply: decided,
  refusals: ['change_conflict'],
});

export const saccoChangesContract = [
  listSaccoChanges,
  confirmSaccoChange,
  refuseSaccoChange,
  withdrawSaccoChange,
] as const;
