import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Tx } from '../db/tx.ts';
import { CALLS, FAULTS, type FaultName, parseFaults } from './faults.ts';
import { reversePayment } from './payments.ts';
import { refuse } from './script-routes.ts';
import type { Core } from './simulator.types.ts';

const faultBody = z.object({
  call: z.enum([...CALLS, 'any']).default('any'),
  phone: z.string().optional(),
  /** `drop, duplicate=5` */
  faults: z.string().refine((text) => parseFaults(text) !== null, 'no such fault'),
  times: z.number().int().min(1).max(1_000_000).default(1),
});
const chaosBody = z.object({
  seed: z.string().min(1).max(100),
  calls: z.array(z.enum(CALLS)).default([...CALLS]),
  rates: z.partialRecord(z.enum(Object.keys(FAULTS) as FaultName[]), z.number().min(0).max(1)),
});
const reversalBody = z.object({ receipt: z.string().max(20) });
const settingsBody = z.object({
  auto: z.enum(['off', 'approve', 'endings']).optional(),
  c2b_register_once: z.boolean().optional(),
  /** Phones that the SMS provider refuses for good. */
  sms_refused: z
    .array(z.string().regex(/^\d{8,15}$/))
    .max(100)
    .optional(),
  /** Phones whose SMS the provider takes, and reports a moment later that they did not arrive. */
  sms_undelivered: z
    .array(z.string().regex(/^\d{8,15}$/))
    .max(100)
    .optional(),
});

/** Bad luck on order, for tests and for the curious: from this machine only. */
export function controlRoutes(app: FastifyInstance, core: Core): void {
  app.register(
    async (control) => {
      control.addHook('onRequest', async (request, reply) => {
        if (!isFromThisMachine(request)) return refuse(reply, 404, 'not_found', 'Not found.');
      });
      faultRoutes(control, core);
      truthRoutes(control, core);
    },
    { prefix: '/__control' },
  );
}

function faultRoutes(control: FastifyInstance, core: Core): void {
  control.get('/faults', async () => ({
    known: FAULTS,
    calls: CALLS,
    ready: await core.database.sql`
      select id, call, phone, faults, times_left from simulator.fault where times_left > 0 order by ordinal`,
  }));
  control.post('/faults', async (request, reply) => {
    const body = faultBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'validation_failed', z.prettifyError(body.error));
    const { call, phone, faults, times } = body.data;
    const id = core.database.newId();
    await core.act(
      (tx) => tx.sql`
        insert into simulator.fault (id, call, phone, faults, times_left)
        values (${id}, ${call}, ${phone ?? null}, ${faults}, ${times})`,
    );
    return { id };
  });
  control.delete('/faults', async () => {
    await core.act(async (tx) => {
      await tx.sql`delete from simulator.fault`;
      await tx.sql`delete from simulator.setting where name = 'chaos'`;
    });
    return { success: true };
  });
  control.post('/chaos', async (request, reply) => {
    const body = chaosBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'validation_failed', z.prettifyError(body.error));
    await core.act((tx) => keep(tx, 'chaos', JSON.stringify({ ...body.data, count: 0 })));
    return { success: true };
  });
}

function truthRoutes(control: FastifyInstance, core: Core): void {
  const { sql } = core.database;
  control.post('/settings', async (request, reply) => {
    const body = settingsBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'validation_failed', z.prettifyError(body.error));
    await core.act(async (tx) => {
      for (const [name, value] of Object.entries(body.data)) await keep(tx, name, String(value));
    });
    return { success: true };
  });
  control.post('/reversals', async (request, reply) => {
    const body = reversalBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'validation_failed', z.prettifyError(body.error));
    const isDone = await core.act((tx) => reversePayment(tx, body.data.receipt));
    return isDone ? { success: true } : refuse(reply, 404, 'not_found', 'No such payment.');
  });
  control.post('/tick', async () => ({ sent: await core.tick() }));
  control.get('/deliveries', async () => ({
    results: await sql`select * from simulator.delivery order by ordinal desc limit 500`,
  }));
  control.get('/truth', async () => ({
    payments: await sql`select * from simulator.payment order by completed_at desc, receipt limit 1000`,
    organisation: await sql`select name, balance_cents from simulator.organisation_account order by name`,
  }));
}

function keep(tx: Tx, name: string, value: string) {
  return tx.sql`
    insert into simulator.setting (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}

/** As server/http/probes.ts has them, which the simulator does not import. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;

/** By the socket, never by a header; what came through a proxy is not from here. */
function isFromThisMachine(request: FastifyRequest): boolean {
  const address = request.raw.socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
  return isLoopback && !PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
}
