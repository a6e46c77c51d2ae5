import { english } from '@ushirika/contract/in-words';
import type { Sentence } from '@ushirika/contract/sentence';
import type { ChangeAsked } from '@ushirika/contract/voting';
import { RULES_OF_CLASS } from '@ushirika/contract/voting-rules';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asPerson } from '../../db/person.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { loanProductChange, setLoanProduct } from '../loans/change-loan-product.ts';
import { marketTermsChange } from '../market/change-market-terms.ts';
import { saccoTermsChange } from '../market/change-sacco-terms.ts';
import { marketInvariants } from '../market/market.invariants.ts';
import { testTraders } from '../market/test-traders.ts';
import { endKeptRights } from '../membership/end-kept-rights.ts';
import { applyChanges } from '../saccos/apply-changes.ts';
import { changesOf } from '../saccos/changes.queries.ts';
import { readSacco } from '../saccos/read-sacco.ts';
import { termsOnDay } from '../saccos/sacco-terms.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { buyShares } from '../shares/buy-shares.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { givingWayToVotes } from './changes-by-vote.ts';
import { testVotes } from './test-votes.ts';
import { votingInvariants } from './voting.invariants.ts';

const executors = testChanges({
  market_terms: marketTermsChange(),
  loan_product: loanProductChange,
  sacco_terms: saccoTermsChange(),
});
const MARKET = {
  ...({
    price_mode: 'band',
    floor_percentage: 90,
    ceiling_percentage: 110,
    tick: 1_00,
    lot: 1,
    trading: 'open',
  } as const),
  ...{ fee_basis_points: 50, fee_min: 10_00, order_days_max: 90 },
};
const LOAN = {
  ...{ name: 'School fees', method: 'annuity' as const, monthly_rate: 1, min_amount: 1_000_00, max_amount: 50_000_00 },
  ...{ min_months: 1, max_months: 12, multiplier: 3, min_member_days: 90, min_guarantors: 1, fee_percentage: 1 },
  ...{ penalty_rate: 1, is_offered: true },
};
let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
let votes: ReturnType<typeof testVotes>;
let sacco: string;
let treasurer: string;
let secretary: string;
let rich: string;
let holders: Record<'five' | 'seven' | 'twelve', string>;

beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  votes = testVotes(database, executors);
});
/** Minimum 5 shares of Ksh. 100; six members in full rights, two of them of the board. Four of the six hold twelve or more. */
beforeEach(async () => {
  sacco = await traders.sacco(5);
  await database.owner`update offices set ended_at = ${database.now()} where sacco_id = ${sacco}`;
  const member = (shares: number, shillings = 0) => traders.trader(sacco, { shares, cents: 100 * shillings });
  [treasurer, secretary, rich] = [await member(20), await member(20), await member(20)];
  await traders.treasurer(sacco, treasurer);
  await traders.official(sacco, secretary, 'secretary');
  holders = { five: await member(5, 2_000), seven: await member(7), twelve: await member(12) };
  await votes.onRoll(sacco, everybody(), await officer());
});
afterAll(async () => {
  const found = await breaches(database.owner, [
    ...[...ledgerInvariants, ...sharesInvariants, ...marketInvariants, ...votingInvariants],
  ]);
  await database.close();
  expect(found).toEqual([]);
});

/** Has seen the cards of all of them. */
const officer = () => traders.trader(sacco, { name: 'Officer' });
/** A vote on the share value of before a share kept its value: published now, or passed and waiting. */
async function legacyVote(cents: number, { isPublished = false } = {}): Promise<string> {
  const id = await votes.publish(sacco, board(), termsAsked({ reg_fee: 501_00 }));
  const values = { reg_fee: 500, min_shares: 5, share_value: cents / 100 };
  await database.owner`alter table proposals disable trigger proposal_moves_on`;
  await database.owner`update proposals set payload = ${JSON.stringify(values)}::text::jsonb where id = ${id}`;
  await database.owner`alter table proposals enable trigger proposal_moves_on`;
  if (!isPublished) await votes.decide(id, sacco, everybody());
  return id;
}
const everybody = () => [treasurer, secretary, rich, ...Object.values(holders)];
const board = () => [treasurer, secretary] as const;
const termsAsked = (values: { reg_fee?: number; min_shares?: number; share_value?: number }): ChangeAsked => ({
  kind: 'sacco_terms',
  values: { reg_fee: 500_00, min_shares: 5, share_value: 100_00, ...values },
});
const marketAsked = (values: object = {}): ChangeAsked => ({ kind: 'market_terms', values: { ...MARKET, ...values } });
const carriedOut = (change: ChangeAsked) => votes.change(sacco, board(), everybody(), change);
const stateOf = async (user: string) => {
  const [row] = await database.owner`select state from memberships where sacco_id = ${sacco} and user_id = ${user}`;
  return row?.state;
};
const tradingNow = async () => {
  const [row] = await database.owner`select trading from markets where sacco_id = ${sacco}`;
  return row?.trading;
};
const termsOn = async (on?: string) => (await termsOnDay(database, sacco, on)).terms;
const bought = async (userId: string, shares: number, shillings: number) => {
  const purchase = { userId, saccoId: sacco, shares, amountCents: shillings * 100 };
  const [answer] = await database.transaction((tx) => buyShares(tx, [purchase]));
  return answer instanceof Error ? (answer as Error & { code: string }).code : answer?.holding.membership;
};
/** The code of a refusal, or `done`. */
const refusal = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code ?? error);

describe('the terms of a sacco', () => {
  test('are changed by a vote of two thirds, and each version has its days', async () => {
    const registered = (await termsOn())?.valid_from ?? '';
    const id = await carriedOut(termsAsked({ reg_fee: 700_00 }));
    const [row] = await database.owner`select class from proposals where id = ${id}`;
    expect(row?.class).toBe('special');
    const body = await termsOnDay(database, sacco, undefined);
    expect(body.terms).toMatchObject({ reg_fee: 700, min_shares: 5, share_value: 100, valid_until: null, vote: id });
    expect(body.versions[1]).toMatchObject({ reg_fee: 500, valid_until: body.terms?.valid_from, vote: null });
    const now = body.terms?.valid_from ?? '';
    const day = (iso: string, more = 0) =>
      new Date(Date.parse(iso) + 3 * 3_600_000 + more * 86_400_000).toISOString().slice(0, 10);
    expect((await termsOn(day(now)))?.reg_fee).toBe(700);
    expect((await termsOn(day(now, -1)))?.reg_fee).toBe(500);
    expect(await termsOn(day(registered, -1))).toBeNull();
  });
  test('are changed by no two officials, not even where too few members can vote', async () => {
    await database.owner`
      update identity_checks set ended_at = ${database.now()}, end_kind = 'renamed' where user_id = any (${everybody()}::uuid[])`;
    const [about, payload] = [
      { saccoId: sacco, proposedBy: treasurer },
      { reg_fee: 1, min_shares: 5, share_value: 100 },
    ];
    const refused = await database.transaction((tx) =>
      givingWayToVotes(executors).sacco_terms.refusalOf(tx, about, payload),
    );
    expect(refused?.code).toBe('change_conflict');
    expect(await refusal(votes.byOfficials(sacco, board(), termsAsked({ reg_fee: 1_00 })))).toBe('not_allowed');
  });
  test('leave members with too few shares their full rights for 90 days, to the millisecond', async () => {
    await carriedOut(termsAsked({ min_shares: 10 }));
    const terms = await termsOn();
    expect(terms?.kept_shares).toBe(5);
    const keptUntil = Date.parse(terms?.kept_until ?? '');
    expect(keptUntil - database.now().getTime()).toBe(90 * 86_400_000);
    expect((await traders.told(holders.five, 'minimum_raised')).texts[0]).toContain('Buy 5 shares more by');
    expect((await traders.told(holders.twelve, 'minimum_raised')).texts).toEqual([]);
    database.world.setNow(new Date(keptUntil - 1));
    await endKeptRights(database);
    expect([await stateOf(holders.five), await stateOf(holders.seven)]).toEqual(['active', 'active']);
    database.world.setNow(new Date(keptUntil));
    await Promise.all([endKeptRights(database), endKeptRights(database)]);
    await endKeptRights(database);
    expect(await stateOf(holders.five)).toBe('provisional');
    expect(await stateOf(holders.seven)).toBe('provisional');
    expect(await stateOf(holders.twelve)).toBe('active');
    expect((await traders.told(holders.seven, 'rights_ended')).texts).toHaveLength(1);
    expect(await bought(holders.five, 4, 400)).toBe('minimum_shares_not_met');
    expect(await bought(holders.five, 5, 500)).toBe('active');
  });
  test('raised again meanwhile begin the 90 days anew, with what was enough at first', async () => {
    await carriedOut(termsAsked({ min_shares: 10 }));
    const first = await termsOn();
    await carriedOut(termsAsked({ min_shares: 8 }));
    const second = await termsOn();
    expect(second).toMatchObject({ min_shares: 8, kept_shares: 5 });
    database.world.setNow(new Date(first?.kept_until ?? ''));
    await endKeptRights(database);
    expect(await stateOf(holders.five)).toBe('active');
    await carriedOut(termsAsked({ min_shares: 5 }));
    expect(await termsOn()).toMatchObject({ min_shares: 5, kept_until: null });
    database.world.setNow(new Date(second?.kept_until ?? ''));
    await endKeptRights(database);
    expect(await stateOf(holders.five)).toBe('active');
  });
  test('with a lower minimum give full rights to members who hold enough by then, and count holders anew', async () => {
    for (let more = 0; more < 6; more += 1) await traders.trader(sacco, { shares: 6 });
    const held = async () => {
      const [row] = await database.owner`
        select qualified_holders as n, holding_limit_since as since from sacco_figures where sacco_id = ${sacco}`;
      return [row?.n, row?.since?.toISOString() ?? null];
    };
    const dated = (await held())[1];
    expect(await held()).toEqual([12, dated]);
    await carriedOut(termsAsked({ min_shares: 10 }));
    expect(await held()).toEqual([4, dated]);
    votes.days(90);
    await endKeptRights(database);
    expect(await stateOf(holders.seven)).toBe('provisional');
    await votes.change(sacco, board(), [treasurer, secretary, holders.twelve], termsAsked({ min_shares: 6 }));
    expect([await stateOf(holders.seven), await stateOf(holders.five)]).toEqual(['active', 'provisional']);
    expect(await held()).toEqual([11, dated]);
  });
  test('with a lower minimum may bring ten holders, from whom on nobody comes to hold more than one fifth', async () => {
    await carriedOut(termsAsked({ min_shares: 10 }));
    const joined = async () => traders.trader(sacco, { shares: 10 });
    for (let more = 0; more < 5; more += 1) await joined();
    const since = async () => {
      const [row] = await database.owner`select holding_limit_since from sacco_figures where sacco_id = ${sacco}`;
      return row?.holding_limit_since?.toISOString() ?? null;
    };
    expect(await since()).toBeNull();
    await votes.change(sacco, board(), [treasurer, secretary, holders.twelve], termsAsked({ min_shares: 7 }));
    expect(await since()).toBe((await termsOn())?.valid_from);
  });
  test('keep the value of a share, so that nobody buys the sacco at a hundredth of it and votes it back (power 2)', async () => {
    for (const share_value of [1_00, 99_00, 101_00, 300_00])
      expect(await refusal(votes.publish(sacco, board(), termsAsked({ share_value })))).toBe('change_conflict');
    // An older draft is refused when it is carried out, and by the database.
    const id = await legacyVote(1_00);
    votes.days(RULES_OF_CLASS.special.timelock_hours / 24);
    await votes.tend();
    expect((await termsOn())?.share_value).toBe(100);
    await expect(
      database.owner`
        insert into sacco_terms (sacco_id, number, valid_from, reg_fee_cents, min_shares, share_value_cents, after_place, proposal_id)
        values (${sacco}, 99, ${database.now()}, 50000, 5, 100, 0, ${id})`,
    ).rejects.toThrow('a share keeps its value');
  });
  test('on another share value stop the sacco’s own sales from the publication until they are over (power 3)', async () => {
    const stranger = { userId: database.newId(), isOperator: false };
    const waits = async () =>
      (await asPerson(stranger, () => readSacco(database, sacco, stranger))).sales_wait as Sentence | null;
    expect(await bought(holders.five, 1, 100)).toBe('active');
    const id = await legacyVote(300_00, { isPublished: true });
    expect(await bought(holders.five, 1, 100)).toBe('sacco_inactive');
    expect(english((await waits()) as Sentence)).toContain(
      'vote on the value of a share. The sacco sells shares again once',
    );
    await database.owner`update proposals set cancelled_at = ${database.now()} where id = ${id}`;
    expect(await bought(holders.five, 1, 100)).toBe('active');
    expect(await waits()).toBeNull();
  });
  test('have no minimum that fewer than two thirds of those who vote hold, at the draft, when it is published and later', async () => {
    const raised = termsAsked({ min_shares: 13 });
    expect(await refusal(votes.publish(sacco, board(), raised))).toBe('change_conflict');
    expect(await refusal(votes.publish(sacco, board(), termsAsked({ min_shares: 1_000_000 })))).toBe('change_conflict');
    const id = await votes.publish(sacco, board(), termsAsked({ min_shares: 12 }));
    const seventh = await traders.trader(sacco, { shares: 11 });
    await votes.onRoll(sacco, [seventh], await officer());
    await votes.decide(id, sacco, everybody());
    votes.days(7);
    await votes.tend();
    expect((await termsOn())?.min_shares).toBe(5);
    const [failed] =
      await database.owner`select text from proposal_events where proposal_id = ${id} and kind = 'failed'`;
    expect(failed?.text).toContain('Only 4 of the 7 members');
  });
  test('have no minimum below the lot of the market, which nobody could sell', async () => {
    await carriedOut(marketAsked({ lot: 5 }));
    expect(await refusal(votes.publish(sacco, board(), termsAsked({ min_shares: 4 })))).toBe('change_conflict');
    expect(await refusal(votes.publish(sacco, board(), termsAsked({ min_shares: 6 })))).toBe('done');
  });
  test('that held stay written down as they were', async () => {
    const stays = expect.objectContaining({ code: '23514' });
    await expect(database.owner`update sacco_terms set reg_fee_cents = 1 where sacco_id = ${sacco}`).rejects.toEqual(
      stays,
    );
    await expect(database.sql`delete from sacco_terms where sacco_id = ${sacco}`).rejects.toMatchObject({
      code: '42501',
    });
  });
});

/** As if the checks of all ID cards had ended 31 days ago: so long they still count. */
const endChecks = () => database.owner`
  update identity_checks set seen_at = least(seen_at, ${longAgo()}), ended_at = ${longAgo()}, end_kind = 'renamed'
  where user_id = any (${[rich, ...Object.values(holders)]}::uuid[])`;
const longAgo = () => new Date(database.now().getTime() - 31 * 86_400_000);

describe('two officials', () => {
  test('change no rules where three members can vote; with two on the roll they still do', async () => {
    expect(await refusal(votes.byOfficials(sacco, board(), marketAsked({ lot: 2 })))).toBe('change_conflict');
    await endChecks();
    await votes.byOfficials(sacco, board(), marketAsked({ lot: 2 }));
    votes.days(1);
    await applyChanges(database, givingWayToVotes(executors));
    const [row] = await database.owner`select lot from markets where sacco_id = ${sacco}`;
    expect(row?.lot).toBe(2);
  });
  test('change none once three could vote, however few can later', async () => {
    await carriedOut(marketAsked({ lot: 2 }));
    await endChecks();
    expect(await refusal(votes.byOfficials(sacco, board(), marketAsked()))).toBe('change_conflict');
  });
  test('close the market at once, for 14 days; then it opens by itself, and they are told', async () => {
    await votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' }));
    const order = traders.order(sacco, holders.twelve, 'sell', 2, 100);
    expect(await traders.went([order])).toEqual(['sacco_inactive']);
    database.world.advance(14 * 86_400_000 - 1);
    await votes.tend();
    expect(await tradingNow()).toBe('closed');
    database.world.advance(1);
    await Promise.all([votes.tend(), votes.tend()]);
    expect(await traders.went([order])).toEqual(['waits']);
    expect((await traders.told(secretary, 'closing_lapsed')).texts).toHaveLength(1);
    const again = () => refusal(votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' })));
    database.world.advance(30 * 86_400_000 - 1);
    expect(await again()).toBe('change_conflict');
    database.world.advance(1);
    expect(await again()).toBe('done');
  });
  test('close nothing together with another rule', async () => {
    const more = marketAsked({ trading: 'closed', fee_min: 5_00 });
    expect(await refusal(votes.byOfficials(sacco, board(), more))).toBe('change_conflict');
  });
  test('open again what they have closed, a day after they agreed', async () => {
    await votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' }));
    await votes.byOfficials(sacco, board(), marketAsked());
    votes.days(1);
    await applyChanges(database, givingWayToVotes(executors));
    expect(await tradingNow()).toBe('open');
    const [row] =
      await database.owner`select settled from sacco_changes where sacco_id = ${sacco} and undo_at is not null`;
    expect(row?.settled).toBe('taken_back');
  });
  test('keep it closed while members vote on it, and for good once they agree; members whose orders wait are told', async () => {
    await traders.act(traders.order(sacco, holders.twelve, 'sell', 2, 100));
    await votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' }));
    expect((await traders.told(holders.twelve, 'market_terms_switched')).texts).toEqual([
      expect.stringContaining('the share market is closed from now on. Your open orders wait.'),
    ]);
    votes.days(13);
    const id = await votes.publish(sacco, board(), marketAsked({ trading: 'closed' }));
    // From now on it is members who decide.
    expect(await refusal(votes.byOfficials(sacco, board(), marketAsked()))).toBe('change_conflict');
    votes.days(1);
    await votes.tend();
    expect(await tradingNow()).toBe('closed');
    const [closing] = await changesOf(database, { userId: treasurer }, sacco, givingWayToVotes(executors));
    expect(closing?.vote).toEqual({ id, title: 'We change our terms' });
    await votes.decide(id, sacco, everybody());
    votes.days(2);
    await votes.tend();
    await votes.tend();
    expect(await tradingNow()).toBe('closed');
    const [row] =
      await database.owner`select settled from sacco_changes where sacco_id = ${sacco} and undo_at is not null`;
    expect(row?.settled).toBe('decided');
  });
  test('see it open again after 14 days where members have voted against it', async () => {
    await votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' }));
    const id = await votes.publish(sacco, board(), marketAsked({ trading: 'closed' }));
    votes.days(8);
    await votes.decide(id, sacco, everybody(), 'against');
    expect(await tradingNow()).toBe('closed');
    votes.days(5);
    await votes.tend();
    expect(await tradingNow()).toBe('open');
  });
  test('defeat no vote by closing what it is about: it is carried out once the market is open again', async () => {
    const id = await votes.publish(sacco, board(), marketAsked({ lot: 5 }));
    await votes.decide(id, sacco, everybody());
    await votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' }));
    votes.days(2);
    await votes.tend();
    votes.days(12);
    await votes.tend();
    // What was refused is tried again after an hour.
    votes.days(1 / 24);
    await votes.tend();
    const [row] = await database.owner`
      select lot, trading, executed_at is not null as is_done from markets, proposals p where p.id = ${id} and markets.sacco_id = ${sacco}`;
    expect(row).toEqual({ lot: 5, trading: 'open', is_done: true });
  });
  test('stop offering a loan at once, which members can apply for again after 14 days', async () => {
    const product = await database.transaction((tx) =>
      setLoanProduct(tx, { userId: treasurer }, { saccoId: sacco, ...LOAN }),
    );
    const offered = async () => {
      const [row] = await database.owner`
        select is_offered from loan_product_terms where product_id = ${product} order by valid_from desc limit 1`;
      return row?.is_offered;
    };
    const stopped: ChangeAsked = { kind: 'loan_product', values: { ...LOAN, product, is_offered: false } };
    const dearer: ChangeAsked = { kind: 'loan_product', values: { ...LOAN, product, monthly_rate: 2 } };
    expect(await refusal(votes.byOfficials(sacco, board(), dearer))).toBe('change_conflict');
    await votes.byOfficials(sacco, board(), stopped);
    expect(await offered()).toBe(false);
    votes.days(13);
    const onStopped = await votes.publish(sacco, board(), stopped);
    const [{ expected } = { expected: {} }] =
      await database.owner`select expected from proposals where id = ${onStopped}`;
    expect(expected.is_offered).toBe('yes');
    await votes.decide(onStopped, sacco, everybody(), 'against');
    votes.days(2);
    await votes.tend();
    expect(await offered()).toBe(true);
    await carriedOut(dearer);
    const [row] = await database.owner`
      select monthly_rate from loan_product_terms where product_id = ${product} order by valid_from desc limit 1`;
    expect(row?.monthly_rate).toBe(200);
  });
  test('close nothing for good by a vote on other rules: it opens after 14 days, and the vote changes what members read', async () => {
    await votes.byOfficials(sacco, board(), marketAsked({ trading: 'closed' }));
    votes.days(10);
    const id = await votes.publish(sacco, board(), marketAsked({ fee_min: 5_00 }));
    const [vote] = await database.owner`select expected->>'trading' as trading from proposals where id = ${id}`;
    expect(vote?.trading).toBe('open');
    expect(await refusal(votes.publish(sacco, board(), marketAsked()))).toBe('change_conflict');
    votes.days(4);
    await votes.tend();
    expect(await tradingNow()).toBe('open');
    await votes.decide(id, sacco, everybody());
    votes.days(2);
    await votes.tend();
    const [row] = await database.owner`select trading, fee_min_cents::int from markets where sacco_id = ${sacco}`;
    expect(row).toMatchObject({ trading: 'open', fee_min_cents: 5_00 });
  });
});
