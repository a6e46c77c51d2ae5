import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { closeYear as route } from '@ushirika/contract/dividends';
import { centsFromShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { isNotOver } from '../saccos/votes-not-over.ts';
import { figuresOf, nextYear, ownAccount, type Reader, startOfYear, type YearFigures } from './year-figures.ts';

/** A closing as it is kept until a second official confirms it: with the figures that both have seen. */
export async function closingToKeep(reader: Reader, saccoId: string, year: number): Promise<ChangedValues> {
  const { surplus, reserve, distributable } = await figuresOf(reader, saccoId, year);
  return {
    year,
    surplus: shillingsFromCents(surplus),
    reserve: shillingsFromCents(reserve),
    distributable: shillingsFromCents(distributable),
  };
}

/** How a year is closed: a second official confirms it, and a day later a fifth of its surplus is reserve. */
export const yearClosingChange: ChangeExecutor = {
  offices: route.offices ?? [],
  isDelayed: true,
  // Members cannot vote on a closing, and without it there is no dividend.
  words: sentence('the closing of a year'),
  async current(tx, about): Promise<ChangedValues> {
    const [last] = await tx.sql<{ year: number }[]>`
      select year from closed_years where sacco_id = ${saccoOf(about)} order by year desc limit 1`;
    if (!last) return {};
    return { year: last.year };
  },
  async refusalOf(tx, about, payload) {
    const saccoId = saccoOf(about);
    if ((await lockSacco(tx, saccoId)).state !== 'active') return new Refusal('sacco_inactive');
    const { year, whyNot } = await nextYear(tx, saccoId);
    const refused = (message: Sentence) => new Refusal('change_conflict', { message });
    if (isGuarded('dividends.closed_once')) {
      if (payload.year !== year) {
        return refused(sentence('Years are closed once and in order: {year} is next.', { year: String(year) }));
      }
      if (whyNot) return refused(whyNot);
      if (await isVotedOn(tx, saccoId, year - 1)) return refused(VOTED_ON);
    }
    const now = await closingToKeep(tx, saccoId, Number(payload.year));
    const isSame = Object.entries(now).every(([name, value]) => payload[name] === value);
    return isSame ? null : refused(sentence('The figures have changed since this was proposed. Propose it anew.'));
  },
  announce: async () => {},
  recall: async () => {},
  apply: (tx, about, payload) => close(tx, about, payload),
};

const VOTED_ON = sentence(
  'Members vote on the dividend of the year before, or it waits to be carried out. After that this year can be closed.',
);

/** Whether a vote on a year's dividend is under way, or has passed and can still be carried out: after the next closing it could not. */
async function isVotedOn(tx: Tx, saccoId: string, year: number): Promise<boolean> {
  const [vote] = await tx.sql`
    select from proposals p
    where p.sacco_id = ${saccoId} and p.change_kind = 'dividend' and (p.payload->>'year')::int = ${year} and ${isNotOver(tx.sql, tx.now)}
    limit 1`;
  return vote !== undefined;
}

/**
 * The sacco's lock is held: nothing is declared meanwhile, and no other official closes it too. A share counts with its value at the end
 * of the year, whenever the year is closed.
 */
async function close(tx: Tx, about: About, payload: ChangedValues): Promise<void> {
  const saccoId = saccoOf(about);
  const year = Number(payload.year);
  const cents = (name: string) => centsFromShillings(payload[name] ?? 0) ?? 0;
  const figures = { surplus: cents('surplus'), reserve: cents('reserve'), distributable: cents('distributable') };
  const journal = journalOf(about, year, figures);
  const journalId = journal.transfers.length === 0 ? null : await postOrRefuse(tx, journal);
  await tx.sql`
    insert into closed_years (sacco_id, year, closed_at, proposed_by, surplus_cents, reserve_cents, distributable_cents,
      share_value_cents, journal_id)
    select ${saccoId}, ${year}, ${tx.now}, ${about.proposedBy}, ${figures.surplus}, ${figures.reserve}, ${figures.distributable},
      share_value_cents, ${journalId}
    from sacco_terms where sacco_id = ${saccoId}
    order by valid_from < ${startOfYear(year + 1)} desc, abs(extract(epoch from valid_from - ${startOfYear(year + 1)})) limit 1`;
}

function journalOf(about: About, year: number, { reserve, distributable }: YearFigures): JournalInput {
  const saccoId = saccoOf(about);
  const appropriated = ownAccount(saccoId, 'surplus_appropriated');
  const parts = [
    { account: ownAccount(saccoId, 'retained_surplus'), amount: distributable },
    { account: ownAccount(saccoId, 'statutory_reserve'), amount: reserve },
  ];
  return {
    kind: 'year_closed',
    idempotencyKey: `year_closed:${saccoId}:${year}`,
    causedBy: about.proposedBy,
    about: { type: 'sacco', id: saccoId },
    transfers: parts
      .filter(({ amount }) => amount !== 0)
      .map(({ account, amount }) =>
        amount > 0
          ? { debit: appropriated, credit: account, amount }
          : { debit: account, credit: appropriated, amount: -amount },
      ),
  };
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('A year is of a sacco.');
  return saccoId;
}
