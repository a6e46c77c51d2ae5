import type { Standing, Surplus } from './naive-dividends.ts';
import type { Guarantee, Loan, LoanBook } from './naive-loans.ts';
import type { Market, Order } from './naive-market.ts';
import type { Place } from './naive-pools.ts';
import type { Vote } from './naive-votes.ts';

/*
 * What the product must come to, kept as a person would with paper: plain maps and numbers in cents. It shares no code
 * with the product; where both say the same thing, they say it independently.
 */

export interface Session {
  readonly token: string;
  /** When the password was last entered in it. */
  provenAt: number;
  /** When something was last asked in it. */
  seenAt: number;
}

export interface Person {
  readonly number: number;
  id: string;
  idNumber: string;
  /** What one types as the account at the paybill; the product draws it. */
  account: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  recoveryPhone: string;
  isConfirmed: boolean;
  isRecoveryConfirmed: boolean;
  password: string;
  address: string;
  isOperator: boolean;
  wallet: number;
  held: number;
  payoutHeldUntil: number;
  /** What their old sessions moved on one day, in cents. */
  moved: { day: string; cents: number };
  /** What shares that they sold brought them lately. */
  sales: { at: number; cents: number }[];
  sessions: Session[];
  /** What was wrongly typed since the last day of quiet: throttles are another harness's matter. */
  slips: number;
  slippedAt: number;
  factor: { isOn: boolean; begunAt: number; secret: Buffer; lastStep: number } | null;
  recoveryCodes: string[];
  resetCodes: { code: string; expiresAt: number }[];
  /** When the phone of the profile was changed. */
  phoneChanges: number[];
  phoneCodes: { code: string; phone: string; at: number; expiresAt: number }[];
  referralCode: string;
  /** Days and phones of invitations. */
  invitations: { day: string; phone: string; at: number }[];
  /** Operators who suspended the account, and when. */
  readonly suspensions: { readonly by: Person; readonly at: number }[];
  /** Until when an official’s look at the ID card holds; another name ends it. Never: long ago. */
  cardSeenUntil: number;
  /** Since when it has been seen; and until when the one before it counts. */
  cardSeenAt: number;
  cardBefore: number;
}

export interface Sacco {
  readonly number: number;
  id: string;
  name: string;
  regNo: string;
  type: string;
  founder: Person;
  state: 'pending' | 'active' | 'suspended' | 'rejected';
  confirmedBy: Person | null;
  /** The operators who have rejected it: each does so once. */
  readonly rejectedBy: Set<Person>;
  /** Of one that is suspended: by whom, and when that lapses; null once a second operator has upheld it. */
  suspension: { readonly by: Person; until: number | null } | null;
  /** When the last suspension ended. */
  suspensionEndedAt: number;
  /** Who proposed to suspend it again or to reinstate it, and when. */
  proposal: { readonly to: 'active' | 'suspended'; readonly by: Person; readonly at: number; id: string } | null;
  regFee: number;
  minShares: number;
  shareValue: number;
  cash: number;
  capital: number;
  fees: number;
  /** Fees earned and rewards paid by calendar month of Nairobi, `2026-11`. */
  readonly feesOfMonth: Map<string, number>;
  readonly rewardsOfMonth: Map<string, number>;
  rewardsPaid: number;
  issued: number;
  offices: { office: string; person: Person; until: number; isEnded: boolean }[];
  /** When people were named lately: ten a day. */
  namings: { at: number; isByOperator: boolean }[];
  /** Officials whom one operator has named, for a second one to confirm. */
  namingsThatWait: NamingThatWaits[];
  /** Operators who suspended an official of this sacco, and when. */
  suspenders: { by: Person; at: number }[];
  checks: Set<string>;
  ratings: Map<Person, number>;
  /** Ten members have held the minimum shares at once. */
  hadTen?: boolean;
  /** What was said of referrals and when; the last of what was said before somebody signed up holds for them. */
  terms: { at: number; reward: number; monthlyMax: number }[];
  /** So many members could vote, when that was first found: officials change no terms from then on. */
  couldVote?: number;
  readonly market: Market;
  readonly lending: LoanBook;
  readonly createdAt: number;
  readonly surplus: Surplus;
}

/** A change that waits for a second official, or for its day. */
export interface Change {
  id: string;
  readonly kind: 'market' | 'referrals' | 'loans' | 'year';
  readonly sacco: Sacco;
  readonly by: Person;
  readonly at: number;
  before: Readonly<Record<string, number | boolean | string>>;
  readonly after: Readonly<Record<string, number | boolean | string>>;
  state: 'proposed' | 'confirmed' | 'ended';
  /** From when it holds. */
  from: number | null;
  refused?: Refused;
}

/** The official who said no, and when. */
interface Refused {
  readonly by: Person;
  readonly at: number;
}

/** Whether an official has said no to one of these within 30 days: their next no to the same matter counts for nothing. */
export const hasRefusedLately = (
  matters: readonly { readonly refused?: Refused }[],
  person: Person,
  now: number,
): boolean => matters.some(({ refused }) => refused?.by === person && refused.at > now - 30 * 86_400_000);

/** The new name of an official, which waits for another official (acts/names.ts). */
export interface NameChange {
  id: string;
  readonly by: Person;
  readonly at: number;
  readonly lastName: string;
  isOpen: boolean;
  refused?: Refused;
}

export interface Member {
  /** In the list of members; the product draws it, and it is read once it is needed. */
  id: string;
  readonly person: Person;
  readonly sacco: Sacco;
  state: 'provisional' | 'active' | 'leaving' | 'exited';
  joinedAt: number;
  paidUpAt: number | null;
  /** Those that are not pledged for a loan, and those that are. */
  savings: number;
  pledged: number;
  /** What was saved in the last half year. */
  saved: { readonly at: number; readonly cents: number }[];
  /** All of them, and how many of them open orders hold. */
  shares: number;
  heldShares: number;
  exit: Exit | null;
  /** When notice was given. */
  notices: number[];
  order: StandingOrder | null;
  /** By the end of each day on which it changed. */
  readonly days: Standing[];
}

export interface Exit {
  readonly id: string;
  readonly dueAt: number;
  readonly stateBefore: 'provisional' | 'active';
  state: 'requested' | 'shares_to_sell' | 'completed' | 'cancelled';
}

export interface StandingOrder {
  id: string;
  readonly amount: number;
  readonly day: number;
  readonly firstMonth: string;
  /** The month that was last tried, and how it went. */
  run: { month: string; tries: number; triedOn: string; state: 'waiting' | 'paid' | 'skipped' } | null;
}

const HALF_YEAR_MS = 180 * 86_400_000;

/** Somebody has saved. */
export function save(member: Member, cents: number, now: number): void {
  member.savings += cents;
  member.saved = [...member.saved.filter(({ at }) => at > now - HALF_YEAR_MS), { at: now, cents }];
}

export function newMember(person: Person, sacco: Sacco, now: number): Member {
  return {
    id: '',
    person,
    sacco,
    state: 'provisional',
    joinedAt: now,
    paidUpAt: null,
    savings: 0,
    pledged: 0,
    saved: [],
    shares: 0,
    heldShares: 0,
    exit: null,
    notices: [],
    order: null,
    days: [],
  };
}

/** Fees that a sacco has earned at this instant. */
export function earnFees(sacco: Sacco, cents: number, now: number): void {
  const month = dayOf(now).slice(0, 7);
  sacco.fees += cents;
  sacco.feesOfMonth.set(month, (sacco.feesOfMonth.get(month) ?? 0) + cents);
}

export interface Referral {
  id: string;
  readonly referrer: Person;
  readonly referred: Person;
  readonly at: number;
  status: 'lead' | 'joined' | 'fully_paid';
  review: 'none' | 'held' | 'released' | 'denied';
  reward: 'not_yet' | 'waiting' | 'paid' | 'none';
  sacco: Sacco | null;
  cents: number;
}

export interface NamingThatWaits {
  readonly by: Person;
  readonly person: Person;
  readonly office: string;
  readonly at: number;
  /** The proposal's. */
  id: string;
}

/** An office that somebody is asked to take up, with the code of its SMS. */
export interface OfficeInvitation {
  readonly id: string;
  readonly person: Person;
  readonly sacco: Sacco;
  readonly office: string;
  readonly isByOperator: boolean;
  readonly code: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface PayerCode {
  readonly person: Person;
  readonly phone: string;
  readonly at: number;
  /** Empty until the SMS has come. */
  code: string;
  tries: number;
  isUsed: boolean;
}

export interface Trace {
  readonly person: Person;
  readonly kind: 'phone' | 'id' | 'address' | 'confirmed_phone';
  readonly value: string;
  readonly at: number;
}

/** The reply to a request that carried a key, for as long as the key is kept. */
export interface KeptReply {
  readonly person: Person;
  readonly key: string;
  readonly act: string;
  readonly at: number;
  readonly spec: unknown;
  readonly reply: unknown;
}

export interface Pool {
  id: string;
  readonly creator: Person;
  /** The sacco's number or `open`, and the name. */
  readonly nameKey: string;
  readonly isOpen: boolean;
  readonly sacco: Sacco | null;
  /** The least that somebody joins with, and leaves in it. */
  readonly min: number;
  /** The hash of its terms, once they were read. */
  termsHash: string;
  readonly places: Place[];
  review: 'waiting' | 'approved' | 'refused';
  refusedBy?: Person;
  /** Until five members have put in ten times the least. */
  isForming: boolean;
}

export class NaiveBooks {
  readonly people: Person[] = [];
  readonly saccos: Sacco[] = [];
  readonly members: Member[] = [];
  readonly changes: Change[] = [];
  readonly names: NameChange[] = [];
  readonly votes: Vote[] = [];
  readonly referrals: Referral[] = [];
  traces: Trace[] = [];
  replies: KeptReply[] = [];
  officeInvitations: OfficeInvitation[] = [];
  /** Codes that went to phones of others, so that prompts may come to them. */
  payerCodes: PayerCode[] = [];
  agreements: { id: string; readonly person: Person; readonly phone: string }[] = [];
  /** Prompts on phones that are nobody's here. */
  friendsPrompts: { readonly phone: string; readonly at: number }[] = [];
  /** Who has given notice, and when the job comes to their orders. */
  leaving: { readonly member: Member; readonly at: number }[] = [];
  /** Some of the orders that were closed lately. */
  closedOrders: Order[] = [];
  readonly pools: Pool[] = [];
  readonly loans: Loan[] = [];
  /** Guarantees whose guarantors wait for the SMS with their code. */
  codesAwaited: Guarantee[] = [];
  /** Rewards paid: by referrer, sacco and month. */
  readonly rewardsOfMonth = new Map<string, number>();
  /** The last day on which anything happened. */
  lastDay = '';
  float = 0;
  suspense = 0;
  /** How often things of their own accord have happened: refunds, orders, rewards. */
  readonly happened: Record<string, number> = {
    'exit refunded': 0,
    'exit completed': 0,
    'order paid': 0,
    'order waits': 0,
    'order skipped': 0,
    'referral fully paid': 0,
    'reward paid': 0,
    'change in force': 0,
    'shares traded': 0,
    'order filled': 0,
    'order filled in part': 0,
    'order made smaller in its place': 0,
    'order closed: by_member': 0,
    'order closed: expired': 0,
    'price alert told': 0,
    'guarantors asked too often': 0,
    'somebody asked who said no': 0,
  };
  readonly #memberOf = new Map<string, Member>();

  note(what: string): void {
    this.happened[what] = (this.happened[what] ?? 0) + 1;
  }

  memberOf(person: Person, sacco: Sacco): Member | null {
    return this.#memberOf.get(`${person.number} ${sacco.number}`) ?? null;
  }

  addMember(member: Member): void {
    this.members.push(member);
    this.#memberOf.set(`${member.person.number} ${member.sacco.number}`, member);
  }

  membersOf(sacco: Sacco): number {
    return this.members.filter((member) => member.sacco === sacco && member.state !== 'exited').length;
  }

  holdersOf(sacco: Sacco): number {
    return this.members.filter((member) => member.sacco === sacco && member.shares > 0).length;
  }

  qualifiedOf(sacco: Sacco): number {
    const least = Math.max(1, sacco.minShares);
    return this.members.filter((member) => member.sacco === sacco && member.shares >= least).length;
  }

  /** Whether nobody may come to hold more than a fifth: to be asked after each move of shares. */
  isLimited(sacco: Sacco): boolean {
    sacco.hadTen ||= this.qualifiedOf(sacco) >= 10;
    return sacco.hadTen;
  }

  /** One brought the other, both have confirmed one phone, now or before, or they showed the same ID, or one address within a month. */
  areRelated(one: Person, other: Person): boolean {
    const isBringing = this.referrals.some(
      ({ referrer, referred }) => (referrer === one && referred === other) || (referrer === other && referred === one),
    );
    const own = this.traces.filter(({ person }) => person === one);
    const theirs = this.phonesOf(other);
    return (
      isBringing ||
      this.phonesOf(one).some((phone) => theirs.includes(phone)) ||
      own.some((mine) =>
        this.traces.some(
          ({ person, kind, value, at }) =>
            person === other &&
            kind === mine.kind &&
            value === mine.value &&
            (kind !== 'address' || Math.abs(at - mine.at) <= 30 * 86_400_000),
        ),
      )
    );
  }

  phonesOf(person: Person): string[] {
    const given = this.traces.filter((trace) => trace.person === person && trace.kind === 'confirmed_phone');
    return [
      ...(person.isConfirmed ? [person.phone] : []),
      ...(person.isRecoveryConfirmed ? [person.recoveryPhone] : []),
      ...given.map(({ value }) => value),
    ];
  }

  officesOf(person: Person, sacco: Sacco, now: number): string[] {
    const held = sacco.offices.filter((held) => held.person === person && !held.isEnded && held.until > now);
    return held.map(({ office }) => office);
  }
}

export function newPerson(number: number): Person {
  const padded = String(number).padStart(6, '0');
  return {
    number,
    id: '',
    idNumber: `M${padded}`,
    account: '',
    firstName: 'Wanjiru',
    lastName: `Number${letters(number)}`,
    email: `person-${number}@model.example`,
    phone: `25471${String(1_000_000 + number)}`,
    recoveryPhone: `25471${String(1_000_000 + number)}`,
    isConfirmed: false,
    isRecoveryConfirmed: false,
    password: `Zq${padded}#wv`,
    // Every third has an address of the public network, which is kept and compared.
    address: `${number % 3 === 0 ? '41.90' : '10.0'}.${(number >> 8) & 255}.${number & 255}`,
    isOperator: false,
    wallet: 0,
    held: 0,
    payoutHeldUntil: 0,
    moved: { day: '', cents: 0 },
    sales: [],
    sessions: [],
    slips: 0,
    slippedAt: 0,
    factor: null,
    recoveryCodes: [],
    resetCodes: [],
    phoneChanges: [],
    phoneCodes: [],
    referralCode: '',
    invitations: [],
    suspensions: [],
    cardSeenUntil: Number.NEGATIVE_INFINITY,
    cardSeenAt: 0,
    cardBefore: Number.NEGATIVE_INFINITY,
  };
}

/** A number as a name can have it. */
export function letters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

const NAIROBI_MS = 3 * 3_600_000;

/** A day in Nairobi, `2026-12-05`. */
export function dayOf(time: number): string {
  return new Date(time + NAIROBI_MS).toISOString().slice(0, 10);
}
