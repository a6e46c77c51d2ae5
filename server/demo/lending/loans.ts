import { LOAN_STATES, type LoanState } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { recordIdentityCheck } from '../../domains/identity/record-identity-check.ts';
import { applyForLoan, submitLoan, withdrawLoan } from '../../domains/loans/apply-for-loan.ts';
import { setLoanProduct } from '../../domains/loans/change-loan-product.ts';
import { setLendingAuthority } from '../../domains/loans/lending-authority.ts';
import { type GuaranteeRow, lockGuarantees, lockLoan } from '../../domains/loans/loan-rows.ts';
import { guaranteeTermsHash } from '../../domains/loans/loan-terms.ts';
import { acceptLoan, decideDisbursement, orderDisbursement } from '../../domains/loans/pay-out-loan.ts';
import { payoffOfLoan, repayLoans } from '../../domains/loans/repay-loans.ts';
import { replaceGuarantor } from '../../domains/loans/replace-guarantor.ts';
import { reviewLoan } from '../../domains/loans/review-loan.ts';
import { runLoanDays } from '../../domains/loans/run-loan-days.ts';
import { setSurplus } from '../../domains/loans/set-surplus.ts';
import { acceptGuarantee, askGuaranteeCode, refuseGuarantee } from '../../domains/loans/sign-guarantee.ts';
import { tendLoans } from '../../domains/loans/tend-loans.ts';
import { relatedPairs } from '../../domains/referrals/related.ts';
import { openOffice } from '../../domains/saccos/offices.ts';
import { see } from '../identity.ts';
import { join, register, roundUp, save } from '../member-acts.ts';
import { buy, mustBeDone, topUp } from '../money-acts.ts';
import { type DemoPerson, secondOfficial, treasurer } from '../people.ts';
import { type DemoSacco, mwangaza, nuru, umoja } from '../saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from '../scene.ts';
import { signedIn } from '../signed-in.ts';
import { recoveries } from './loan-recoveries.ts';
import {
  committee,
  type DemoLoan,
  demoLoans,
  earlyBorrowers,
  guarantors,
  lateBorrowers,
  type ProductName,
  standIn,
  substituted,
} from './loan-stories.ts';

/** What each loan has come to, as the story goes on. */
class Loans {
  readonly products = new Map<ProductName, string>();
  readonly ids = new Map<DemoLoan, string>();

  id = (loan: DemoLoan) => this.ids.get(loan) as string;
}

/** What members of Mwangaza borrow, who stands behind them, and what the officials do about it; products of all saccos. */
export const loans: DemoPart = {
  happenings(scene, cast) {
    const known = new Loans();
    return [
      ...offices(scene, cast),
      ...products(scene, cast, known),
      authority(scene, cast),
      ...peopleOfLoans(scene, cast),
      ...demoLoans.flatMap((loan) => lifeOf(scene, cast, known, loan)),
      ...substitution(scene, cast, known),
      ...recoveries(scene, cast, known.id),
    ];
  },
  async weekly(database) {
    await tendLoans(database);
    await runLoanDays(database);
  },
  async missing(sql) {
    const found = await sql<{ state: LoanState }[]>`select distinct state from loans`;
    const states = new Set(found.map(({ state }) => state));
    const [waived] = await sql`
      select from journals where kind = 'loan_charges_waived' and caused_by is not null limit 1`;
    return [
      ...LOAN_STATES.filter((state) => !states.has(state)).map((state) => `a loan that is ${state}`),
      ...(waived ? [] : ['a waiver of penalty by two officials']),
    ];
  },
};

/** Two of the credit committee beside the secretary, two who supervise, and a manager. */
function offices(scene: Scene, cast: Cast): Happening[] {
  const named: readonly (readonly [number, DemoPerson, Office])[] = [
    [9, secondOfficial, 'credit_committee'],
    [13, committee.first, 'credit_committee'],
    [13, committee.second, 'credit_committee'],
    [13, committee.supervisor, 'supervisory_committee'],
    [13, committee.secondSupervisor, 'supervisory_committee'],
    [13, committee.manager, 'manager'],
  ];
  return named.map(([day, person, office], index) => ({
    at: at(scene, day, 12 + index / 10),
    what: `${person.firstName} is elected: ${office}`,
    act: (tx: Tx) =>
      openOffice(tx, cast.person(treasurer), {
        saccoId: cast.sacco(mwangaza),
        userId: cast.person(person).userId,
        office,
      }),
  }));
}

const terms = {
  method: 'annuity',
  monthly_rate: 1,
  min_amount: 1_000_00,
  max_amount: 200_000_00,
  min_months: 3,
  max_months: 24,
  multiplier: 3,
  min_member_days: 180,
  min_guarantors: 2,
  fee_percentage: 1,
  penalty_rate: 1,
  is_offered: true,
} as const;

/** What is lent, by whom; a product that a loan of the demonstration needs has a name. */
const OFFERED: readonly [DemoSacco, ProductName | null, Parameters<typeof setLoanProduct>[2]][] = [
  [mwangaza, 'stock', { ...terms, saccoId: '', name: 'Stock loan', whole_shillings: true }],
  [
    mwangaza,
    'fees',
    { ...terms, saccoId: '', name: 'School fees loan', method: 'equal_principal', max_months: 12, min_guarantors: 1 },
  ],
  [
    mwangaza,
    'emergency',
    {
      ...terms,
      saccoId: '',
      name: 'Emergency loan',
      method: 'flat',
      min_amount: 500_00,
      max_amount: 10_000_00,
      min_months: 1,
      max_months: 6,
      multiplier: 1,
      min_member_days: 30,
      min_guarantors: 0,
      fee_percentage: 0,
      penalty_rate: 2,
    },
  ],
  [
    mwangaza,
    null,
    {
      ...terms,
      saccoId: '',
      name: 'Motorcycle loan',
      monthly_rate: 1.5,
      min_months: 12,
      max_months: 36,
      min_guarantors: 3,
      is_offered: false,
    },
  ],
  [
    umoja,
    null,
    {
      ...terms,
      saccoId: '',
      name: 'Engine repair loan',
      method: 'flat',
      max_amount: 20_000_00,
      max_months: 6,
      min_member_days: 90,
      min_guarantors: 1,
    },
  ],
  [nuru, null, { ...terms, saccoId: '', name: 'January fees loan', max_months: 12, fee_percentage: 0.5 }],
  [
    nuru,
    null,
    {
      ...terms,
      saccoId: '',
      name: 'House loan',
      monthly_rate: 0.9,
      min_amount: 50_000_00,
      max_amount: 2_000_000_00,
      min_months: 12,
      max_months: 60,
      min_guarantors: 3,
    },
  ],
];

function products(scene: Scene, cast: Cast, known: Loans): Happening[] {
  return OFFERED.map(([sacco, name, product], index) => ({
    at: at(scene, 20, index / 10),
    what: `${sacco.name} gives a ${product.name}`,
    async act(tx: Tx) {
      const id = await setLoanProduct(tx, cast.person(sacco.founder), { ...product, saccoId: cast.sacco(sacco) });
      if (name) known.products.set(name, id);
    },
  }));
}

/** From day 320 on the manager decides small loans alone. */
function authority(scene: Scene, cast: Cast): Happening {
  return {
    at: at(scene, 320),
    what: 'Mwangaza lets its manager decide small loans',
    act: (tx: Tx) =>
      setLendingAuthority(tx, cast.person(mwangaza.founder), {
        saccoId: cast.sacco(mwangaza),
        committeeCents: 200_000_00,
        managerCents: 5_000_00,
      }),
  };
}

/** Members who are there for the loans: they join early, and save once. */
function peopleOfLoans(scene: Scene, cast: Cast): Happening[] {
  const { mbugua, halake, sironka, tabitha } = lateBorrowers;
  const saved: readonly (readonly [DemoPerson, cents: number, shares: number])[] = [
    [mbugua, 3_000_00, 0],
    [halake, 3_000_00, 0],
    [sironka, 2_000_00, 0],
    [tabitha, 2_500_00, 0],
    ...earlyBorrowers.map((person) => [person, 4_000_00, 0] as const),
    ...Object.values(committee).map((person) => [person, 4_000_00, 20] as const),
    // Last, so that nobody comes to hold more than a fifth of the shares.
    ...Object.values(guarantors).map((person) => [person, 12_000_00, 80] as const),
  ];
  return saved.flatMap(([person, cents, more], index) => {
    const shares = mwangaza.minShares + more;
    const cost = mwangaza.regFeeCents + shares * mwangaza.shareValueCents + cents;
    const when = (hour: number) => at(scene, 12, hour + index / 20);
    return [
      register(scene, cast, person, when(0)),
      topUp(scene, cast, person, roundUp(cost), when(1)),
      { at: when(2), what: `${person.firstName} joins`, act: (tx: Tx) => join(tx, cast, mwangaza, person) },
      { at: when(3), what: `${person.firstName} buys`, act: (tx: Tx) => buy(tx, cast, mwangaza, person, shares) },
      { at: when(4), what: `${person.firstName} saves`, act: (tx: Tx) => save(tx, cast, mwangaza, person, cents) },
      {
        at: when(5),
        what: `the card of ${person.firstName} is seen`,
        act: (tx: Tx) =>
          recordIdentityCheck(tx, cast.person(secondOfficial), {
            userId: cast.person(person).userId,
            document: 'national_id',
            number: person.idNumber,
            as: { saccoId: cast.sacco(mwangaza), office: 'secretary' },
          }),
      },
    ];
  });
}

/** From the application on, as far as the loan got. */
function lifeOf(scene: Scene, cast: Cast, known: Loans, loan: DemoLoan): Happening[] {
  const told = new Telling(scene, cast, known, loan);
  const steps = [told.applies(), ...told.guarantorsAnswer()];
  if (loan.ending === 'pending') return steps;
  steps.push(told.submits());
  if (loan.ending === 'withdrawn') return [...steps, told.takesBack()];
  if (loan.ending === 'submitted') return [...steps, ...told.voices('approve', loan.voices ?? 0)];
  if (loan.ending === 'returned') return [...steps, ...told.voices('return', 1)];
  if (loan.ending === 'rejected') return [...steps, ...told.voices('reject', 2)];
  steps.push(...(loan.isByManager ? [told.isDecidedByManager()] : told.voices('approve', 2)));
  if (loan.ending === 'approved') return steps;
  steps.push(told.accepts());
  if (loan.ending === 'accepted') return steps;
  steps.push(told.isOrdered());
  if (loan.ending === 'disbursing') return steps;
  return [...steps, told.isPaidOut(), ...told.repays()];
}

/** The happenings of one loan. */
class Telling {
  readonly #scene: Scene;
  readonly #cast: Cast;
  readonly #known: Loans;
  readonly #loan: DemoLoan;

  constructor(scene: Scene, cast: Cast, known: Loans, loan: DemoLoan) {
    this.#scene = scene;
    this.#cast = cast;
    this.#known = known;
    this.#loan = loan;
  }

  #at(days: number, hour: number, what: string, act: Happening['act']): Happening {
    const { by, day } = this.#loan;
    // Each loan has its own minute, so that of two codes to one phone it is clear which came last.
    const minute = demoLoans.indexOf(this.#loan) / 60;
    return {
      at: at(this.#scene, day + days, hour + minute),
      what: `${by.firstName}’s loan of day ${day}: ${what}`,
      act,
    };
  }

  applies(): Happening {
    const { by, product, shillings, months, purpose, refinances } = this.#loan;
    return this.#at(0, 1, 'applied for', async (tx: Tx) => {
      const application = {
        saccoId: this.#cast.sacco(mwangaza),
        productId: this.#known.products.get(product) as string,
        amount: shillings * 100,
        months,
        purpose,
        netIncome: 24_000_00,
        guarantors: await this.#asked(tx),
        poolRequest: null,
        refinances: refinances ? this.#known.id(refinances) : null,
      };
      // Nobody borrows under a name whose card was not seen.
      await see(tx, this.#cast, mwangaza, by, by === secondOfficial ? treasurer : secondOfficial);
      this.#known.ids.set(this.#loan, await applyForLoan(tx, this.#cast.person(by), application, relatedPairs));
    });
  }

  async #asked(tx: Tx) {
    return Promise.all(
      (this.#loan.guarantors ?? []).map(async ([who, shillings]) => ({
        member: await memberId(tx, this.#cast, who),
        amount: shillings * 100,
      })),
    );
  }

  guarantorsAnswer(): Happening[] {
    return (this.#loan.guarantors ?? []).flatMap(([who, , answer = 'signs'], index) => {
      if (answer === 'waits') return [];
      if (answer === 'refuses') {
        return [
          this.#at(1, 1, 'refused', async (tx: Tx) => {
            const { id } = await guaranteeOf(tx, this.#cast, this.#known.id(this.#loan), who);
            await refuseGuarantee(tx, this.#cast.person(who), { guaranteeId: id });
          }),
        ];
      }
      return [
        this.#at(1, 1 + index / 10, 'signed', () => signs(this.#scene, this.#cast, this.#known.id(this.#loan), who)),
      ];
    });
  }

  submits(): Happening {
    return this.#at(1, 5, 'submitted', (tx: Tx) =>
      signedIn(tx, this.#cast, this.#loan.by, (actor) => submitLoan(tx, actor, { loanId: this.#known.id(this.#loan) })),
    );
  }

  takesBack(): Happening {
    return this.#at(3, 2, 'taken back', (tx: Tx) =>
      withdrawLoan(tx, this.#cast.person(this.#loan.by), { loanId: this.#known.id(this.#loan) }),
    );
  }

  voices(decision: 'approve' | 'return' | 'reject', count: number): Happening[] {
    const reasons = {
      approve: FOR_IT,
      return: [this.#loan.reason],
      reject: [this.#loan.reason, 'I see it the same way.'],
    };
    return [committee.first, committee.second]
      .slice(0, count)
      .map((member, index) =>
        this.#at(3 + index, 3, 'reviewed', (tx: Tx) =>
          signedIn(tx, this.#cast, member, async (actor) =>
            reviewLoan(
              tx,
              actor,
              { ...(await this.#shown(tx)), decision, reason: reasons[decision][index] ?? '' },
              relatedPairs,
            ),
          ),
        ),
      );
  }

  isDecidedByManager(): Happening {
    const decision = { decision: 'approve' as const, reason: 'His savings cover most of it, and I know the school.' };
    return this.#at(3, 3, 'decided by the manager', (tx: Tx) =>
      signedIn(tx, this.#cast, committee.manager, async (actor) =>
        reviewLoan(tx, actor, { ...(await this.#shown(tx)), ...decision }, relatedPairs),
      ),
    );
  }

  accepts(): Happening {
    return this.#at(5, 1, 'accepted', (tx: Tx) =>
      signedIn(tx, this.#cast, this.#loan.by, async (actor) =>
        acceptLoan(tx, actor, { ...(await this.#shown(tx)), payTo: 'wallet' }),
      ),
    );
  }

  isOrdered(): Happening {
    return this.#at(6, 1, 'ordered', (tx: Tx) =>
      signedIn(tx, this.#cast, treasurer, async (actor) => orderDisbursement(tx, actor, await this.#shown(tx))),
    );
  }

  isPaidOut(): Happening {
    return this.#at(6, 4, 'paid out', (tx: Tx) =>
      signedIn(tx, this.#cast, secondOfficial, async (actor) =>
        decideDisbursement(tx, actor, { ...(await this.#shown(tx)), decision: 'pay', reason: null }),
      ),
    );
  }

  /** Each instalment on its day or a little before, from what comes by M-Pesa that morning. */
  repays(): Happening[] {
    const { by, shillings, months, repaid = 0, ahead = 0, isPaidOff } = this.#loan;
    const instalment = roundUp(Math.ceil((shillings * 100) / months + shillings * 2));
    const steps = Array.from({ length: repaid }, (_, index) => {
      const days = 6 + 30 * (index + 1);
      const at1 = at(this.#scene, this.#loan.day + days, 1);
      return [
        topUp(this.#scene, this.#cast, by, instalment, at1),
        this.#at(days, 2, 'repaid', (tx: Tx) => this.#pays(tx, 'instalment')),
      ];
    }).flat();
    if (ahead > 0) {
      const days = 6 + 30 * repaid + 1;
      steps.push(
        topUp(this.#scene, this.#cast, by, ahead * instalment, at(this.#scene, this.#loan.day + days, 1)),
        this.#at(days, 2, 'paid in advance', async (tx: Tx) => {
          const loanId = this.#known.id(this.#loan);
          await signedIn(tx, this.#cast, by, (actor) => setSurplus(tx, actor, { loanId, surplus: 'excuse' }));
          for (let each = 0; each < ahead; each += 1) await this.#pays(tx, 'instalment');
        }),
      );
    }
    if (!isPaidOff) return steps;
    const last = 6 + 30 * (repaid + 1) - 5;
    const atLast = at(this.#scene, this.#loan.day + last, 1);
    return [
      ...steps,
      topUp(this.#scene, this.#cast, by, 2 * instalment, atLast),
      this.#at(last, 2, 'paid off', (tx: Tx) => this.#pays(tx, 'rest')),
    ];
  }

  async #pays(tx: Tx, what: 'instalment' | 'rest'): Promise<void> {
    const loanId = this.#known.id(this.#loan);
    const [due] = await tx.sql<{ cents: number }[]>`
      select (principal_cents + interest_cents - paid_principal_cents - paid_interest_cents)::bigint as cents
      from loan_instalments where loan_id = ${loanId} and paid_on is null order by number limit 1`;
    const amountCents = what === 'rest' ? (await payoffOfLoan(tx, { id: loanId })).payoff.amount : Number(due?.cents);
    await signedIn(tx, this.#cast, this.#loan.by, async ({ userId, sessionId }) =>
      mustBeDone(
        await repayLoans(tx, [
          {
            loanId,
            payerId: userId,
            amountCents,
            channel: what === 'rest' ? 'payoff' : 'wallet',
            key: `loan_repaid:demo:${tx.newId()}`,
            sessionId,
          },
        ]),
      ),
    );
  }

  /** The loan as whoever signs has it on the screen. */
  async #shown(tx: Tx) {
    const loanId = this.#known.id(this.#loan);
    const [row] = await tx.sql<{ terms_hash: string }[]>`select terms_hash from loans where id = ${loanId}`;
    return { saccoId: this.#cast.sacco(mwangaza), loanId, termsHash: row?.terms_hash ?? '' };
  }
}

const FOR_IT = ['Saves every month, and the guarantors know the stall.', 'The instalment is well within the income.'];

/** The borrower has found somebody to stand in for a guarantor who asked for it: the committee has it before it. */
function substitution(scene: Scene, cast: Cast, known: Loans): Happening[] {
  const leaving = substituted.guarantors?.[1]?.[0] as DemoPerson;
  const loanId = () => known.id(substituted);
  return [
    {
      at: at(scene, 360, 1),
      what: `${standIn.firstName} is asked to stand in`,
      async act(tx: Tx) {
        const { id } = await guaranteeOf(tx, cast, loanId(), leaving);
        const member = await memberId(tx, cast, standIn);
        const input = { saccoId: cast.sacco(mwangaza), guaranteeId: id, member };
        await replaceGuarantor(tx, cast.person(substituted.by), input, relatedPairs);
      },
    },
    { at: at(scene, 361, 1), what: `${standIn.firstName} signs`, act: () => signs(scene, cast, loanId(), standIn) },
  ];
}

/** Signs with the code of the SMS, which is read as its owner would. */
async function signs({ database }: Scene, cast: Cast, loanId: string, who: DemoPerson): Promise<void> {
  const actor = cast.person(who);
  const asked = await database.transaction(async (tx) => {
    const { id } = await guaranteeOf(tx, cast, loanId, who);
    const loan = await lockLoan(tx, loanId);
    const guarantee = (await lockGuarantees(tx, [loanId])).find((row) => row.id === id) as GuaranteeRow;
    const guaranteed = { guaranteeId: id, termsHash: guaranteeTermsHash(loan, guarantee) };
    await askGuaranteeCode(tx, actor, guaranteed);
    return guaranteed;
  });
  const [message] = await database.sql<{ text: string }[]>`
    select text from sms_messages where user_id = ${actor.userId} and text ~ '[0-9]{4} [0-9]{4}' order by id desc limit 1`;
  const code = /\d{4} \d{4}/.exec(message?.text ?? '')?.[0] ?? '';
  await acceptGuarantee(database, actor, { ...asked, code }, relatedPairs);
}

/** The latest guarantee of somebody for a loan. */
async function guaranteeOf(tx: Tx, cast: Cast, loanId: string, who: DemoPerson): Promise<{ id: string }> {
  const [row] = await tx.sql<{ id: string }[]>`
    select id from loan_guarantees where loan_id = ${loanId} and guarantor_id = ${cast.person(who).userId}
    order by asked_at desc limit 1`;
  if (!row) throw new Error(`${who.firstName} was not asked to guarantee that loan`);
  return row;
}

async function memberId(tx: Tx, cast: Cast, who: DemoPerson): Promise<string> {
  const [row] = await tx.sql<{ id: string }[]>`
    select id from memberships where sacco_id = ${cast.sacco(mwangaza)} and user_id = ${cast.person(who).userId}`;
  if (!row) throw new Error(`${who.firstName} is no member of ${mwangaza.name}`);
  return row.id;
}
