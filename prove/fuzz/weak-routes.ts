import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { contract } from '@ushirika/contract/contract';
import type { Route } from '@ushirika/contract/route';
import { route } from '@ushirika/contract/route';
import { z } from 'zod';
import type { Replaced } from '../../server/app.ts';
import { asSystem } from '../../server/db/person.ts';
import type { Database } from '../../server/db/tx.ts';
import { type Binding, bindHandler } from '../../server/http/bind.ts';

/** Routes as a careless hand would write them: the fuzzer must find each with no other act than its being there. */

const common = { method: 'GET', caller: 'anyone', repetition: 'read' } as const;

const sorted = route({
  ...common,
  name: 'weakSorted',
  path: '/weak/sorted',
  summary: 'Sorts as it is told.',
  query: z.object({ sort: z.string().max(80).optional() }),
  reply: z.object({ results: z.array(z.string()) }),
});

const searched = route({
  ...common,
  name: 'weakSearched',
  method: 'POST',
  path: '/weak/searched',
  summary: 'Searches by what it is given.',
  repetition: 'natural',
  body: z.object({ text: z.string().max(200) }),
  reply: z.object({ found: z.boolean() }),
});

const talkative = route({
  ...common,
  name: 'weakTalkative',
  path: '/weak/talkative',
  summary: 'Says more than its schema.',
  query: z.object({ limit: z.string().max(5).optional() }),
  reply: z.object({ count: z.number() }),
});

const silent = route({
  ...common,
  name: 'weakSilent',
  path: '/weak/silent/{page}',
  summary: 'Has nothing to say to some.',
  params: z.object({ page: z.string().min(1).max(40) }),
  reply: z.object({ page: z.string() }),
});

const indiscreet = route({
  ...common,
  name: 'weakIndiscreet',
  path: '/weak/indiscreet',
  summary: 'Tells everybody of everybody.',
  reply: z.object({ phones: z.array(z.string()) }),
});

const brusque = route({
  ...common,
  name: 'weakBrusque',
  path: '/weak/brusque',
  summary: 'Hangs up on people.',
  reply: z.object({ count: z.number() }),
});

/** Whoever asks for it over a line is hung up on before anything is said. */
function hangUp(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.includes(brusque.path)) request.socket.destroy();
  });
}

const bindings: Readonly<Record<string, (database: Database) => Binding>> = {
  'text in a statement': (database) =>
    bindHandler(sorted, async ({ query }) => {
      const found = await database.sql
        .unsafe<{ id: string }[]>(`select id::text from saccos order by ${query.sort ?? 'id'}`)
        .catch(() => []);
      return { results: found.map(({ id }) => id) };
    }) as Binding,
  'an unexpected throw': () =>
    bindHandler(searched, async ({ body }) => ({ found: new RegExp(body.text).test('Umoja') })) as Binding,
  'a field too many': () =>
    bindHandler(talkative, async () => ({ count: 1, also: 'this' }) as { count: number }) as Binding,
  'no answer': () =>
    bindHandler(silent, ({ params }) =>
      /\d/.test(params.page) ? new Promise(() => {}) : Promise.resolve({ page: params.page }),
    ) as Binding,
  'a line that is cut': () => {
    hangUp();
    return bindHandler(brusque, async () => ({ count: 1 })) as Binding;
  },
  'another person’s phone': (database) =>
    bindHandler(indiscreet, async () => {
      // As the platform itself: to the person who asks, PostgreSQL would show their own row alone.
      const rows = await asSystem(
        async () => await database.sql<{ phone: string }[]>`select phone from users order by id limit 3`,
      );
      return { phones: rows.map(({ phone }) => phone) };
    }) as Binding,
};

/** The contract with one weak route more, and its binding; what is no weak route's name changes nothing. */
export function weakened(
  name: string | undefined,
  database: Database,
): Replaced & { readonly contract: readonly Route[] } {
  const weak = name === undefined ? undefined : bindings[name]?.(database);
  if (!weak) return { contract };
  return { contract: [...contract, weak.route], bindings: (ours) => [...ours, weak], checkReplies: false };
}
