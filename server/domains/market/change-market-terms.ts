import { isDeepStrictEqual } from 'node:util';
import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { setMarketTerms as route } from '@ushirika/contract/market';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { BodyIn } from '@ushirika/contract/route';
import { longDateTime, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import type { About, ChangeExecutor, Recalled } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import type { MarketDependencies } from './market.types.ts';
import { mayCloseOrders, newRulesInWords } from './new-rules-in-words.ts';
import { lockTerms, setMarketTerms } from './set-market-terms.ts';
import { refusalOfNewTerms, refusalOfState, type TermsRow } from './terms.rules.ts';

/** The most people notified in one statement. */
const CHUNK = 1_000;

/** Terms in the form in which a change stores them, which is that of the request. */
export function termsToKeep(terms: TermsRow): ChangedValues & BodyIn<typeof route> {
  return {
    price_mode: terms.price_mode,
    floor_percentage: terms.floor_percentage,
    ceiling_percentage: terms.ceiling_percentage,
    tick: shillingsFromCents(terms.tick_cents),
    lot: terms.lot,
    fee_basis_points: terms.fee_basis_points,
    fee_min: shillingsFromCents(terms.fee_min_cents),
    order_days_max: terms.order_days_max,
    trading: terms.trading,
  };
}

export function termsKept(values: unknown): TermsRow {
  const { fee_min: fee_min_cents, tick: tick_cents, ...terms } = route.body.parse(values);
  return { ...terms, tick_cents, fee_min_cents };
}

/**
 * How new terms of a market come into force: members vote or two officials agree, members with open orders are told before, and
 * then `setMarketTerms` runs.
 */
export function marketTermsChange(dependencies: MarketDependencies = {}): ChangeExecutor {
  return {
    offices: route.offices ?? [],
    isDelayed: true,
    words: sentence('the rules of your share market'),
    current: async (tx, about) => termsToKeep(await lockTerms(tx, saccoOf(about))),
    async refusalOf(tx, about, payload) {
      const sacco = await lockSacco(tx, saccoOf(about));
      return refusalOfState(sacco) ?? refusalOfNewTerms(termsKept(payload), sacco.min_shares);
    },
    async announce(tx, about, payload, effectiveAt) {
      const saccoId = saccoOf(about);
      const before = await lockTerms(tx, saccoId);
      await tellTraders(tx, about.proposedBy, { saccoId, before, after: termsKept(payload), effectiveAt });
    },
    recall: (tx, about, recalled, toldAlready) => tellItDoesNotCome(tx, saccoOf(about), recalled, toldAlready),
    async closes(tx, about, payload) {
      const now = termsToKeep(await lockTerms(tx, saccoOf(about)));
      const isClosing = now.trading === 'open' && isDeepStrictEqual(payload, { ...now, trading: 'closed' });
      return isClosing ? now : null;
    },
    async apply(tx, about, payload) {
      const input = { saccoId: saccoOf(about), terms: termsKept(payload) };
      const { trading: before } = await lockTerms(tx, input.saccoId);
      await setMarketTerms(tx, { userId: about.proposedBy }, input, dependencies);
      if (input.terms.trading !== before) await tellItIsSwitched(tx, about.proposedBy, input);
    },
  };
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Terms of a market are of a sacco.');
  return saccoId;
}

interface Coming {
  readonly saccoId: string;
  readonly before: TermsRow;
  readonly after: TermsRow;
  readonly effectiveAt: Date;
}

/** Tells members with open orders a day before, in the app only: SMS might be thousands. */
async function tellTraders(tx: Tx, causedBy: string, { saccoId, before, after, effectiveAt }: Coming): Promise<void> {
  const [sacco] = await tx.sql<
    { value: number }[]
  >`select share_value_cents as value from saccos where id = ${saccoId}`;
  const { name, people } = await traders(tx, saccoId);
  const changes = newRulesInWords(before, after, sacco?.value ?? 0);
  const fate = mayCloseOrders(before, after)
    ? sentence(
        'Your open orders keep the fee they were placed with; those that no longer fit will be closed, and what they hold will be free.',
      )
    : sentence('Your open orders stay, and keep the fee they were placed with.');
  const at = longDateTime(effectiveAt);
  const values = { name, at, changes, fate };
  const text = sentence('{name}: the rules of the share market change from {at}. {changes} {fate}', values);
  await tellAll(tx, causedBy, people, { template: 'market_terms_coming', text });
}

/** Tells members whose orders wait that nobody trades now, or that trading goes on. */
async function tellItIsSwitched(
  tx: Tx,
  causedBy: string,
  { saccoId, terms: { trading } }: { readonly saccoId: string; readonly terms: Pick<TermsRow, 'trading'> },
): Promise<void> {
  const { name, people } = await traders(tx, saccoId);
  const text =
    trading === 'closed'
      ? sentence('{name}: the share market is closed from now on. Your open orders wait. You can cancel them.', {
          name,
        })
      : sentence('{name}: the share market is open again. Your open orders can be filled.', { name });
  await tellAll(tx, causedBy, people, { template: 'market_terms_switched', text });
}

/** The members with open orders, and what their sacco is called. */
async function traders(tx: Tx, saccoId: string) {
  const [sacco] = await tx.sql<{ name: string }[]>`select name from saccos where id = ${saccoId}`;
  const people = await tx.sql<{ user_id: string }[]>`
    select distinct user_id from share_orders where sacco_id = ${saccoId} and state = 'open' order by user_id`;
  return { name: sacco?.name ?? '', people };
}

/**
 * Tells the members who got the notice of a confirmed change that the rules stay. The rows of that notice say who they
 * are. They are found among present and former members of the sacco, by the index of each person's notifications.
 */
async function tellItDoesNotCome(
  tx: Tx,
  saccoId: string,
  { confirmedAt, effectiveAt, causedBy }: Recalled,
  toldAlready: readonly string[],
): Promise<void> {
  const [sacco] = await tx.sql<{ name: string }[]>`select name from saccos where id = ${saccoId}`;
  const people = await tx.sql<{ user_id: string }[]>`
    select distinct n.user_id from notifications n
    where n.user_id in (select user_id from memberships where sacco_id = ${saccoId})
      and n.template = 'market_terms_coming' and n.created_at = ${confirmedAt}
      and not n.user_id = any (${texts(toldAlready)}::uuid[])
    order by n.user_id`;
  const name = sacco?.name ?? '';
  const text = sentence(
    '{name}: the new rules of the share market that were to begin on {at} do not come. The rules stay as they are, and no order is closed for them.',
    { name, at: longDateTime(effectiveAt) },
  );
  await tellAll(tx, causedBy, people, { template: 'market_terms_not_coming', text });
}

async function tellAll(
  tx: Tx,
  causedBy: string | null,
  people: readonly { readonly user_id: string }[],
  { template, text }: { readonly template: string; readonly text: Sentence },
): Promise<void> {
  for (let start = 0; start < people.length; start += CHUNK) {
    const messages = people
      .slice(start, start + CHUNK)
      .map(({ user_id: userId }): Notice => ({ userId, topic: 'saccos', template, text, causedBy }));
    await notifyAll(tx, messages);
  }
}
