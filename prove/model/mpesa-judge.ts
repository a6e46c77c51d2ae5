import type { NaiveBooks, Person } from './naive-books.ts';
import type { DepositFate, NaiveMpesa, Payment, PayoutFate } from './naive-mpesa.ts';
import type { Simulation } from './simulation.ts';

/*
 * When the product learns of a payment is its own affair (callback, question, list, claim); that it books it once, to
 * whom it belongs, and only what M-Pesa's truth says, is judged here whenever something was booked.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface ExpectedDeposit {
  readonly id: string;
  readonly person: Person;
  readonly phone: string;
  readonly cents: number;
  readonly fate: DepositFate;
  readonly at: number;
  /** It was asked for while faults were about. */
  readonly isOfFaults: boolean;
  /** Since it was asked for, or M-Pesa's list named it. */
  looks: number;
  isListed: boolean;
}

interface ExpectedWithdrawal {
  readonly id: string;
  readonly person: Person;
  readonly cents: number;
  readonly fate: PayoutFate;
  readonly at: number;
  /** Asked for while faults were armed: whether it was sent at all may be unknown. */
  readonly isOfFaults: boolean;
  looks: number;
}

/** An exception as operators are shown it. */
export interface ShownException {
  readonly id: string;
  readonly held_in: string;
  readonly receipt: string | null;
  readonly about: { readonly id: string } | null;
  readonly owner?: { readonly id: string } | null;
  readonly claimant?: { readonly id: string } | null;
  readonly proposal?: {
    readonly id: string;
    readonly kind: string;
    readonly lapses_at: string;
    readonly proposed_by: { readonly id: string };
    readonly beneficiary: { readonly id: string } | null;
  } | null;
}

/** Looks after which what M-Pesa knows for certain must have been settled; each look is a sweep. */
const LOOKS_MAX = 10;
const AT_ONCE = new Set<string>(['paid', 'paid_twice_told', 'busy']);
const NEVER_SURE = new Set<string>(['lost_paid', 'lost_paid_silent', 'lost_unpaid', 'paid_late', 'wrong_amount_told']);

export class MpesaJudge {
  readonly #simulation: Simulation;
  /** Payers and phones with a prompt that may be open, since when. */
  readonly openPrompts = new Map<string, number>();
  deposits: ExpectedDeposit[] = [];
  withdrawals: ExpectedWithdrawal[] = [];
  claims: { person: Person; receipt: string }[] = [];
  readonly resolved = new Set<string>();
  /** Of payments by hand: whose account number was named. */
  readonly #named = new Map<string, Person | null>();
  readonly #depositOf = new Map<string, ExpectedDeposit>();
  readonly #byReceipt = new Set<string>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  get #books(): NaiveBooks {
    return this.#simulation.books;
  }

  get #mpesa(): NaiveMpesa {
    return this.#simulation.mpesa;
  }

  expectDeposit(deposit: Omit<ExpectedDeposit, 'looks' | 'isListed' | 'isOfFaults'>): void {
    const expected = { ...deposit, isOfFaults: this.#simulation.isFaulty, looks: 0, isListed: false };
    this.deposits.push(expected);
    this.#depositOf.set(deposit.id, expected);
  }

  expectWithdrawal(withdrawal: Omit<ExpectedWithdrawal, 'looks' | 'isOfFaults'>): void {
    this.withdrawals.push({ ...withdrawal, isOfFaults: this.#simulation.isFaulty, looks: 0 });
  }

  /**
   * Whether nobody will ever say that it was not paid, so that it stays reserved until an operator says so: M-Pesa never
   * answered; or a fault of ours lost the answer, or the moment before it was sent. What M-Pesa paid it always tells.
   */
  #isNeverTold({ id, fate, isOfFaults }: ExpectedWithdrawal): boolean {
    return fate === 'lost_unpaid' || (isOfFaults && this.#mpesa.payouts.get(id)?.receipt == null);
  }

  expectPayment(payment: Payment, named: Person | null): void {
    this.#named.set(payment.receipt, named);
  }

  unpaidOf(person: Person, now: number): number {
    return this.deposits.filter((deposit) => deposit.person === person && deposit.at > now - HOUR_MS).length;
  }

  /** Whether the books have this receipt in a wallet: then a claim of it is refused at once. */
  isCreditedByReceipt(receipt: string): boolean {
    return this.#byReceipt.has(receipt);
  }

  /** What an operator's word means; a reserve is settled when the withdrawal is looked at. */
  resolve(exception: ShownException, action: string, person: Person): void {
    this.resolved.add(exception.id);
    const payment = exception.receipt === null ? undefined : this.#mpesa.payments.get(exception.receipt);
    if (exception.held_in !== 'suspense') return;
    if (payment?.booked !== 'suspense') throw new Error('An exception is about money that is not in suspense.');
    payment.booked = 'wallet';
    this.#books.suspense -= payment.cents;
    if (action === 'credit') {
      person.wallet += payment.cents;
      this.#byReceipt.add(payment.receipt);
    } else {
      this.#books.float -= payment.cents;
      this.#mpesa.heldCents -= payment.cents;
    }
  }

  /** Looks at what was booked since the last look. Answers what is wrong, if anything. */
  async look(isSweep: boolean): Promise<string | undefined> {
    return (
      (await this.#lookAtDeposits(isSweep)) ??
      (await this.#lookAtReceipts()) ??
      (await this.#lookAtWithdrawals(isSweep))
    );
  }

  async #lookAtDeposits(isSweep: boolean): Promise<string | undefined> {
    if (this.deposits.length === 0) return;
    const rows = await this.#simulation.house.database.owner<{ id: string; state: string }[]>`
      select id, state from deposits where id = any(${this.deposits.map(({ id }) => id)}::uuid[])`;
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    for (const deposit of [...this.deposits]) {
      const state = states.get(deposit.id) ?? 'missing';
      if (!['created', 'sending', 'sent'].includes(state)) this.#release(deposit);
      if (state === 'paid') {
        const wrong = this.#creditDeposit(deposit);
        if (wrong) return wrong;
        continue;
      }
      if (isSweep) deposit.looks += 1;
      const payment = this.#mpesa.prompts.get(deposit.id)?.payment;
      if (payment?.isListed && !deposit.isListed) Object.assign(deposit, { isListed: true, looks: 0 });
      const isOwed = payment != null && !NEVER_SURE.has(deposit.fate);
      // What was asked for while answers were lost is found by asking M-Pesa, also after the faults are over.
      const isUntroubled = !deposit.isOfFaults && !this.#simulation.isFaulty;
      const isLate = (AT_ONCE.has(deposit.fate) && isUntroubled) || deposit.looks > LOOKS_MAX;
      if (isOwed && isLate && !(await this.#isLeftToPeople(deposit)))
        return `the ${deposit.fate} deposit of person ${deposit.person.number} is ${state} and not credited`;
    }
    return;
  }

  /**
   * A fault of ours lost M-Pesa's answer to the prompt, by which we could ask about it, and its list, which goes back two
   * days, never named it: then an operator is told, and whoever paid can confirm it.
   */
  async #isLeftToPeople({ id, isOfFaults, isListed }: ExpectedDeposit): Promise<boolean> {
    if (!isOfFaults || isListed) return false;
    const found = await this.#simulation.house.database.owner`
      select from deposits d where id = ${id} and checkout_request_id is null
        and exists (select from money_exceptions where about_id = d.id and kind = 'prompt_unknown')`;
    return found.length > 0;
  }

  #release(deposit: ExpectedDeposit): void {
    const prompt = `${deposit.person.number} ${deposit.phone}`;
    if (this.openPrompts.get(prompt) === deposit.at) this.openPrompts.delete(prompt);
  }

  #creditDeposit(deposit: ExpectedDeposit): string | undefined {
    const payment = this.#mpesa.prompts.get(deposit.id)?.payment ?? null;
    this.deposits = this.deposits.filter((other) => other !== deposit);
    if (!payment)
      return `person ${deposit.person.number} is credited with ${deposit.cents} that nobody paid (${deposit.fate})`;
    this.#simulation.count(`credited ${deposit.fate}`);
    if (payment.booked === 'wallet') return;
    if (payment.booked === 'suspense') this.#books.suspense -= payment.cents;
    else this.#books.float += payment.cents;
    payment.booked = 'wallet';
    deposit.person.wallet += payment.cents;
    return;
  }

  async #lookAtReceipts(): Promise<string | undefined> {
    const open = [...this.#mpesa.payments.keys()].filter((receipt) => !this.#byReceipt.has(receipt));
    if (open.length === 0) return;
    const rows = await this.#simulation.house.database.owner<
      { receipt: string; credited_to: string; user_id: string | null; deposit_id: string | null }[]
    >`
      select receipt, credited_to, user_id, deposit_id from mpesa_receipts
      where receipt = any(${open}::text[]) order by receipt`;
    for (const row of rows) {
      // An operator sent it back, as was noted when they did.
      if (row.credited_to === 'returned') continue;
      const payment = this.#mpesa.payments.get(row.receipt) as Payment;
      const wrong =
        row.credited_to === 'suspense'
          ? this.#intoSuspense(payment)
          : this.#intoWallet(payment, row.user_id, row.deposit_id);
      if (wrong) return wrong;
    }
    return;
  }

  #intoSuspense(payment: Payment): string | undefined {
    if (payment.booked !== 'no') return;
    payment.booked = 'suspense';
    this.#books.float += payment.cents;
    this.#books.suspense += payment.cents;
    this.#simulation.count('into suspense');
    const named = this.#named.get(payment.receipt);
    const isClaimed = this.claims.some(({ receipt }) => receipt === payment.receipt);
    // Without M-Pesa's list a payment by hand is not believed: an operator looks at it.
    const isListed = this.#mpesa.isListHad(payment.at);
    return named && !isClaimed && isListed
      ? `${payment.cents} for person ${named.number} stands in suspense`
      : undefined;
  }

  #intoWallet(payment: Payment, userId: string | null, depositId: string | null): string | undefined {
    this.#byReceipt.add(payment.receipt);
    const person = this.#books.people.find(({ id }) => id === userId);
    if (!person) return `a receipt is credited to nobody that there is`;
    const wasBooked = payment.booked;
    if (wasBooked === 'wallet') return;
    const deposit = depositId === null ? undefined : this.#depositOf.get(depositId);
    const claimed = this.claims.some((claim) => claim.receipt === payment.receipt && claim.person === person);
    const isTheirs =
      this.#named.get(payment.receipt) === person ||
      deposit?.person === person ||
      (claimed && person.phone === payment.phone);
    if (!isTheirs)
      return `${payment.cents} of ${payment.phone} is credited to person ${person.number}, whose it is not`;
    this.#simulation.count(claimed ? 'credited by a claim' : 'credited by hand');
    if (wasBooked === 'suspense') this.#books.suspense -= payment.cents;
    else this.#books.float += payment.cents;
    payment.booked = 'wallet';
    person.wallet += payment.cents;
    return;
  }

  /** What is long over is not searched for ever. */
  forget(): void {
    const [weekAgo, longAgo] = [this.#simulation.now - 7 * DAY_MS, this.#simulation.now - 500 * DAY_MS];
    for (const [receipt, payment] of this.#mpesa.payments) {
      // What is in no book yet may be found out years later.
      if (payment.booked !== 'wallet' || payment.at >= weekAgo) continue;
      this.#mpesa.payments.delete(receipt);
      this.#named.delete(receipt);
    }
    // A prompt that nobody paid is over; one that was paid is waited for until it is in a book.
    const isOpen = (id: string) => this.#mpesa.prompts.get(id)?.payment?.booked === 'no';
    this.deposits = this.deposits.filter(({ id, at }) => at >= longAgo || isOpen(id));
    for (const [id, { at }] of this.#depositOf) if (at < longAgo && !isOpen(id)) this.#depositOf.delete(id);
    this.#mpesa.forget(longAgo);
    this.claims = this.claims.filter(({ receipt }) => this.#mpesa.payments.has(receipt));
  }

  async #lookAtWithdrawals(isSweep: boolean): Promise<string | undefined> {
    if (this.withdrawals.length === 0) return;
    const rows = await this.#simulation.house.database.owner<{ id: string; state: string }[]>`
      select id, state from withdrawals where id = any(${this.withdrawals.map(({ id }) => id)}::uuid[])`;
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    for (const withdrawal of [...this.withdrawals]) {
      const state = states.get(withdrawal.id) ?? 'missing';
      const wrong = state === 'paid' || state === 'returned' ? this.#settle(withdrawal, state) : null;
      if (wrong) return wrong;
      if (wrong === undefined) continue;
      if (isSweep) withdrawal.looks += 1;
      const isUntroubled = !withdrawal.isOfFaults && !this.#simulation.isFaulty;
      const isLate = (AT_ONCE.has(withdrawal.fate) && isUntroubled) || withdrawal.looks > LOOKS_MAX;
      if (isLate && !this.#isNeverTold(withdrawal)) {
        const when = withdrawal.isOfFaults ? ', asked for while answers were lost,' : '';
        return `the ${withdrawal.fate} withdrawal of person ${withdrawal.person.number}${when} is still ${state}`;
      }
    }
    return;
  }

  #settle(withdrawal: ExpectedWithdrawal, state: 'paid' | 'returned'): string | undefined {
    const { person, cents, fate } = withdrawal;
    this.withdrawals = this.withdrawals.filter((other) => other !== withdrawal);
    const isPaid = this.#mpesa.payouts.get(withdrawal.id)?.receipt != null;
    if (isPaid !== (state === 'paid')) return `the ${fate} withdrawal of person ${person.number} is ${state}`;
    this.#simulation.count(`settled ${fate}`);
    person.held -= cents;
    if (state === 'paid') this.#books.float -= cents;
    else person.wallet += cents;
    return;
  }

  /** At the end: what was told and is in no book, or what nobody would ever look at. */
  async leftOver(): Promise<string | undefined> {
    for (const [id, prompt] of this.#mpesa.prompts) {
      const isSure = !prompt.fate.startsWith('lost') && prompt.fate !== 'wrong_amount_told';
      if (!isSure || prompt.payment?.booked !== 'no') continue;
      const expected = this.#depositOf.get(id);
      if (expected && (await this.#isLeftToPeople(expected))) this.#simulation.count('paid, and left to people');
      else return `the ${prompt.fate} deposit ${id} is in no book at the end`;
    }
    const [forgotten] = [...this.#mpesa.payments.values()].filter(
      ({ booked, isListed, isTold }) => booked === 'no' && (isListed || isTold),
    );
    if (forgotten) {
      const how = forgotten.isListed ? 'on M-Pesa’s list' : 'told of';
      return `a payment of ${forgotten.cents} by ${forgotten.phone} was ${how}, and is in no book at the end`;
    }
    const open = this.withdrawals.find((withdrawal) => !this.#isNeverTold(withdrawal));
    return open && `the ${open.fate} withdrawal of person ${open.person.number} is open at the end`;
  }

  /** What M-Pesa has of ours and the books do not know yet: in, and out. */
  unknownCents(): number {
    const waiting = [...this.#mpesa.payments.values()].filter(({ booked }) => booked === 'no');
    const out = this.withdrawals.filter(({ id }) => this.#mpesa.payouts.get(id)?.receipt != null);
    const sum = (all: readonly { readonly cents: number }[]) => all.reduce((total, { cents }) => total + cents, 0);
    return sum(waiting) - sum(out);
  }
}
