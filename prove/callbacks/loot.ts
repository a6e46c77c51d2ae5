import { CALLBACK_SECRET } from '../support/product.ts';
import type { CallbackWorld } from './callback-world.ts';
import type { Genuine, Loot } from './hostile.ts';

/** What there is to be had at this moment: the newest callbacks, sent or not yet, and what is under way. */
export async function lootOf(world: CallbackWorld, lastYear: readonly Genuine[]): Promise<Loot> {
  const { owner } = world.product.database;
  const [genuine, payments, deposits, withdrawals, queries] = await Promise.all([
    genuineCallbacks(world, 60),
    owner<{ receipt: string }[]>`select receipt from simulator.payment order by completed_at desc, receipt limit 30`,
    owner<{ id: string; checkout: string; phone: string; amount: number }[]>`
      select id, coalesce(checkout_request_id, 'ws_CO_1') as checkout, phone, (amount_cents / 100)::int as amount
      from deposits order by (state in ('sending', 'sent')) desc, id desc limit 12`,
    owner<{ id: string; conversation: string; amount: number }[]>`
      select id, coalesce(conversation_id, '') as conversation, (amount_cents / 100)::int as amount
      from withdrawals order by (state in ('sending', 'sent')) desc, id desc limit 8`,
    owner<{ id: string }[]>`
      select id from status_queries order by (state in ('waiting', 'asked')) desc, id desc limit 10`,
  ]);
  return {
    genuine: genuine.length > 0 ? genuine : lastYear,
    lastYear,
    receipts: [...payments.map(({ receipt }) => receipt), 'NLJ7RT61SV'],
    accounts: world.people.map(({ account }) => account),
    phones: world.people.map(({ phone }) => phone),
    deposits,
    withdrawals,
    queries: queries.map(({ id }) => id),
  };
}

export async function genuineCallbacks(world: CallbackWorld, most: number): Promise<Genuine[]> {
  const rows = await world.product.database.owner<{ kind: Genuine['kind']; url: string; body: string }[]>`
    select kind, url, body from simulator.delivery where kind <> 'forged' order by ordinal desc limit ${most}`;
  return rows.map(({ kind, url, body }) => ({ kind, path: pathOf(url), body }));
}

/** The part of the address after the secret; of a payment to the paybill the other of its two addresses. */
function pathOf(url: string): string {
  const after = url.split(CALLBACK_SECRET)[1] ?? '';
  return after.startsWith('/stk') ||
    after.startsWith('/b2c') ||
    after.startsWith('/status') ||
    after.startsWith('/balance')
    ? after
    : `/c2b${after}`;
}
