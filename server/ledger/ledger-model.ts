import { accountKinds } from '@ushirika/contract/journals';
import type { AccountKey, JournalInput, PostRefusal, TransferInput } from './ledger.types.ts';

type Expected = { status: 'posted' | 'exists' } | { status: 'refused'; reason: PostRefusal; transferIndex: number };

/** A simple ledger in memory, against which the results of `post` are checked. */
export class LedgerModel {
  readonly #balances = new Map<string, number>();
  readonly #posted = new Map<string, string>();

  balanceOf(key: AccountKey): number {
    return this.#balances.get(JSON.stringify([key.book, key.kind, key.owner])) ?? 0;
  }

  post(journal: JournalInput): Expected {
    const { transfers, idempotencyKey } = journal;
    if (transfers.length === 0) return refused('journal_must_have_transfers', 0);
    const rules: [PostRefusal, (transfer: TransferInput) => boolean][] = [
      ['amount_must_be_positive', ({ amount }) => !(Number.isSafeInteger(amount) && amount >= 1)],
      ['accounts_must_be_different', ({ debit, credit }) => JSON.stringify(debit) === JSON.stringify(credit)],
      ['accounts_must_share_a_book', ({ debit, credit }) => debit.book !== credit.book],
      ['accounts_must_share_an_asset', ({ debit, credit }) => asset(debit) !== asset(credit)],
    ];
    for (const [reason, breaks] of rules) {
      for (const [index, transfer] of transfers.entries()) if (breaks(transfer)) return refused(reason, index);
    }
    const content = JSON.stringify([journal.kind, journal.causedBy, journal.about, transfers]);
    const earlier = this.#posted.get(idempotencyKey);
    if (earlier === content) return { status: 'exists' };
    if (earlier !== undefined) return refused('exists_with_different_content', 0);
    const before = new Map(this.#balances);
    for (const [index, { debit, credit, amount }] of transfers.entries()) {
      const moves = [this.#move(debit, 'debit', amount), this.#move(credit, 'credit', amount)];
      const reason = moves.includes('insufficient_funds') ? 'insufficient_funds' : moves.find((move) => move !== null);
      if (!reason) continue;
      this.#balances.clear();
      for (const [key, balance] of before) this.#balances.set(key, balance);
      return refused(reason, index);
    }
    this.#posted.set(idempotencyKey, content);
    return { status: 'posted' };
  }

  #move(key: AccountKey, side: 'debit' | 'credit', amount: number): PostRefusal | null {
    const grows = accountKinds[key.kind].normal === side;
    const balance = this.balanceOf(key) + (grows ? amount : -amount);
    this.#balances.set(JSON.stringify([key.book, key.kind, key.owner]), balance);
    if (!grows && balance < 0 && !accountKinds[key.kind].mayGoNegative) return 'insufficient_funds';
    return Math.abs(balance) > Number.MAX_SAFE_INTEGER ? 'balance_limit_exceeded' : null;
  }
}

function asset(key: AccountKey): string {
  return accountKinds[key.kind].asset;
}

function refused(reason: PostRefusal, transferIndex: number): Expected {
  return { status: 'refused', reason, transferIndex };
}
