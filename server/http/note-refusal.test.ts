import { Writable } from 'node:stream';
import { route } from '@ushirika/contract/route';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { admit } from './admit.ts';
import { answerError } from './errors.ts';

const OFFICIAL = route({
  name: 'act',
  method: 'POST',
  path: '/things/{id}',
  summary: 'An act of officials.',
  caller: 'official',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: z.object({}),
});
const SACCO = '0192f0c1-2b3c-7a4d-8e5f-112233445566';

test('a refused act is logged with the person, the route and the code, without token, id or body', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const app = Fastify({ logger: { level: 'warn', stream } });
  app.setErrorHandler(answerError);
  app.post('/things/:id', (request) =>
    admit(
      OFFICIAL,
      request,
      {},
      {
        readSession: async (token) =>
          token === 'ended-token' ? null : { userId: 'user-1', sessionId: 's', isOperator: false, mayHoldOffice: true },
        standingOf: async () => ({ isMember: true, offices: [] }),
      },
    ),
  );
  const send = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/things/secret-id', headers, payload: { secret: 'secret-body' } });
  await send({ authorization: 'Token live-token', saccoid: SACCO });
  await send({ authorization: 'Token ended-token' });
  await send({ saccoid: SACCO });
  await app.close();
  expect(lines.map(({ code, route: at, user, method, level }) => ({ code, at, user, method, level }))).toEqual([
    { code: 'not_allowed', at: '/things/:id', user: 'user-1', method: 'POST', level: 40 },
    { code: 'session_ended', at: '/things/:id', user: null, method: 'POST', level: 40 },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/live-token|ended-token|secret-id|secret-body/);
});
