import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { API_BASE } from '@ushirika/contract/constants';
import type { Route } from '@ushirika/contract/route';
import type { FastifyInstance } from 'fastify';
import { otherRoutes } from './expected.ts';

/** Methods and addresses as Fastify itself has registered them, `GET /api/docs/json`. */
export type Registered = ReadonlySet<string>;

/** Watches every server that is made while it runs, and tells afterwards what one of them has registered. */
export function watchRoutes(): { of(server: unknown): Registered; end(): void } {
  const servers = new Map<unknown, Set<string>>();
  const onServer = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const seen = new Set<string>();
    servers.set(fastify, seen);
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) seen.add(`${each} ${url}`);
    });
  };
  subscribe('fastify.initialization', onServer);
  return {
    of: (server) => {
      const found = servers.get(server);
      if (!found || found.size === 0) throw new Error('No server told which routes it has.');
      return found;
    },
    end: () => unsubscribe('fastify.initialization', onServer),
  };
}

/** The address of a contract's route as the router knows it. */
export function addressOf(route: Route): string {
  return `${API_BASE}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

/** A stream has none: its head without its body would be an answer that never ends. */
export function hasHead(route: Route): boolean {
  return route.method === 'GET' && route.replyType !== 'sse';
}

/** What the server answers to and nobody has declared, and what is declared and nothing answers to. */
export function inventoryFaults(registered: Registered, routes: readonly Route[]): string[] {
  const declared = new Set(
    routes.flatMap((route) => {
      const own = `${route.method} ${addressOf(route)}`;
      // A HEAD is a GET whose body is left out: Fastify adds it, and carries it out the same way.
      return hasHead(route) ? [own, `HEAD ${addressOf(route)}`] : [own];
    }),
  );
  const isKnown = (one: string) => declared.has(one) || otherRoutes.some(({ pattern }) => pattern.test(one));
  const undeclared = [...registered].filter((one) => !isKnown(one));
  const gone = [...declared].filter((one) => !registered.has(one));
  const unused = otherRoutes.filter(
    ({ pattern, isOptional }) => !isOptional && ![...registered].some((one) => pattern.test(one)),
  );
  return [
    ...undeclared.map(
      (one) => `${one}: the server answers to it, and neither the contract nor prove/matrix/expected.ts has it`,
    ),
    ...gone.map((one) => `${one}: declared by the contract, and the server does not have it`),
    ...unused.map(({ pattern }) => `${pattern}: in prove/matrix/expected.ts, and the server has nothing of it`),
  ];
}
