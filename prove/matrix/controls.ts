import { contract } from '@ushirika/contract/contract';
import { Refusal } from '@ushirika/contract/refusal';
import { OFFICES, type Office, type Route, route } from '@ushirika/contract/route';
import { Sentence } from '@ushirika/contract/sentence';
import { z } from 'zod';
import type { Replaced } from '../../server/app.ts';
import { type Binding, bindHandler, type Call } from '../../server/http/bind.ts';
import type { Control } from '../harness.ts';
import type { Examination, Order } from './examine.ts';
import { assignInMasses } from './mass-assignment.ts';

/** A way of breaking the product, with the routes at which it must be seen. */
export interface Breaking extends Control {
  readonly routes?: readonly string[];
  readonly replaced: (hand: OwnersHand) => Replaced;
  readonly look?: (examination: Examination, order: Order) => Promise<unknown>;
}

/** The owner's connection to the examined database, once there is one: for a handler that is made to do wrong. */
export interface OwnersHand {
  ask(statement: string, values?: string[]): Promise<Record<string, string>[]>;
}

const anyNewRoute = route({
  name: 'listEverything',
  method: 'GET',
  path: '/client/everything',
  summary: 'A route that somebody adds, with nothing else.',
  caller: 'signed_in',
  repetition: 'read',
  reply: z.object({}),
});

/** Puts another handler in the place of a route's own. */
function instead(
  name: string,
  act: (ours: (call: Call<Route>) => Promise<unknown>, call: Call<Route>) => Promise<unknown>,
) {
  return (bindings: Binding[]): Binding[] =>
    bindings.map((binding) => {
      if (binding.route.name !== name || binding.how !== 'handler') return binding;
      return { ...binding, handle: (call) => act(binding.handle, call) };
    });
}

export const breakings: readonly Breaking[] = [
  {
    name: 'everybody-belongs',
    breaks: 'everybody is taken for a member and official of every sacco',
    expected: /^(readReferralTerms|readStandingOrder) × .* expected 403 not_a_member, got 200/,
    routes: ['readReferralTerms', 'readStandingOrder'],
    replaced: () => ({
      gatekeepers: (ours) => ({
        ...ours,
        standingOf: async () => ({ isMember: true, offices: OFFICES as readonly Office[] }),
      }),
    }),
  },
  {
    name: 'everybody-operates',
    breaks: 'everybody who is signed in is taken for an operator',
    expected: /^suspendSacco × .* expected 403 not_allowed, got/,
    routes: ['suspendSacco'],
    replaced: () => ({
      gatekeepers: (ours) => ({
        ...ours,
        readSession: async (token, options) => {
          const session = await ours.readSession(token, options);
          return session && { ...session, isOperator: true };
        },
      }),
    }),
  },
  {
    name: 'write-before-check',
    breaks: 'a handler writes a row before it refuses',
    expected: /^getReceipt × .* was refused, and changed public\.audit_runs$/,
    routes: ['getReceipt'],
    replaced: (hand) => ({
      bindings: instead('getReceipt', async (ours, call) => {
        await hand.ask('insert into audit_runs (id, ran_at, breaches) values (gen_random_uuid(), now(), 0)');
        return ours(call);
      }),
    }),
  },
  {
    name: 'foreign-is-told',
    breaks: 'a withdrawal of somebody else’s is answered in other words than one that does not exist',
    expected: /^getWithdrawal × .* answered otherwise than one that does not exist/,
    routes: ['getWithdrawal'],
    replaced: (hand) => ({
      bindings: instead('getWithdrawal', async (ours, call) => {
        const { id } = call.params as { id: string };
        const [found] = await hand.ask('select from withdrawals where id = $1', [id]);
        return ours(call).catch((error: unknown) => {
          throw found && error instanceof Refusal
            ? new Refusal('not_found', { message: new Sentence('There is no such offer.', {}) })
            : error;
        });
      }),
    }),
  },
  {
    name: 'too-much-is-shown',
    breaks: 'a list of members shows everybody’s phone to everybody',
    expected: /^listMembers × .* (tells 2547\d+, the particular of|expected not to see "results\.phone_number")/,
    routes: ['listMembers'],
    replaced: (hand) => ({
      bindings: instead('listMembers', async (ours, call) => {
        const page = (await ours(call)) as { results: { id: string }[] };
        const phones = await hand.ask('select m.id, u.phone from memberships m join users u on u.id = m.user_id');
        const of = new Map(phones.map((row) => [row.id, row.phone]));
        return { ...page, results: page.results.map((row) => ({ ...row, phone_number: of.get(row.id) })) };
      }),
    }),
  },
  {
    name: 'header-is-believed',
    breaks: 'a handler believes a header that says who asks',
    expected: /^changePassword × .* fields that nobody declared made a difference at/,
    routes: ['changePassword'],
    replaced: () => ({
      bindings: instead('changePassword', async (ours, call) => {
        const userId = String(call.headers['x-user-id'] ?? call.actor?.userId);
        return ours({ ...call, actor: { ...call.actor, userId } } as Call<Route>);
      }),
    }),
    look: assignInMasses,
  },
  {
    name: 'new-route',
    breaks: 'a route is added to the contract, with nothing else',
    expected: /^listEverything is a route of the contract without a policy/,
    replaced: () => ({
      contract: [...contract, anyNewRoute],
      bindings: (ours) => [...ours, bindHandler(anyNewRoute, async () => ({})) as unknown as Binding],
    }),
  },
  {
    name: 'walls-are-down',
    breaks: 'the application’s checks are removed, and PostgreSQL’s own on one table too',
    expected: /^without the application’s checks, (readReferralTerms|changeReferralTerms) × /,
    routes: ['readReferralTerms', 'changeReferralTerms'],
    replaced: () => ({}),
  },
];
