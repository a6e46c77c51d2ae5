import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { saccoTermsAsked } from '@ushirika/contract/saccos';
import { longDate, sentence, sharesSaid } from '@ushirika/contract/sentence';
import { ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { type LockedSacco, lockSacco } from '../saccos/lock-sacco.ts';
import { dateTerms, type SaccoTerms } from '../saccos/sacco-terms.ts';
import { applyMinimum } from '../shares/apply-minimum.ts';
import { lockTerms } from './set-market-terms.ts';
import { refusalOfState } from './terms.rules.ts';

const DAY_MS = 86_400_000;
/** People notified in one statement. */
const CHUNK = 1_000;

/** Terms in the form in which a change keeps them, which is that of the request: in shillings. */
export const saccoTermsToKeep = (terms: ReturnType<typeof saccoTermsAsked.parse>): ChangedValues => ({
  reg_fee: shillingsFromCents(terms.reg_fee),
  min_shares: terms.min_shares,
  share_value: shillingsFromCents(terms.share_value),
});

/**
 * How other terms of a sacco come into force: by a vote alone, since no office proposes them (docs/decisions/191). They hold for who
 * joins or buys later. A share keeps its value: sold at a hundredth of it, a few would own the sacco.
 */
export function saccoTermsChange(): ChangeExecutor {
  return {
    offices: [],
    isDelayed: true,
    words: sentence('the terms of your sacco'),
    current: async (tx, about) => valuesOf(await lockSacco(tx, saccoOf(about))),
    async refusalOf(tx, about, payload) {
      const sacco = await lockSacco(tx, saccoOf(about));
      const { minShares, shareValueCents } = termsKept(payload);
      if (shareValueCents !== sacco.share_value_cents && isGuarded('voting.share_keeps_value'))
        return new Refusal('change_conflict', { message: SHARE_KEEPS_VALUE });
      const { lot } = await lockTerms(tx, sacco.id);
      return refusalOfState(sacco) ?? refusalOfMinimum(lot, minShares) ?? refusalOfLockOut(tx, sacco, minShares);
    },
    announce: async () => {},
    recall: async () => {},
    async apply(tx, about, payload) {
      const { saccoId, proposalId } = voteOf(about);
      await setSaccoTerms(tx, about.proposedBy, { saccoId, proposalId, terms: termsKept(payload) });
    },
  };
}

const SHARE_KEEPS_VALUE = sentence('A share keeps its value: what members paid for one buys one.');

const valuesOf = ({ reg_fee_cents, min_shares, share_value_cents }: LockedSacco): ChangedValues =>
  saccoTermsToKeep({ reg_fee: reg_fee_cents, min_shares, share_value: share_value_cents });

function termsKept(values: ChangedValues): SaccoTerms {
  const { reg_fee: regFeeCents, min_shares: minShares, share_value: shareValueCents } = saccoTermsAsked.parse(values);
  return { regFeeCents, minShares, shareValueCents };
}

/** A member who holds the minimum must be able to sell. */
function refusalOfMinimum(lot: number, minShares: number): Refusal | null {
  if (lot <= Math.max(1, minShares) || !isGuarded('lot_within_minimum')) return null;
  return new Refusal('change_conflict', {
    message: sentence(
      'Shares are traded in lots of {lot}: the minimum shares cannot be fewer. Vote on the lot first.',
      {
        lot,
      },
    ),
  });
}

/**
 * A higher minimum takes the vote from members who hold fewer. Two thirds of those who could vote now must hold it already, at the draft, at
 * the publication and when it comes into force: else a few voters lock out all others, or everybody.
 */
async function refusalOfLockOut(tx: Tx, { id, min_shares }: LockedSacco, minShares: number): Promise<Refusal | null> {
  if (minShares <= min_shares) return null;
  const since = new Date(tx.now.getTime() - ROLL_MEMBER_DAYS * DAY_MS);
  const [found] = await tx.sql<{ able: number; holding: number }[]>`
    select count(*)::int as able, count(*) filter (where h.shares >= ${minShares}::int)::int as holding
    from roll_standing(${id}, ${since}) r cross join lateral (
      select coalesce(sum(a.balance), 0) as shares from accounts a
      where a.book_id = ${id} and a.owner_id = r.member_id and a.kind in ('holding', 'holding_hold')) h
    where r.reason is null`;
  const { able, holding } = found ?? { able: 0, holding: 0 };
  if (able > 0 && 3 * holding >= 2 * able) return null;
  return new Refusal('change_conflict', {
    message: sentence(
      'Only {holding} of the {able} members who could vote hold {shares}. Two thirds must hold a new minimum already.',
      { holding, able, shares: sharesSaid(minShares) },
    ),
  });
}

/** In the transaction that carries out the vote, under the sacco's lock. */
async function setSaccoTerms(
  tx: Tx,
  causedBy: string,
  input: { readonly saccoId: string; readonly proposalId: string; readonly terms: SaccoTerms },
): Promise<void> {
  const { saccoId, terms } = input;
  const before = await lockSacco(tx, saccoId);
  const keptUntil = await dateTerms(tx, input);
  if (terms.minShares !== before.min_shares) await applyMinimum(tx, saccoId, terms.minShares);
  if (keptUntil) await tellWhoHoldsFewer(tx, causedBy, before, { minShares: terms.minShares, until: keptUntil });
}

async function tellWhoHoldsFewer(
  tx: Tx,
  causedBy: string,
  { id, name }: LockedSacco,
  { minShares, until }: { readonly minShares: number; readonly until: Date },
): Promise<void> {
  const people = await tx.sql<{ user_id: string; missing: number }[]>`
    select m.user_id, ${minShares}::int - coalesce(sum(a.balance), 0)::int as missing
    from memberships m
    left join accounts a on a.book_id = m.sacco_id and a.owner_id = m.user_id and a.kind in ('holding', 'holding_hold')
    where m.sacco_id = ${id} and m.state = 'active'
    group by m.user_id having coalesce(sum(a.balance), 0) < ${minShares}::int order by m.user_id`;
  for (let start = 0; start < people.length; start += CHUNK) {
    await notifyAll(
      tx,
      people.slice(start, start + CHUNK).map(({ user_id: userId, missing }): Notice => {
        const text = sentence(
          '{name}: members hold at least {shares} from now on. Buy {missing} more by {until}: until then you keep your full rights.',
          { name, shares: sharesSaid(minShares), missing: sharesSaid(missing), until: longDate(until) },
        );
        return { userId, topic: 'saccos', template: 'minimum_raised', text, causedBy };
      }),
    );
  }
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Terms are of a sacco.');
  return saccoId;
}

function voteOf(about: About): { readonly saccoId: string; readonly proposalId: string } {
  if (about.proposalId === undefined) throw new Error('Terms of a sacco are changed by a vote.');
  return { saccoId: saccoOf(about), proposalId: about.proposalId };
}
