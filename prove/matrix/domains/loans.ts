import { loanTermsHash } from '../../../server/domains/loans/loan-terms.ts';
import { repayLoans } from '../../../server/domains/loans/repay-loans.ts';
import { testLateLoans } from '../../../server/domains/loans/test-late-loans.ts';
import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS } from '../domain-part.ts';
import { memberList, memberRead } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

const HASH = '0'.repeat(64);
/** Terms that nobody would refuse for themselves. */
const PRODUCT_TERMS = {
  name: 'Free money',
  method: 'annuity',
  monthly_rate: 0,
  min_amount: 1,
  max_amount: 1_000_000,
  min_months: 1,
  max_months: 120,
  multiplier: 6,
  min_member_days: 0,
  min_guarantors: 0,
  fee_percentage: 0,
  penalty_rate: 0,
  is_offered: true,
};
const TOLD = ['public.notifications', 'public.sms_messages'];

/** Loans: the borrower's own, the guarantees that are asked of one, and the desk of the sacco's officials. */
export const loans: DomainPart = {
  policies: {
    listLoanProducts: memberRead(),
    listAllLoanProducts: memberRead(),
    listOfferedLoanProducts: {
      caller: 'anyone',
      lines: `
      anybody | id A/B | 200
      anybody | *      | 404 not_found`,
    },
    quoteLoan: {
      caller: 'member',
      lines: `
      signed in    | saccoId malformed/absent     | 400 sacco_required
      members of A | saccoId A, product malformed | 400 validation_failed
      members of B | saccoId B, product malformed | 400 validation_failed
      members of A | saccoId A, product A         | 200
      members of B | saccoId B, product B         | 200
      members of A | saccoId A                    | 422 loan_terms_not_met
      members of B | saccoId B                    | 422 loan_terms_not_met
      signed in    | *                            | 403 not_a_member`,
    },
    // Owner and fellow are behind with another loan, other and the chair of B have no savings; the rest have not paid the minimum shares.
    // The manager alone decides: about a loan of their own nobody could.
    applyForLoan: {
      caller: 'member',
      counts: true,
      lines: `
      signed in    | saccoId malformed/absent     | 400 sacco_required
      members of A | saccoId A, product malformed | 400 validation_failed
      members of B | saccoId B, product malformed | 400 validation_failed
      owner/fellow     | saccoId A, product A     | 422 loan_limit_exceeded
      other/chair of B | saccoId B, product B     | 422 loan_limit_exceeded
      leaver       | saccoId A, product A         | 409 exit_conflict
      manager of A | saccoId A, product A         | 409 loan_conflict
      manager of B | saccoId B, product B         | 409 loan_conflict
      members of A | saccoId A, product A         | 422 full_rights_required
      members of B | saccoId B, product B         | 422 full_rights_required
      members of A | saccoId A                    | 422 loan_terms_not_met
      members of B | saccoId B                    | 422 loan_terms_not_met
      signed in    | *                            | 403 not_a_member`,
    },
    listMyLoans: memberList(),
    readLoan: { ...ofBorrower('200'), shows: guarantorNames() },
    listLoanMovements: pagesOfBorrower(),
    changeLoan: { ...ofBorrower('422 loan_limit_exceeded'), counts: true },
    askGuarantor: { ...ofBorrower('422 guarantor_not_accepted'), counts: true },
    dropGuarantor: {
      caller: 'member',
      lines: `
      signed in    | saccoId malformed/absent                   | 400 sacco_required
      owner        | saccoId A, id hers, guarantee malformed    | 404 not_found
      fellow       | saccoId A, id his, guarantee malformed     | 404 not_found
      other        | saccoId B, id foreign, guarantee malformed | 404 not_found
      owner        | saccoId A, id hers, guarantee his          | 200
      fellow       | saccoId A, id his, guarantee hers          | 200
      owner        | saccoId A, id hers                         | 409 loan_conflict
      fellow       | saccoId A, id his                          | 409 loan_conflict
      other        | saccoId B, id foreign                      | 409 loan_conflict
      members of A | saccoId A                                  | 404 not_found
      members of B | saccoId B                                  | 404 not_found
      signed in    | *                                          | 403 not_a_member`,
      shows: guarantorNames(),
      counterparty: TOLD,
    },
    submitLoan: ofBorrower('422 loan_limit_exceeded'),
    withdrawLoan: { ...ofBorrower('200'), shows: guarantorNames(), counterparty: TOLD },
    acceptLoan: ofBorrower('409 loan_conflict'),
    repayLoan: ofBorrower('200'),
    promptRepayment: ofBorrower('202'),
    readPayoff: ofBorrower('200'),
    payOffLoan: ofBorrower('409 loan_terms_changed'),
    setStandingRepayment: ofBorrower('200'),
    previewRepayment: ofBorrower('200'),
    setSurplus: ofBorrower('200'),
    listGuaranteeRequests: { ...memberList(), shows: guarantorNames() },
    readGuaranteeRequest: { ...ofBorrower('200'), shows: guarantorNames() },
    askGuaranteeCode: ofBorrower('409 loan_terms_changed'),
    acceptGuarantee: ofBorrower('409 loan_terms_changed'),
    refuseGuarantee: { ...ofBorrower('200'), shows: guarantorNames(), counterparty: TOLD },
    askToBeReplaced: ofBorrower('409 guarantee_conflict'),
    // Each is asked of the other's loan: its borrower names somebody else.
    replaceGuarantor: {
      caller: 'member',
      counts: true,
      lines: `
      signed in      | saccoId malformed/absent | 400 sacco_required
      fellow         | saccoId A, id hers       | 409 guarantee_conflict
      owner          | saccoId A, id his        | 409 guarantee_conflict
      treasurer of B | saccoId B, id foreign    | 409 guarantee_conflict
      members of A   | saccoId A                | 404 not_found
      members of B   | saccoId B                | 404 not_found
      signed in      | *                        | 403 not_a_member`,
    },
    listDeskLoans: {
      caller: 'official',
      lines: `
      officials of A | saccoId A, cursor malformed                | 400 validation_failed
      officials of B | saccoId B, cursor malformed                | 400 validation_failed
      founder        | saccoId waiting/rejected, cursor malformed | 400 validation_failed
      officials of A | saccoId A                                  | 200
      officials of B | saccoId B                                  | 200
      founder        | saccoId waiting/rejected                   | 200
      signed in      | saccoId malformed/absent                   | 400 sacco_required
      signed in      | *                                          | 403 not_allowed`,
      shows: `
      officials of A | names of A
      officials of B | names of B`,
    },
    readDeskLoan: {
      ...ofDesk(null, '200'),
      shows: `
      officials of A | particulars of A
      officials of B | particulars of B`,
      notes: 'public.member_record_readings',
    },
    listDeskLoanMovements: { ...pagesOfDesk(), notes: 'public.member_record_readings' },
    readLoanFigures: officialRead(),
    listDeskLoanProducts: officialRead(),
    // Not above a million, and the manager decides nothing alone: the credit committee is asked.
    reviewLoan: {
      caller: 'official',
      offices: ['credit_committee', 'treasurer', 'chair', 'manager'],
      lines: `
      signed in             | saccoId malformed/absent  | 400 sacco_required
      credit_committee of A | saccoId A, id hers/his    | 200
      credit_committee of B | saccoId B, id foreign     | 200
      treasurer of A/chair of A/manager of A | saccoId A, id hers/his | 409 loan_conflict
      treasurer of B/chair of B/manager of B | saccoId B, id foreign  | 409 loan_conflict
      credit_committee of A/treasurer of A/chair of A/manager of A | saccoId A | 404 not_found
      credit_committee of B/treasurer of B/chair of B/manager of B | saccoId B | 404 not_found
      founder               | saccoId waiting/rejected  | 404 not_found
      signed in             | *                         | 403 not_allowed`,
      shows: `
      officials of A | particulars of A
      officials of B | particulars of B`,
      counterparty: [...TOLD, 'public.member_record_readings'],
    },
    // Chair, vice chair and manager order where the treasurer has an interest in the loan; these loans are none of theirs.
    orderDisbursement: ofDesk(['treasurer', 'chair', 'vice_chair', 'manager', 'secretary'], '409 loan_conflict'),
    checkDisbursement: ofDesk(['treasurer', 'chair', 'vice_chair', 'manager', 'secretary'], '409 loan_conflict'),
    decideSubstitution: ofDesk(['credit_committee'], '409 guarantee_conflict'),
    changeLoanProduct: proposedByTwo(),
    changeLendingAuthority: proposedByTwo(),
    // Nothing is owed of a loan that was not paid out.
    proposeWaiver: ofDesk(['chair', 'secretary', 'treasurer'], '409 loan_conflict'),
  },
  fixtures: {
    'quoteLoan.product': id('loan product'),
    'applyForLoan.product': id('loan product'),
    'changeLoanProduct.product': leftOut,
    committee_alone: is(200_000),
    manager_alone: is(20_000),
    'readLoan.id': id('application'),
    'listLoanMovements.id': id('running loan'),
    'changeLoan.id': id('application'),
    'askGuarantor.id': id('application'),
    'dropGuarantor.id': id('application'),
    'submitLoan.id': id('application'),
    'withdrawLoan.id': id('application'),
    'acceptLoan.id': id('application'),
    'repayLoan.id': id('running loan'),
    'promptRepayment.id': id('running loan'),
    'readPayoff.id': id('running loan'),
    'payOffLoan.id': id('running loan'),
    'setStandingRepayment.id': id('running loan'),
    'previewRepayment.id': id('running loan'),
    'setSurplus.id': id('running loan'),
    'setSurplus.surplus': is('excuse'),
    'readGuaranteeRequest.id': id('guarantee request'),
    'askGuaranteeCode.id': id('guarantee request'),
    'acceptGuarantee.id': id('guarantee request'),
    'refuseGuarantee.id': id('guarantee request'),
    'askToBeReplaced.id': id('guarantee request'),
    'replaceGuarantor.id': id('guarantee request'),
    'decideSubstitution.id': id('guarantee request'),
    guarantee: id('guarantee request'),
    'readDeskLoan.id': id('loan to review'),
    'listDeskLoanMovements.id': id('running loan'),
    'reviewLoan.id': id('loan to review'),
    'proposeWaiver.id': id('loan to review'),
    'proposeWaiver.penalty': is(10),
    'proposeWaiver.interest': is(0),
    'orderDisbursement.id': id('loan to review'),
    'checkDisbursement.id': id('loan to review'),
    'askGuarantor.member': is(NOBODYS.nonexistent),
    'replaceGuarantor.member': is(NOBODYS.nonexistent),
    'reviewLoan.decision': is('approve'),
    'checkDisbursement.decision': is('pay'),
    'decideSubstitution.decision': is('confirm'),
    'quoteLoan.months': is(12),
    'applyForLoan.months': is(12),
    'changeLoan.months': is(12),
    'applyForLoan.purpose': is('A second stall.'),
    'changeLoan.purpose': is('A second stall.'),
    net_income: is(10_000),
    guarantors: leftOut,
    pool_guarantee: leftOut,
    pool_fee: leftOut,
    refinances: leftOut,
    'acceptLoan.terms_hash': is(HASH),
    'askGuaranteeCode.terms_hash': is(HASH),
    'acceptGuarantee.terms_hash': is(HASH),
    'reviewLoan.terms_hash': is(HASH),
    'orderDisbursement.terms_hash': is(HASH),
    'checkDisbursement.terms_hash': is(HASH),
    pay_to: leftOut,
    surplus: leftOut,
    list: leftOut,
    is_on: is(true),
    method: is('annuity'),
    monthly_rate: is(1),
    yearly_rate: leftOut,
    min_amount: is(1_000),
    max_amount: is(100_000),
    min_months: is(1),
    max_months: is(12),
    multiplier: is(3),
    min_member_days: is(180),
    min_guarantors: is(3),
    fee_percentage: is(1),
    penalty_rate: is(1),
    whole_shillings: leftOut,
    is_offered: is(true),
  },
  raise: raiseLoans,
  /** A loan of hers that is paid out, one that waits for its review, and a guarantee that is asked of her. */
  async attacked({ product, victim, founder, sacco, canary }) {
    const { database } = product;
    const late = testLateLoans(database);
    const of = { sacco, amountCents: 1_000_00, months: 12 };
    const paidOut = await late.loan({ ...of, borrower: victim.id });
    const request = await raiseRequest(database, await late.loan({ ...of, borrower: founder.id }), victim.id);
    const [{ product_id: productId } = { product_id: '' }] = await database.owner<{ product_id: string }[]>`
      update loans set purpose = ${canary} where sacco_id = ${sacco} returning product_id`;
    const terms = { amount: 500, months: 12, purpose: 'A second stall.', net_income: 50_000 };
    const signed = { terms_hash: HASH };
    const asMember = { sacco };
    const at = (path: string, body?: unknown) => [[path, body === undefined ? asMember : { sacco, body }]] as const;
    const loan = `/loans/${paidOut}`;
    const guarantee = `/loans/guarantees/${request}`;
    const desk = `/sacco/loans/${paidOut}`;
    return {
      listLoanProducts: at('/loans/products'),
      listAllLoanProducts: at('/loans/all-products'),
      quoteLoan: at('/loans/quote', { product: productId, amount: 500, months: 12 }),
      applyForLoan: at('/loans', { product: productId, ...terms }),
      listMyLoans: at('/loans'),
      readLoan: at(loan),
      listLoanMovements: at(`${loan}/movements`),
      changeLoan: at(loan, terms),
      askGuarantor: at(`${loan}/guarantors`, { member: database.newId(), amount: 100 }),
      dropGuarantor: at(`${loan}/guarantors/${request}`),
      submitLoan: at(`${loan}/submission`),
      withdrawLoan: at(`${loan}/withdrawal`),
      acceptLoan: at(`${loan}/acceptance`, signed),
      repayLoan: at(`${loan}/repayments`, { amount: 10 }),
      promptRepayment: at(`${loan}/prompts`, { amount: 10 }),
      readPayoff: at(`${loan}/payoff`),
      payOffLoan: at(`${loan}/payoff`, { amount: 1_000 }),
      setStandingRepayment: at(`${loan}/standing-repayment`, { is_on: true }),
      previewRepayment: at(`${loan}/repayments/preview`, { amount: 10 }),
      setSurplus: at(`${loan}/surplus`, { surplus: 'excuse' }),
      listGuaranteeRequests: at('/loans/guarantee-requests'),
      readGuaranteeRequest: at(guarantee),
      askGuaranteeCode: at(`${guarantee}/code`, signed),
      acceptGuarantee: at(`${guarantee}/acceptance`, { ...signed, code: '12345678' }),
      refuseGuarantee: at(`${guarantee}/refusal`),
      replaceGuarantor: at(`${guarantee}/substitution`, { member: database.newId() }),
      askToBeReplaced: at(`${guarantee}/release-request`),
      listDeskLoans: at('/sacco/loans?list=active'),
      readDeskLoan: at(desk),
      listDeskLoanMovements: at(`${desk}/movements`),
      readLoanFigures: at('/sacco/loan-figures'),
      reviewLoan: at(`${desk}/review`, { ...signed, decision: 'approve', reason: 'Nobody stops me.' }),
      orderDisbursement: at(`${desk}/disbursement`, signed),
      checkDisbursement: at(`${desk}/disbursement-check`, { ...signed, decision: 'pay' }),
      decideSubstitution: at(`/sacco/guarantees/${request}/substitution-decision`, { decision: 'confirm' }),
      listDeskLoanProducts: at('/sacco/loan-products'),
      changeLoanProduct: at('/sacco/loan-products', PRODUCT_TERMS),
      changeLendingAuthority: at('/sacco/lending-authority', { committee_alone: 1_000_000, manager_alone: 50_000 }),
      proposeWaiver: at(`${desk}/waiver`, { penalty: 1, interest: 0, reason: 'Nobody stops me.' }),
    };
  },
  withoutActs: {
    promptRepayment: 'a top-up, which is acted out (acts/money.ts), and then a repayment',
    replaceGuarantor: 'what is pledged passes from one to another: server/domains/loans/loans.test.ts',
    decideSubstitution: 'the same',
    proposeWaiver: 'what is waived, and by whom: server/domains/loans/waive-charges.test.ts',
    changeLendingAuthority: 'changes by two officials are acted out with other terms (acts/changes.ts, acts/loans.ts)',
  },
};

function guarantorNames(): string {
  return `
      owner/fellow         | names of A
      other/treasurer of B | names of B`;
}

/** Of whoever borrows it, or is asked to guarantee it; the other sacco's member may be answered otherwise. */
function ofBorrower(answer: string): RoutePolicy {
  return {
    caller: 'member',
    lines: `
      signed in    | saccoId malformed/absent | 400 sacco_required
      owner        | saccoId A, id hers       | ${answer}
      fellow       | saccoId A, id his        | ${answer}
      other        | saccoId B, id foreign    | ${answer}
      members of A | saccoId A                | 404 not_found
      members of B | saccoId B                | 404 not_found
      signed in    | *                        | 403 not_a_member`,
  };
}

/** A list of what belongs to a loan: who may read it is asked before its cursor. */
function pagesOfBorrower(): RoutePolicy {
  return {
    caller: 'member',
    lines: `
      signed in    | saccoId malformed/absent                | 400 sacco_required
      owner        | saccoId A, id hers, cursor malformed    | 400 validation_failed
      fellow       | saccoId A, id his, cursor malformed     | 400 validation_failed
      other        | saccoId B, id foreign, cursor malformed | 400 validation_failed
      owner        | saccoId A, id hers                      | 200
      fellow       | saccoId A, id his                       | 200
      other        | saccoId B, id foreign                   | 200
      members of A | saccoId A                               | 404 not_found
      members of B | saccoId B                               | 404 not_found
      signed in    | *                                       | 403 not_a_member`,
  };
}

/** The same for all officials of the sacco. */
function pagesOfDesk(): RoutePolicy {
  return {
    caller: 'official',
    lines: `
      signed in      | saccoId malformed/absent                | 400 sacco_required
      officials of A | saccoId A, id hers/his, cursor malformed | 400 validation_failed
      officials of B | saccoId B, id foreign, cursor malformed | 400 validation_failed
      officials of A | saccoId A, id hers/his                  | 200
      officials of B | saccoId B, id foreign                   | 200
      officials of A | saccoId A                               | 404 not_found
      officials of B | saccoId B                               | 404 not_found
      founder        | saccoId waiting/rejected                | 404 not_found
      signed in      | *                                       | 403 not_allowed`,
  };
}

/** Terms that a second official confirms. */
function proposedByTwo(): RoutePolicy {
  return {
    caller: 'official',
    offices: ['chair', 'secretary', 'treasurer'],
    lines: `
      chair of A/secretary of A/treasurer of A | saccoId A                | 202
      chair of B/secretary of B/treasurer of B | saccoId B                | 202
      founder                                  | saccoId waiting/rejected | 409 second_official_required
      signed in                                | saccoId malformed/absent | 400 sacco_required
      signed in                                | *                        | 403 not_allowed`,
    counterparty: ['public.notifications'],
  };
}

function officialRead(): RoutePolicy {
  return {
    caller: 'official',
    lines: `
      officials of A | saccoId A                | 200
      officials of B | saccoId B                | 200
      founder        | saccoId waiting/rejected | 200
      signed in      | saccoId malformed/absent | 400 sacco_required
      signed in      | *                        | 403 not_allowed`,
  };
}

/** For all officials of the sacco, or those of some offices. */
function ofDesk(offices: RoutePolicy['offices'] | null, answer: string): RoutePolicy {
  const who = (sacco: string) =>
    offices ? offices.map((office) => `${office} of ${sacco}`).join('/') : `officials of ${sacco}`;
  const founder = !offices || offices.includes('chair') ? 'founder | saccoId waiting/rejected | 404 not_found' : '';
  return {
    caller: 'official',
    ...(offices ? { offices } : {}),
    lines: `
      signed in   | saccoId malformed/absent | 400 sacco_required
      ${who('A')} | saccoId A, id hers/his   | ${answer}
      ${who('B')} | saccoId B, id foreign    | ${answer}
      ${who('A')} | saccoId A                | 404 not_found
      ${who('B')} | saccoId B                | 404 not_found
      ${founder}
      signed in   | *                        | 403 not_allowed`,
  };
}

interface Applied {
  readonly borrower: string;
  readonly side: 'A' | 'B';
  readonly state: 'guarantors_pending' | 'submitted';
}

/** Of each: an application, one that waits for its review, one that is paid out, and a guarantee that is asked of them. */
async function raiseLoans({ database }: Product, cast: Cast): Promise<Kinds> {
  const products = { A: await raiseProduct(database, cast, 'A'), B: await raiseProduct(database, cast, 'B') };
  const apply = (applied: Applied) =>
    raiseApplication(database, cast, { ...applied, productId: products[applied.side] });
  const ask = (loanId: string, guarantor: string) => raiseRequest(database, loanId, cast.person(guarantor).id);
  const each = async (make: (borrower: string, side: 'A' | 'B') => Promise<string>) => ({
    objects: {
      hers: await make('owner', 'A'),
      his: await make('fellow', 'A'),
      foreign: await make('other', 'B'),
      ...NOBODYS,
    },
  });
  const late = testLateLoans(database);
  const applications = await each((borrower, side) => apply({ borrower, side, state: 'guarantors_pending' }));
  const another = await apply({ borrower: 'treasurer of B', side: 'B', state: 'guarantors_pending' });
  // So that each list has a second page.
  await ask(await apply({ borrower: 'fellow', side: 'A', state: 'guarantors_pending' }), 'owner');
  await ask(await apply({ borrower: 'treasurer of B', side: 'B', state: 'submitted' }), 'other');
  return {
    'loan product': { objects: { ...products, ...NOBODYS } },
    application: applications,
    'guarantee request': {
      objects: {
        hers: await ask(applications.objects.his, 'owner'),
        his: await ask(applications.objects.hers, 'fellow'),
        foreign: await ask(another, 'other'),
        ...NOBODYS,
      },
    },
    'loan to review': await each((borrower, side) => apply({ borrower, side, state: 'submitted' })),
    'running loan': await each(async (borrower, side) => {
      const payerId = cast.person(borrower).id;
      const loanId = await late.loan({
        ...{ sacco: cast.saccos[side], borrower: payerId, amountCents: 1_000_00, months: 12 },
      });
      const payment = { loanId, payerId, amountCents: 10_00, channel: 'wallet' as const, key: database.newId() };
      await database.transaction((tx) => repayLoans(tx, [payment]));
      return loanId;
    }),
  };
}

async function raiseApplication(
  database: Product['database'],
  cast: Cast,
  { borrower, side, state, productId }: Applied & { readonly productId: string },
): Promise<string> {
  const [id, borrowerId, now] = [database.newId(), cast.person(borrower).id, database.now()];
  const offer = {
    method: 'annuity' as const,
    monthly_rate: 100,
    fee_rate: 0,
    penalty_rate: 100,
    amount_cents: 1_000_00,
  };
  const signed = {
    ...offer,
    id,
    sacco_id: cast.saccos[side],
    borrower_id: borrowerId,
    months: 12,
    refinances_id: null,
    whole_shillings: false,
  };
  const isSubmitted = state === 'submitted';
  const expiresAt = new Date(now.getTime() + 30 * 86_400_000);
  await database.owner`
    insert into loans (id, sacco_id, borrower_id, product_id, terms_from, method, monthly_rate, fee_rate, penalty_rate,
      min_guarantors, amount_cents, months, purpose, net_income_cents, state, state_at, applied_at, expires_at, round,
      submitted_at, committee_alone_cents, manager_alone_cents, judged_cents, terms_hash)
    values (${id}, ${cast.saccos[side]}, ${borrowerId}, ${productId}, '2020-01-01T00:00:00Z', 'annuity', 100, 0, 100,
      0, 100000, 12, 'A second stall.', 1000000, ${state}, ${now}, ${now}, ${expiresAt}, ${isSubmitted ? 1 : 0},
      ${isSubmitted ? now : null}, ${isSubmitted ? 100_000_000 : null}, ${isSubmitted ? 0 : null},
      ${isSubmitted ? 100_000 : null}, ${isSubmitted ? HASH : loanTermsHash(signed)})`;
  return id;
}

async function raiseRequest(database: Product['database'], loanId: string, guarantorId: string): Promise<string> {
  const [id, now] = [database.newId(), database.now()];
  await database.owner`
    insert into loan_guarantees (id, loan_id, kind, guarantor_id, amount_cents, state, state_at, asked_at, answer_by)
    values (${id}, ${loanId}, 'member', ${guarantorId}, 10000, 'asked', ${now}, ${now},
      ${new Date(now.getTime() + 7 * 86_400_000)})`;
  return id;
}

async function raiseProduct(database: Product['database'], cast: Cast, side: 'A' | 'B'): Promise<string> {
  const productId = database.newId();
  const from = new Date('2020-01-01T00:00:00Z');
  await database.owner`
    insert into loan_products (id, sacco_id, created_at) values (${productId}, ${cast.saccos[side]}, ${from})`;
  await database.owner`
    insert into loan_product_terms (product_id, valid_from, name, method, monthly_rate, fee_rate, penalty_rate,
      min_amount_cents, max_amount_cents, min_months, max_months, multiplier, min_member_days, min_guarantors, is_offered,
      changed_by)
    values (${productId}, ${from}, ${`Stall loan ${side}`}, 'annuity', 100, 0, 100, 100, 10000000000, 1, 120, 300, 0, 0, true,
      ${cast.person(`chair of ${side}`).id})`;
  // The committee is one person in these saccos: the manager decides about small loans.
  await database.owner`
    insert into lending_authority (sacco_id, valid_from, committee_cents, manager_cents, changed_by)
    values (${cast.saccos[side]}, ${from}, 20000000, 5000000, ${cast.person(`chair of ${side}`).id})`;
  return productId;
}
