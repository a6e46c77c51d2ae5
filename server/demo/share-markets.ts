import type { Database, Tx } from '../db/tx.ts';
import type { MarketCommand } from '../domains/market/market.types.ts';
import { createPriceAlert } from '../domains/market/price-alerts.ts';
import { setMarketTerms } from '../domains/market/set-market-terms.ts';
import { expireOrders, tellTraders } from '../domains/market/tend-markets.ts';
import type { TermsRow } from '../domains/market/terms.rules.ts';
import { trade } from '../domains/market/trade.ts';
import { setPreferences } from '../domains/notifications/set-preferences.ts';
import { buy, topUp } from './money-acts.ts';
import { type DemoPerson, wanjiru } from './people.ts';
import { type DemoSacco, LEAVER, LEAVES_ON, mwangaza, nuru, umoja } from './saccos.ts';
import { at, type Cast, DAY_MS, type Happening, HOUR_MS, type Scene } from './scene.ts';
import {
  type Chance,
  chanceOf,
  type Mood,
  pushOrder,
  readMarketState,
  type TradingVenue,
  tradeSurely,
  tradingSession,
} from './trading-session.ts';

/** Orders end and traders are told, as by the jobs. */
export async function tendShareMarkets(database: Database): Promise<void> {
  await expireOrders(database, {});
  await tellTraders(database);
}

/** How a sacco's shares are traded in the story. */
interface MarketStory {
  readonly sacco: DemoSacco;
  /** Who trades, by position among the members. */
  readonly traders: readonly number[];
  readonly tickCents: number;
  /** What a trader brings: money by M-Pesa, and shares bought on top. */
  readonly broughtCents: number;
  readonly moreShares: number;
  readonly firstDay: number;
  /** How likely a weekday has trades, until the last fortnight. */
  readonly liveliness: number;
  /** Never so many days and more without. */
  readonly quietDaysMax: number;
  /** Sessions of a day of the last fortnight, by their hour after ten in the morning; and of the last day and night. */
  readonly hours: readonly number[];
  readonly lastDay: number;
  readonly sharesMax: number;
  /** What a share is worth to people, as a part of its value, by the day of the story. */
  readonly worth: (day: number) => number;
  readonly seed: number;
}

const wave = (day: number, length: number, shift = 0): number => Math.sin(((day + shift) / length) * 2 * Math.PI);

/** The sacco itself sells at a share's value, without a fee: few pay a member more. */
const DEAREST = 0.985;

const busy: MarketStory = {
  sacco: mwangaza,
  traders: [0, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17],
  tickCents: 50,
  broughtCents: 14_000_00,
  moreShares: 45,
  firstDay: 62,
  liveliness: 0.2,
  quietDaysMax: 3,
  hours: [0, 4],
  lastDay: 15,
  sharesMax: 20,
  worth: (day) =>
    Math.min(DEAREST, 0.953 + day * 0.00004 + 0.022 * wave(day, 173) + 0.01 * wave(day, 41, 7) + 0.006 * wave(day, 9)),
  seed: 11_482,
};

const quiet: MarketStory = {
  sacco: umoja,
  traders: [0, 1, 2, 3, 4, 5, 6],
  tickCents: 100,
  broughtCents: 3_000_00,
  moreShares: 15,
  firstDay: 90,
  liveliness: 0.07,
  quietDaysMax: 25,
  hours: [2],
  lastDay: 3,
  sharesMax: 8,
  worth: (day) => Math.min(DEAREST, 0.955 + 0.03 * wave(day, 210) + 0.012 * wave(day, 33)),
  seed: 2_051,
};

const TERMS: TermsRow = {
  price_mode: 'band',
  floor_percentage: 90,
  ceiling_percentage: 110,
  tick_cents: 100,
  lot: 1,
  fee_basis_points: 50,
  fee_min_cents: 10_00,
  order_days_max: 90,
  trading: 'open',
};

/** A year in which members sold their shares to one another: busily in one sacco, now and then in a second, at par in a third. */
export function shareMarkets(scene: Scene, cast: Cast): Happening[] {
  return [
    rules(scene, cast, mwangaza, { ...TERMS, tick_cents: busy.tickCents }),
    rules(scene, cast, nuru, { ...TERMS, price_mode: 'par' }),
    ...[busy, quiet].flatMap((market) => [
      ...market.traders.flatMap((position) => bringStakes(scene, cast, market, position)),
      ...tradingYear(scene, cast, market),
    ]),
    ...wanjirusTrades(scene, cast),
    ...exitAtPar(scene, cast),
    ...bookOfToday(scene, cast),
    ...fortnightOfTelling(scene),
  ];
}

/** What is told of late is told on its day; what is long ago, with the weekly jobs. */
function fortnightOfTelling({ database, ...scene }: Scene): Happening[] {
  const days = Array.from({ length: 13 }, (_, index) => 352 + index);
  return days.map((day) => ({
    at: at({ database, ...scene }, day, 8),
    what: 'traders are told',
    act: () => tellTraders(database),
  }));
}

function rules(scene: Scene, cast: Cast, sacco: DemoSacco, terms: TermsRow): Happening {
  return {
    at: at(scene, 12),
    what: `${sacco.name} sets the rules of its market`,
    act: (tx: Tx) => setMarketTerms(tx, cast.person(sacco.founder), { saccoId: cast.sacco(sacco), terms }),
  };
}

/** Somebody who trades has more than others, and no SMS for each sale. */
function bringStakes(scene: Scene, cast: Cast, market: MarketStory, position: number): Happening[] {
  const { sacco, broughtCents, moreShares } = market;
  const person = traderAt(market, position);
  const day = Math.max(market.firstDay - 2, 14 + position * 6);
  return [
    topUp(scene, cast, person, broughtCents, at(scene, day, 6)),
    {
      at: at(scene, day, 7),
      what: `${person.firstName} buys shares of ${sacco.name} to trade with`,
      async act(tx: Tx) {
        await buy(tx, cast, sacco, person, moreShares);
        const sms = { money: false, saccos: true, loans: true, pools: true, referrals: true };
        await setPreferences(tx, cast.person(person), { language: 'en', sms });
      },
    },
  ];
}

function traderAt({ sacco }: MarketStory, position: number): DemoPerson {
  const person = sacco.members[position];
  if (!person) throw new Error(`${sacco.name} has no member at position ${position}`);
  return person;
}

/** Days with trades and days without; in the last fortnight a few times a day, and then every hour or so until now. */
function tradingYear(scene: Scene, cast: Cast, market: MarketStory): Happening[] {
  const chance = chanceOf(market.seed);
  const happenings: Happening[] = [];
  const lastNight = scene.end.getTime() - DAY_MS;
  let quietDays = 0;
  for (let day = market.firstDay; day < 365; day += 1) {
    const isLate = day >= 351;
    for (const hour of isLate ? market.hours : [Math.floor(chance() * 6)]) {
      const when = new Date(at(scene, day, hour).getTime() + Math.floor(chance() * 50) * 60_000);
      const isOpen = isLate
        ? !isRestDay(when) || chance() < 0.4
        : hasTrades(when, market.liveliness, chance) || quietDays >= market.quietDaysMax;
      quietDays = isOpen ? 0 : quietDays + 1;
      if (isOpen && when.getTime() < lastNight) happenings.push(session(scene, cast, market, when, chance));
    }
  }
  for (let index = market.lastDay; index > 0; index -= 1) {
    const when = new Date(scene.end.getTime() - 240_000 - Math.round(((index - 0.5) / market.lastDay) * 23 * HOUR_MS));
    if (isWaking(when)) happenings.push(session(scene, cast, market, when, chance));
  }
  return happenings;
}

/** The clock of Nairobi. */
const nairobi = (when: Date): Date => new Date(when.getTime() + 3 * HOUR_MS);
const isRestDay = (when: Date): boolean => nairobi(when).getUTCDay() === 0;
const isWaking = (when: Date): boolean => nairobi(when).getUTCHours() >= 7 && nairobi(when).getUTCHours() < 22;

/** Wages come at the end of a month, and with them buyers. */
function hasTrades(when: Date, liveliness: number, chance: Chance): boolean {
  const draw = chance();
  if (isRestDay(when)) return false;
  const date = nairobi(when).getUTCDate();
  return draw < (date >= 26 || date <= 3 ? Math.min(1, liveliness * 1.9) : liveliness);
}

function session(scene: Scene, cast: Cast, market: MarketStory, when: Date, chance: Chance): Happening {
  return {
    at: when,
    what: `members trade shares of ${market.sacco.name}`,
    async act(tx: Tx) {
      const mood: Mood = {
        fairCents: fairAt(scene, market, when) + Math.round((chance() - 0.5) * 5) * market.tickCents,
        makers: 1 + Math.floor(chance() * 2.4),
        takers: 1 + Math.floor(chance() * 2.6),
        sharesMax: market.sharesMax,
      };
      await tradingSession(tx, venueOf(cast, market), mood, chance);
    },
  };
}

function fairAt({ start }: Scene, { sacco, tickCents, worth }: MarketStory, when: Date): number {
  const cents = sacco.shareValueCents * worth((when.getTime() - start.getTime()) / DAY_MS);
  return Math.round(cents / tickCents) * tickCents;
}

/** Those who have entered so far. */
function venueOf(cast: Cast, market: MarketStory): TradingVenue {
  const { sacco, tickCents } = market;
  const { minShares, shareValueCents } = sacco;
  return {
    saccoId: cast.sacco(sacco),
    minShares,
    tickCents,
    floorCents: shareValueCents * 0.91,
    ceilingCents: shareValueCents * 1.02,
    traders: market.traders.flatMap((position) => cast.people.get(traderAt(market, position).idNumber) ?? []),
  };
}

/** What Wanjiru has bought and sold of late: contract notes of both kinds. */
function wanjirusTrades(scene: Scene, cast: Cast): Happening[] {
  const acts: [day: number, hour: number, side: 'buy' | 'sell', shares: number][] = [
    [346, 4, 'buy', 6],
    [354, 4, 'sell', 4],
    [362, 4, 'buy', 9],
    [363, 4, 'sell', 5],
  ];
  return acts.map(([day, hour, side, shares]) => ({
    at: at(scene, day, hour),
    what: `Wanjiru comes to ${side} ${shares} shares`,
    async act(tx: Tx) {
      const { askCents, bidCents } = await bestOf(tx, cast);
      const priceCents = side === 'buy' ? askCents + 2 * busy.tickCents : bidCents - 2 * busy.tickCents;
      const { userId } = cast.person(wanjiru);
      const saccoId = cast.sacco(mwangaza);
      const expiresAt = new Date(tx.now.getTime() + 2 * HOUR_MS);
      const order: MarketCommand = { kind: 'place', userId, saccoId, side, shares, priceCents, expiresAt };
      await tradeSurely(tx, [order]);
    },
  }));
}

/** Who leaves Nuru sells all the shares that there are, at their value; one colleague has taken a part. */
function exitAtPar(scene: Scene, cast: Cast): Happening[] {
  const saccoId = () => cast.sacco(nuru);
  const leaver = nuru.members[LEAVER] as DemoPerson;
  const buyer = nuru.members[6] as DemoPerson;
  const priceCents = nuru.shareValueCents;
  return [
    {
      at: at(scene, LEAVES_ON, 14),
      what: `${leaver.firstName} offers all shares of Nuru`,
      async act(tx: Tx) {
        const { userId } = cast.person(leaver);
        const state = await readMarketState(tx, { ...venueOf(cast, busy), saccoId: saccoId(), traders: [userId] });
        const shares = state.shares.get(userId) ?? 0;
        const offer = { kind: 'place', userId, saccoId: saccoId(), side: 'sell', shares, priceCents } as const;
        await tradeSurely(tx, [{ ...offer, expiresAt: null }]);
      },
    },
    {
      at: at(scene, LEAVES_ON + 16, 3),
      what: `${buyer.firstName} buys some of them`,
      async act(tx: Tx) {
        const { userId } = cast.person(buyer);
        const wish = { kind: 'place', userId, saccoId: saccoId(), side: 'buy', shares: 15, priceCents } as const;
        await tradeSurely(tx, [{ ...wish, expiresAt: null }]);
      },
    },
  ];
}

/** At the end of the story a book stands with several members on many prices, Wanjiru among them. */
function bookOfToday(scene: Scene, cast: Cast): Happening[] {
  const chance = chanceOf(7);
  const inBook = (minutes: number, what: string, act: (tx: Tx) => Promise<unknown>): Happening => ({
    at: new Date(scene.end.getTime() - minutes * 60_000),
    what,
    act,
  });
  return [
    // One side after the other, since each trader comes once in a go.
    ...(['sell', 'buy', 'sell', 'buy'] as const).map((side, index) =>
      inBook(3.5 - index / 10, 'the book of Mwangaza fills', (tx) => fillLevels(tx, cast, side, chance)),
    ),
    inBook(2.5, 'Wanjiru places two orders and an alert', async (tx) => {
      const { userId } = cast.person(wanjiru);
      const saccoId = cast.sacco(mwangaza);
      const { askCents, bidCents } = await bestOf(tx, cast);
      const expiresAt = new Date(tx.now.getTime() + 30 * DAY_MS);
      const own = { kind: 'place', userId, saccoId, expiresAt } as const;
      await tradeSurely(tx, [
        { ...own, side: 'buy', shares: 10, priceCents: bidCents - 2 * busy.tickCents },
        { ...own, side: 'sell', shares: 12, priceCents: askCents + 3 * busy.tickCents },
      ]);
      await createPriceAlert(tx, { userId }, { saccoId, priceCents: bidCents - 4 * busy.tickCents });
    }),
  ];
}

/** Orders where the next prices of a side have none. */
async function fillLevels(tx: Tx, cast: Cast, side: 'buy' | 'sell', chance: Chance): Promise<void> {
  // Who waits may ask a little more than people pay so far.
  const venue = { ...venueOf(cast, busy), ceilingCents: busy.sacco.shareValueCents * 1.05 };
  const state = await readMarketState(tx, venue);
  const { askCents, bidCents } = await bestOf(tx, cast);
  const commands: MarketCommand[] = [];
  for (let level = 0; level < 8; level += 1) {
    const away = level * busy.tickCents;
    const priceCents = side === 'sell' ? askCents + away : bidCents - away;
    if (state.open.some((order) => order.side === side && order.price_cents === priceCents)) continue;
    const shares = 6 + ((level * 7) % 19) + level;
    pushOrder(commands, tx, state, { side, priceCents, shares, days: 25, chance, openMax: 8 });
  }
  await trade(tx, commands);
}

/** The best prices of Mwangaza's book, with a step between them. */
async function bestOf(tx: Tx, cast: Cast): Promise<{ askCents: number; bidCents: number }> {
  const [row] = await tx.sql<{ best_ask_cents: number | null; best_bid_cents: number | null; last: number | null }[]>`
    select best_ask_cents, best_bid_cents, last_price_cents as last from markets where sacco_id = ${cast.sacco(mwangaza)}`;
  const last = row?.last ?? mwangaza.shareValueCents;
  const askCents = row?.best_ask_cents ?? (row?.best_bid_cents ?? last) + busy.tickCents;
  return { askCents, bidCents: row?.best_bid_cents ?? askCents - 2 * busy.tickCents };
}
