import type { Tx } from '../../db/tx.ts';
import { recordIdentityCheck } from '../../domains/identity/record-identity-check.ts';
import { applyForLoan, submitLoan } from '../../domains/loans/apply-for-loan.ts';
import { decideDefault, sendFinalNotice } from '../../domains/loans/decide-default.ts';
import { acceptLoan, decideDisbursement, orderDisbursement } from '../../domains/loans/pay-out-loan.ts';
import { reviewLoan } from '../../domains/loans/review-loan.ts';
import { payPoolClaim } from '../../domains/pools/recover-for-pool.ts';
import { relatedPairs } from '../../domains/referrals/related.ts';
import { join, register, save } from '../member-acts.ts';
import { buy, topUp } from '../money-acts.ts';
import { type DemoPerson, members, secondOfficial, treasurer, wanjiru } from '../people.ts';
import { mwangaza } from '../saccos.ts';
import { at, type Cast, type Happening, type Scene } from '../scene.ts';
import { signedIn } from '../signed-in.ts';
import { takeShown } from './loan-recoveries.ts';
import { committee } from './loan-stories.ts';
import { type DemoPool, fieldsOf, type Wanted } from './pool-stories.ts';

/*
 * A guarantee of a pool from its request to the recovery: the loan is paid out and never repaid, the pool pays, and the borrower
 * has begun to pay it back.
 */

const person = (place: number) => members[place] as DemoPerson;

const borrower: DemoPerson = {
  idNumber: '37811204',
  firstName: 'Muthui',
  lastName: 'Mwendwa',
  phone: '254743118820',
};

/** The clothes sellers' pool. A loan that it guaranteed has gone bad. It is so large that it gave the guarantee without its stewards. */
export const mitumba: DemoPool = {
  sacco: mwangaza,
  by: person(5),
  day: 140,
  fields: fieldsOf('Mitumba Row Pool', 1_000, 20, 4, 40),
  joins: [
    [person(5), 143, 12_000],
    [person(6), 144, 12_000],
    [wanjiru, 144, 10_000],
    [person(10), 145, 16_000],
    [person(12), 146, 12_000],
    [borrower, 147, 1_500],
  ],
};

export const bales: Wanted = {
  pool: mitumba,
  by: borrower,
  day: 188,
  shillings: 3_000,
  months: 9,
  purpose: 'Three bales of children’s clothes',
};

const APPLIED_ON = 192;

/** The borrower comes early, and saves a little in some months. */
export function borrowerOfPool(scene: Scene, cast: Cast): Happening[] {
  const shares = mwangaza.minShares;
  const when = (hour: number) => at(scene, 11, hour);
  const cents = mwangaza.regFeeCents + shares * mwangaza.shareValueCents + 2_500_00;
  return [
    register(scene, cast, borrower, when(0)),
    topUp(scene, cast, borrower, cents, when(1)),
    { at: when(2), what: 'Muthui joins', act: (tx: Tx) => join(tx, cast, mwangaza, borrower) },
    { at: when(3), what: 'Muthui buys shares', act: (tx: Tx) => buy(tx, cast, mwangaza, borrower, shares) },
    ...[11, 41, 71, 101, 131].map((day) => ({
      at: at(scene, day, 4),
      what: 'Muthui saves',
      act: (tx: Tx) => save(tx, cast, mwangaza, borrower, 500_00),
    })),
    {
      at: at(scene, 180),
      what: 'Muthui shows the ID card',
      act: (tx: Tx) =>
        recordIdentityCheck(tx, cast.person(secondOfficial), {
          userId: cast.person(borrower).userId,
          document: 'national_id',
          number: borrower.idNumber,
          as: { saccoId: cast.sacco(mwangaza), office: 'secretary' },
        }),
    },
  ];
}

type Actor = { readonly userId: string; readonly sessionId: string };
type About = { readonly saccoId: string; readonly loanId: string; readonly termsHash: string };

/** The loan that the pool guarantees: paid out, never repaid, and what the sacco does about it in its order. */
export function loanOfPool(scene: Scene, cast: Cast, requestOf: () => string): Happening[] {
  let loanId = '';
  const on = (
    day: number,
    hour: number,
    by: DemoPerson,
    what: string,
    act: (tx: Tx, actor: Actor, about: About) => Promise<unknown>,
  ): Happening => ({
    at: at(scene, day, hour),
    what: `Muthui’s loan: ${what}`,
    act: (tx: Tx) =>
      signedIn(tx, cast, by, async (actor) => {
        const [row] = await tx.sql<{ terms_hash: string }[]>`select terms_hash from loans where id = ${loanId || null}`;
        return act(tx, actor, { saccoId: cast.sacco(mwangaza), loanId, termsHash: row?.terms_hash ?? '' });
      }),
  });
  return [
    on(APPLIED_ON, 1, borrower, 'applied for', async (tx, actor, { saccoId }) => {
      const application = {
        saccoId,
        productId: await productNamed(tx, saccoId, 'Stock loan'),
        amount: 5_000_00,
        months: bales.months,
        purpose: 'Three bales of children’s clothes, to be sold before Christmas.',
        netIncome: 20_000_00,
        guarantors: [],
        poolRequest: requestOf(),
        refinances: null,
      };
      loanId = await applyForLoan(tx, actor, application, relatedPairs);
    }),
    ...paidOut(on),
    ...notPaid(on),
    topUp(scene, cast, borrower, 400_00, at(scene, 358, 1)),
    on(358, 2, borrower, 'a first part for the pool', async (tx, actor) => {
      const [contract] = await tx.sql<{ id: string }[]>`select id from pool_contracts where loan_id = ${loanId}`;
      await payPoolClaim(tx, actor, { contractId: contract?.id ?? '', amount: 300_00 });
    }),
  ];
}

type On = (
  day: number,
  hour: number,
  by: DemoPerson,
  what: string,
  act: (tx: Tx, actor: Actor, about: About) => Promise<unknown>,
) => Happening;

function paidOut(on: On): Happening[] {
  const voices = [committee.first, committee.second].map((member, index) =>
    on(APPLIED_ON + 2, 2 + index, member, 'reviewed', (tx, actor, about) =>
      reviewLoan(
        tx,
        actor,
        { ...about, decision: 'approve', reason: 'The pool stands behind most of it.' },
        relatedPairs,
      ),
    ),
  );
  return [
    on(APPLIED_ON, 3, borrower, 'submitted', (tx, actor, { loanId }) => submitLoan(tx, actor, { loanId })),
    ...voices,
    on(APPLIED_ON + 3, 2, borrower, 'accepted', (tx, actor, about) =>
      acceptLoan(tx, actor, { ...about, payTo: 'wallet' }),
    ),
    on(APPLIED_ON + 4, 2, treasurer, 'ordered', orderDisbursement),
    on(APPLIED_ON + 4, 5, secondOfficial, 'paid out', (tx, actor, about) =>
      decideDisbursement(tx, actor, { ...about, decision: 'pay', reason: null }),
    ),
  ];
}

function notPaid(on: On): Happening[] {
  const voices = [committee.first, committee.second].map((member, index) =>
    on(328 + index, 3, member, 'a voice for the default', (tx, actor, { saccoId, loanId }) =>
      decideDefault(tx, actor, { saccoId, loanId, reason: 'Moved away, and has not paid a single instalment.' }),
    ),
  );
  return [
    ...voices,
    on(331, 3, treasurer, 'final notice', sendFinalNotice),
    on(346, 3, treasurer, 'own savings taken', (tx, actor, { saccoId, loanId }) =>
      takeShown(tx, actor, { saccoId, loanId, step: 'own_deposits' }),
    ),
    on(347, 3, treasurer, 'the pool is called', (tx, actor, { saccoId, loanId }) =>
      takeShown(tx, actor, { saccoId, loanId, step: 'pool' }),
    ),
  ];
}

async function productNamed(tx: Tx, saccoId: string, name: string): Promise<string> {
  const [row] = await tx.sql<{ id: string }[]>`
    select p.id from loan_products p join loan_product_terms t on t.product_id = p.id
    where p.sacco_id = ${saccoId} and t.name = ${name} limit 1`;
  return row?.id ?? '';
}
