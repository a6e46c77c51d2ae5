import type { Route } from '@ushirika/contract/route';
import { byTopic } from '@ushirika/contract/topics';
import { z } from 'zod';
import { matrixParts } from '../domains.ts';
import { PASSWORD } from '../support/product.ts';
import { TERMS } from './cast.ts';
import { type Fixture, gathered, id, is, leftOut, of } from './domain-part.ts';
import { INVITATION_CODE } from './objects.ts';

/**
 * Every parameter of the contract by its name, or by `route.name` where one route means another thing by it. A parameter
 * that is not here fails the matrix by name: nobody has said yet whose thing it may be the id of.
 */
const common: Readonly<Record<string, Fixture>> = {
  // What is somebody's.
  id: id('sacco'),
  'getDeposit.id': id('deposit'),
  'getWithdrawal.id': id('withdrawal'),
  'getClaim.id': id('claim'),
  'endPayer.id': id('prompt consent'),
  'endSession.id': id('session'),
  'acceptOffice.id': id('office invitation'),
  'changeOrder.id': id('order'),
  'cancelOrder.id': id('order'),
  'readContractNote.id': id('trade'),
  'cancelPriceAlert.id': id('price alert'),
  'confirmSaccoChange.id': id('sacco change'),
  'refuseSaccoChange.id': id('sacco change'),
  'withdrawSaccoChange.id': id('sacco change'),
  'resubmitSacco.id': id('rejected sacco'),
  'recordOfficial.id': id('waiting sacco'),
  'recordSaccoCheck.id': id('waiting sacco'),
  'activateSacco.id': id('waiting sacco'),
  'rejectSacco.id': id('waiting sacco'),
  'reinstateSacco.id': id('suspended sacco'),
  'upholdSaccoSuspension.id': id('suspended sacco'),
  'resolveMoneyException.id': id('money exception'),
  'confirmProposal.id': id('proposal'),
  'refuseProposal.id': id('proposal'),
  'objectSignedIn.id': id('disputed payment'),
  'decideSuspension.id': id('person'),
  'payOutSuspended.id': id('person'),
  ids: { kind: 'notification', isList: true },
  journal: id('journal'),
  sacco: id('sacco'),
  order: id('order'),
  deposit: id('deposit'),
  withdrawal: id('withdrawal'),
  query: id('status query'),
  comparison: id('float comparison'),
  secret: id('secret'),
  member: id('person'),
  created_by: id('person'),
  cursor: { cursor: true },

  // Who the asker is.
  phone: of(({ phone }) => phone),
  phone_number: of(({ phone }) => phone),
  id_number: of(({ idNumber }) => idNumber),
  email: of(({ email }) => email),
  first_name: of(({ firstName }) => firstName),
  last_name: is('Attacked'),
  current_password: is(PASSWORD),
  password: is('Another#2026'),
  user_type: is('client'),
  'login.password': is(PASSWORD),
  'logoutAll.password': is(PASSWORD),
  'askPayer.phone': of(({ phone }) => phone.replace(/^2547/, '2541')),
  'register.phone_number': of(({ phone }) => phone.replace(/^2547/, '2541')),
  'register.id_number': of(({ idNumber }) => `N${idNumber}`),
  'register.email': of(({ email }) => `new-${email}`),
  'recordOfficial.id_number': of((_, cast) => cast.person('bystander').idNumber),
  otp: is('123456'),
  'login.otp': leftOut,
  code: is('1234 5678'),
  'acceptOffice.code': is(INVITATION_CODE),
  'objectByCode.code': is('ABCD-EFGH-JKMN-PQRS'),
  reset_code: is('1234 5678'),
  referal_code: leftOut,

  // What is asked for: right for anybody who may ask.
  amount: is(100),
  'payShares.amount': is(1_000),
  shares: is(10),
  reg_fee: is(TERMS.reg_fee),
  min_shares: is(TERMS.min_shares),
  share_value: is(TERMS.share_value),
  total: is(TERMS.total),
  day: is(7),
  stars: is(4),
  comment: is('Good.'),
  transaction_id: of(({ idNumber }) => `SG${idNumber.padEnd(8, '0').slice(-8)}`),
  language: is('sw'),
  sms: is(byTopic((topic) => topic !== 'referrals')),
  name: of(({ name }) => `Matrix of ${name.replaceAll('_', ' ')}`),
  description: is('Savings for a market.'),
  reg_no: of(({ idNumber }) => `CS/${idNumber}`),
  type: leftOut,
  office: is('treasurer'),
  officials: is('too_few'),
  reason: is('Because the matrix asks.'),
  message: leftOut,
  note: is('Seen.'),
  point: is('certificate'),
  sasra_number: leftOut,
  action: is('dismiss'),
  'decideSuspension.action': is('suspend'),
  sought: of((_, cast) => cast.person('bystander').idNumber),
  user: leftOut,
  decision: is('deny'),
  // A price that nobody offers, so that an order waits; a change leaves the place in the queue.
  side: is('buy'),
  price: is(95),
  // As dear as the dearest offer that can be named.
  'takeOffer.price': is(104),
  'changeOrder.price': is(106),
  'changeOrder.shares': is(8),
  price_mode: is('band'),
  floor_percentage: leftOut,
  ceiling_percentage: leftOut,
  tick: is(0.5),
  lot: is(1),
  fee_basis_points: is(60),
  fee_min: is(10),
  order_days_max: leftOut,
  trading: leftOut,
  terms: leftOut,

  // What only narrows a list.
  limit: leftOut,
  kind: leftOut,
  from: leftOut,
  to: leftOut,
  format: is('csv'),
  search: leftOut,
  'listMembers.name': leftOut,
  'listMembers.card': leftOut,
  status: leftOut,
  sort: leftOut,
  open: leftOut,
  depth: leftOut,
  range: leftOut,
  expires_at: leftOut,
  v: leftOut,
  'listSaccos.name': leftOut,
};

export const fixtures = gathered(common, ...matrixParts.map((part) => part.fixtures));

export type Part = 'path' | 'query' | 'body' | 'header';

export interface Parameter {
  readonly name: string;
  readonly part: Part;
  readonly isRequired: boolean;
  readonly fixture: Fixture;
}

/** A place of a request where an id stands. */
export interface Position extends Parameter {
  readonly fixture: Extract<Fixture, { kind: string } | { cursor: true }>;
}

/** Sacco by header: where a route's caller is judged by it, or its policy says that the route reads it. */
const SACCO_HEADER: Parameter = { name: 'saccoId', part: 'header', isRequired: false, fixture: id('sacco') };

/** The parameters of a route by its schemas; names those of which nobody has said what they hold. */
export function parametersOf(route: Route, readsHeader: boolean): { known: Parameter[]; unknown: string[] } {
  const known: Parameter[] = [];
  const unknown: string[] = [];
  const parts = [
    ['path', route.params],
    ['query', route.query],
    ['body', route.body],
  ] as const;
  for (const [part, schema] of parts) {
    for (const [name, isRequired] of propertiesOf(schema)) {
      const fixture = fixtures[`${route.name}.${name}`] ?? fixtures[name];
      if (fixture) known.push({ name, part, isRequired, fixture });
      else
        unknown.push(`${route.name}: nobody has said in prove/matrix/fixtures.ts what "${name}" of its ${part} holds`);
    }
  }
  if (readsHeader) known.push(SACCO_HEADER);
  return { known, unknown };
}

export function isPosition(parameter: Parameter): parameter is Position {
  return 'kind' in parameter.fixture || 'cursor' in parameter.fixture;
}

function propertiesOf(schema: z.ZodType): [name: string, isRequired: boolean][] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.keys(json.properties ?? {}).map((name) => [name, json.required?.includes(name) ?? false]);
}

/** Entries of the table that no route of the contract has a parameter for any more. */
export function staleFixtures(routes: readonly Route[]): string[] {
  const used = new Set<string>();
  for (const route of routes) {
    for (const schema of [route.params, route.query, route.body]) {
      for (const [name] of propertiesOf(schema)) {
        used.add(fixtures[`${route.name}.${name}`] ? `${route.name}.${name}` : name);
      }
    }
  }
  return Object.keys(fixtures).filter((name) => !used.has(name));
}
