import { accountKinds, wordsOfJournal } from '@ushirika/contract/journals';
import type { Opening } from '@ushirika/verifier/entry';
import { say } from '../words/say.ts';

/** One account's part in a transfer, as a receipt shows it: whole cents or whole shares. */
export interface Movement {
  readonly account: number;
  readonly book: string;
  readonly kind: string;
  readonly isShares: boolean;
  readonly transfer: number;
  readonly position: number;
  /** Above zero where the balance grew. */
  readonly change: number;
  readonly after: number;
}

/** The facts of a receipt, in plain values; each is missing where the payload has another shape. */
export interface ReceiptFacts {
  readonly journal: number | null;
  readonly kind: string | null;
  readonly at: string | null;
  /** In the order of the transfers. */
  readonly movements: readonly Movement[];
}

type Named = Readonly<Record<string, unknown>>;
const named = (value: unknown): Named => (typeof value === 'object' && value !== null ? (value as Named) : {});
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const whole = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

export function factsIn({ head, shown }: Opening): ReceiptFacts {
  const { journal, kind, at } = named(head);
  const sides = shown.flatMap(({ value }) => {
    const { sides: own } = named(value);
    return Array.isArray(own) ? own : [];
  });
  const movements = sides.flatMap((side) => movementOf(named(side)) ?? []);
  const instant = text(at);
  return {
    journal: whole(journal),
    kind: text(kind),
    at: instant && !Number.isNaN(Date.parse(instant)) ? instant : null,
    movements: movements.sort((a, b) => a.position - b.position),
  };
}

function movementOf(side: Named): Movement | null {
  const kind = text(side.kind);
  const [account, transfer, position] = [whole(side.account), whole(side.transfer), whole(side.position)];
  const [amount, after] = [whole(side.amount), whole(side.after)];
  if (kind === null || account === null || transfer === null || position === null) return null;
  if (amount === null || after === null) return null;
  const { normal = 'credit' } = Object.hasOwn(accountKinds, kind)
    ? accountKinds[kind as keyof typeof accountKinds]
    : {};
  return {
    account,
    book: text(side.book) ?? '',
    kind,
    isShares: side.asset === 'SHARE',
    transfer,
    position,
    change: side.side === normal ? amount : -amount,
    after,
  };
}

/** One movement for each account: the sum of its changes, as the wallet's page has it, and the balance after the last. */
export function byAccount(movements: readonly Movement[]): Movement[] {
  return [...Map.groupBy(movements, ({ account }) => account).values()].flatMap((own) => {
    const last = own.at(-1);
    return last ? [{ ...last, change: own.reduce((sum, { change }) => sum + change, 0) }] : [];
  });
}

/** The name of the movement, as the history of a wallet words it. */
export function titleOf({ kind, movements }: ReceiptFacts): string {
  const inWallet = movements.filter((each) => each.kind === 'wallet').reduce((sum, { change }) => sum + change, 0);
  return kind === null ? say('Entry of the log') : say(wordsOfJournal(kind, inWallet)[0]);
}

/** An account of one’s own, in words. What can be used and what is held are two accounts; the dashboard shows both together. */
export function accountWords(kind: string): string {
  switch (kind) {
    case 'wallet':
      return say('Wallet, available');
    case 'wallet_hold':
      return say('Wallet, held');
    case 'deposits':
      return say('Savings, free');
    case 'deposits_hold':
      return say('Savings, pledged');
    case 'loan_principal':
      return say('Loan, principal owed');
    case 'holding':
      return say('Shares, free');
    case 'holding_hold':
      return say('Shares, in orders to sell');
    case 'pool_position':
      return say('Guarantor pool');
    default:
      return say('Account {kind}', { kind });
  }
}
