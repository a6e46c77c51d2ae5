import type { ChangedValues } from '@ushirika/contract/change-kinds';
import * as contract from '@ushirika/contract/loans';
import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Answer, type Binding, bindBatched, bindHandler, type Call } from '../../http/bind.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { changeById } from '../saccos/changes.queries.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { applyForLoan, changeLoan, submitLoan, withdrawLoan } from './apply-for-loan.ts';
import { askGuarantor, dropGuarantor } from './ask-guarantors.ts';
import { productToKeep } from './change-loan-product.ts';
import { deskLoanMovements, deskLoanOf, deskLoans, type LoanSteps, loanFigures } from './desk.queries.ts';
import { eachAlone } from './each-alone.ts';
import { expireCheckOffs } from './expire-check-offs.ts';
import { guaranteeRequestOf, guaranteeToSign, myGuarantees } from './guarantee.queries.ts';
import { hasOfficialsToLend } from './has-officials-to-lend.ts';
import { authorityOf, authorityToKeep, shownAuthority } from './lending-authority.ts';
import { dayOf } from './loan-notices.ts';
import { type LoanRow, noSuchLoan, readerOf } from './loan-rows.ts';
import { offeredProducts, productsOf, shownProduct } from './loan-terms.ts';
import { loanOf, movementsOfLoan, myLoans, ownLoanIn, refuseUnseenLoan } from './loans.queries.ts';
import { acceptLoan, decideDisbursement, orderDisbursement } from './pay-out-loan.ts';
import { previewRepayment } from './preview-repayment.ts';
import { promptRepayment, settleMpesaRepayments } from './prompt-repayment.ts';
import { quoteOf, standingLimit } from './quote-loan.ts';
import { countingRefusedNames } from './refused-names.ts';
import { owedOf, repayAny } from './repay-late.ts';
import type { Repaid, Repayment } from './repay-loans.ts';
import { decideSubstitution, replaceGuarantor } from './replace-guarantor.ts';
import { reviewLoan } from './review-loan.ts';
import { runCheckOffs } from './run-check-offs.ts';
import { setSurplus } from './set-surplus.ts';
import { acceptGuarantee, askGuaranteeCode, askToBeReplaced, refuseGuarantee } from './sign-guarantee.ts';
import { runStandingRepayments, setStandingRepayment } from './standing-repayments.ts';
import { tendLoans } from './tend-loans.ts';
import { waiverToKeep } from './waive-charges.ts';

export interface LoansDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly changes: ChangeExecutors;
  readonly relatedPairs: RelatedPairs;
  readonly steps: LoanSteps;
}

interface Member {
  readonly userId: string;
  readonly sessionId: string;
  readonly saccoId: string;
}

/**
 * Loans. Members and officials read as themselves; the platform writes, since each step changes rows of several people: the verbs
 * say who may take it, and the database says it once more.
 */
export function loansRoutes(deps: LoansDependencies): Binding[] {
  return [
    ...productRoutes(deps),
    ...applicationRoutes(deps),
    ...repaymentRoutes(deps),
    ...guaranteeRoutes(deps),
    ...deskRoutes(deps),
  ];
}

/**
 * Does it as the platform, and answers with the loan as its borrower reads it then. First their own policies are asked. A refusal that
 * `act` returns is thrown once what was written besides is committed.
 */
async function done(
  database: Database,
  member: Member,
  id: string,
  message: Sentence,
  act: (tx: Tx) => Promise<unknown>,
) {
  await refuseUnseenLoan(database, member.userId, id, member.saccoId);
  const outcome = await asSystem(() => database.transaction(act));
  if (outcome instanceof Refusal) throw outcome;
  return { success: true as const, message, loan: await loanOf(database, member, id) };
}

const memberOf = ({ actor, saccoId }: { actor: { userId: string; sessionId: string }; saccoId: string }): Member => ({
  userId: actor.userId,
  sessionId: actor.sessionId,
  saccoId,
});

function productRoutes({ database, changes }: LoansDependencies): Binding[] {
  const proposed = async (
    actor: { readonly userId: string },
    saccoId: string,
    change: { readonly kind: 'loan_product' | 'lending_authority' | 'loan_waiver'; readonly payload: ChangedValues },
  ) => {
    const about = { saccoId, proposedBy: actor.userId };
    const id = await asSystem(() =>
      database.transaction((tx) => proposeChange(tx, about, change, changes[change.kind])),
    );
    const message = sentence('Proposed. Another official must confirm it.');
    return { success: true as const, message, change: await changeById(database, actor, { id, saccoId }, changes) };
  };
  return [
    // The sacco's own capital, which limits a loan, is nobody's row.
    bindHandler(contract.listLoanProducts, (call) => asSystem(() => standingLimit(readerOf(database), memberOf(call)))),
    bindHandler(contract.listAllLoanProducts, async ({ saccoId }) => ({
      products: (await productsOf(readerOf(database), saccoId)).map(shownProduct),
    })),
    bindHandler(contract.listOfferedLoanProducts, ({ params }) =>
      asSystem(async () => ({
        ...(await offeredProducts(readerOf(database), params.id)),
        has_officials_to_lend: await hasOfficialsToLend(readerOf(database), params.id),
      })),
    ),
    bindHandler(contract.quoteLoan, async (call) => {
      await refuseUnseenProduct(database, call.body.product);
      return asSystem(() => quoteOf(readerOf(database), memberOf(call), call.body));
    }),
    bindHandler(contract.listDeskLoanProducts, async ({ saccoId }) => ({
      products: (await productsOf(readerOf(database), saccoId)).map(shownProduct),
      authority: shownAuthority(await authorityOf(readerOf(database), saccoId)),
    })),
    bindHandler(contract.changeLoanProduct, ({ actor, saccoId, body }) =>
      proposed(actor, saccoId, { kind: 'loan_product', payload: productToKeep(body) }),
    ),
    bindHandler(contract.changeLendingAuthority, ({ actor, saccoId, body }) =>
      proposed(actor, saccoId, { kind: 'lending_authority', payload: authorityToKeep(body) }),
    ),
    bindHandler(contract.proposeWaiver, async ({ actor, saccoId, params: { id: loanId }, body }) => {
      const payload = await waiverToKeep(readerOf(database), saccoId, { loanId, ...body });
      return proposed(actor, saccoId, { kind: 'loan_waiver', payload });
    }),
  ] as Binding[];
}

/** Read as the person: PostgreSQL shows them the products of their own saccos, and no others. */
async function refuseUnseenProduct({ sql }: Pick<Database, 'sql'>, productId: string): Promise<void> {
  const [seen] = await sql`select from loan_products where id = ${productId}`;
  if (!seen) throw new Refusal('loan_terms_not_met');
}

function applicationRoutes(deps: LoansDependencies): Binding[] {
  const { database, relatedPairs } = deps;
  return [
    // A batch is the platform's own work: who is asked to guarantee is told, and that is nobody's row of the borrower's.
    bindBatched(
      contract.applyForLoan,
      'loan_applications',
      (tx, calls) => applyEach(tx, calls, relatedPairs),
      ({ saccoId }) => saccoId,
    ),
    bindHandler(contract.listMyLoans, (call) => myLoans(deps, memberOf(call), call.query)),
    bindHandler(contract.readLoan, (call) => loanOf(database, memberOf(call), call.params.id)),
    bindHandler(contract.listLoanMovements, (call) =>
      movementsOfLoan(deps, memberOf(call), call.params.id, call.query),
    ),
    bindHandler(contract.changeLoan, (call) => {
      const { amount, months, purpose, net_income: netIncome } = call.body;
      const input = { loanId: call.params.id, amount, months, purpose, netIncome };
      // It names those who were asked before: one of them may not fit any more.
      const change = counting(call, (tx) => changeLoan(tx, call.actor, input, relatedPairs));
      return done(database, memberOf(call), call.params.id, sentence('Changed.'), change);
    }),
    bindHandler(contract.askGuarantor, (call) => {
      const input = { loanId: call.params.id, ...call.body };
      const ask = counting(call, (tx) => askGuarantor(tx, call.actor, input, relatedPairs));
      return done(database, memberOf(call), call.params.id, sentence('Asked. You will be told of the answer.'), ask);
    }),
    bindHandler(contract.dropGuarantor, (call) =>
      done(database, memberOf(call), call.params.id, sentence('Taken back.'), (tx) =>
        dropGuarantor(tx, call.actor, { loanId: call.params.id, guaranteeId: call.params.guarantee }),
      ),
    ),
    bindHandler(contract.submitLoan, (call) =>
      done(
        database,
        memberOf(call),
        call.params.id,
        sentence('Handed to the credit committee. It decides within 14 days.'),
        (tx) => submitLoan(tx, call.actor, { loanId: call.params.id }),
      ),
    ),
    bindHandler(contract.withdrawLoan, (call) =>
      done(database, memberOf(call), call.params.id, sentence('Taken back. What was pledged is free again.'), (tx) =>
        withdrawLoan(tx, call.actor, { loanId: call.params.id }),
      ),
    ),
    bindHandler(contract.acceptLoan, (call) =>
      done(database, memberOf(call), call.params.id, sentence('Accepted. Two officials pay it out now.'), (tx) =>
        acceptLoan(tx, call.actor, {
          loanId: call.params.id,
          termsHash: call.body.terms_hash,
          payTo: call.body.pay_to,
        }),
      ),
    ),
  ] as Binding[];
}

/** Counts the one member whom a call names, should they be refused. */
const counting =
  <Done>(call: Parameters<typeof memberOf>[0], act: (tx: Tx) => Promise<Done>) =>
  (tx: Tx) =>
    countingRefusedNames(tx, { ...memberOf(call), names: 1 }, () => act(tx));

async function applyEach(
  tx: Tx,
  calls: readonly Call<typeof contract.applyForLoan>[],
  relatedPairs: RelatedPairs,
): Promise<(Answer<typeof contract.applyForLoan> | Refusal)[]> {
  const answers: (Answer<typeof contract.applyForLoan> | Refusal)[] = [];
  for (const call of calls)
    answers.push(
      await countingRefusedNames(tx, { ...memberOf(call), names: call.body.guarantors.length }, () =>
        applied(tx, call, relatedPairs),
      ),
    );
  return answers;
}

async function applied(
  tx: Tx,
  call: Call<typeof contract.applyForLoan>,
  relatedPairs: RelatedPairs,
): Promise<Answer<typeof contract.applyForLoan>> {
  const { body } = call;
  const member = memberOf(call);
  const input = {
    saccoId: member.saccoId,
    productId: body.product,
    amount: body.amount,
    months: body.months,
    purpose: body.purpose,
    netIncome: body.net_income,
    guarantors: body.guarantors,
    refinances: body.refinances ?? null,
    poolRequest: body.pool_guarantee ?? null,
  };
  const id = await applyForLoan(tx, member, input, relatedPairs);
  const message =
    body.guarantors.length > 0
      ? sentence('Your guarantors are asked. Once the loan is covered, send it to the committee.')
      : sentence('Your application is kept. Once the loan is covered, send it to the committee.');
  return { success: true as const, message, loan: await ownLoanIn(tx, id) };
}

function repaymentRoutes({ database }: LoansDependencies): Binding[] {
  return [
    bindBatched(contract.repayLoan, 'loan_repayments', repayEach),
    bindHandler(contract.readPayoff, async (call) => {
      await refuseUnseenLoan(database, call.actor.userId, call.params.id, call.saccoId);
      return asSystem(() => database.transaction((tx) => payoffIn(tx, call.params.id)));
    }),
    bindHandler(contract.previewRepayment, async ({ actor, params, body, saccoId }) => {
      await refuseUnseenLoan(database, actor.userId, params.id, saccoId);
      const input = { loanId: params.id, amountCents: body.amount, surplus: body.surplus };
      return asSystem(() => database.transaction((tx) => previewRepayment(tx, input)));
    }),
    bindHandler(contract.setSurplus, (call) =>
      done(database, memberOf(call), call.params.id, surplusSaid[call.body.surplus], (tx) =>
        setSurplus(tx, call.actor, { loanId: call.params.id, surplus: call.body.surplus }),
      ),
    ),
    bindBatched(contract.payOffLoan, 'loan_repayments_whole', payOffEach),
    bindBatched(contract.promptRepayment, 'loan_prompts', (tx, calls) =>
      eachAlone(tx, calls, async (call) => {
        const { amount: amountCents, surplus } = call.body;
        const id = await promptRepayment(tx, memberOf(call), { loanId: call.params.id, amountCents, surplus });
        const message = sentence('A prompt is on its way to your phone. What you pay goes to the loan.');
        return { success: true as const, message, deposit: { id } };
      }),
    ),
    bindHandler(contract.setStandingRepayment, (call) =>
      done(
        database,
        memberOf(call),
        call.params.id,
        call.body.is_on
          ? sentence('Each instalment is paid from your wallet on its day, or what is there of it.')
          : sentence('Instalments are not paid by themselves any more.'),
        (tx) => setStandingRepayment(tx, call.actor, { loanId: call.params.id, isOn: call.body.is_on }),
      ),
    ),
  ] as Binding[];
}

const surplusSaid: Readonly<Record<contract.Surplus, Sentence>> = {
  shorten: sentence('What you pay in advance makes the loan end earlier.'),
  lower_instalment: sentence('What you pay in advance lowers the instalments.'),
  excuse: sentence('What you pay in advance pays the next instalments.'),
};

async function payoffIn(tx: Tx, id: string) {
  const owed = await wholeOf(tx, id);
  return {
    amount: shillingsFromCents(owed.total),
    principal: shillingsFromCents(owed.principal),
    interest: shillingsFromCents(owed.interest),
    penalty: shillingsFromCents(owed.penalty),
    claims: shillingsFromCents(owed.claims),
    saved: shillingsFromCents(owed.saved),
    day: nairobiDay(tx.now),
  };
}

async function wholeOf(tx: Tx, id: string) {
  const [loan] = await tx.sql<LoanRow[]>`select * from loans where id = ${id}`;
  if (!loan) throw noSuchLoan();
  return owedOf(tx, loan);
}

type PaidCall = Call<typeof contract.repayLoan> | Call<typeof contract.payOffLoan>;

/** Payments of many borrowers, each of their own loan. */
async function payEach(
  tx: Tx,
  calls: readonly PaidCall[],
  repaymentOf: (call: PaidCall) => Promise<Repayment | Refusal>,
) {
  const own = await ownLoansOf(tx, calls);
  const wanted = await Promise.all(
    calls.map((call) =>
      own.has(`${call.params.id} ${call.actor.userId} ${call.saccoId}`) ? repaymentOf(call) : noSuchLoan(),
    ),
  );
  const possible = wanted.filter((each): each is Repayment => !(each instanceof Refusal));
  const answers = new Map<Repayment, Repaid | Refusal>();
  const repaid = await repayAny(tx, possible);
  for (const [index, each] of possible.entries()) answers.set(each, repaid[index] as Repaid | Refusal);
  return Promise.all(
    wanted.map(async (each) => {
      const answer = each instanceof Refusal ? each : (answers.get(each) as Repaid | Refusal);
      if (answer instanceof Refusal) return answer;
      const amount = formatShillings(shillingsFromCents(answer.amountCents));
      const message = answer.isPaidOff
        ? sentence('{amount} is paid. The loan is paid off.', { amount })
        : answer.excusedUntil === null
          ? sentence('{amount} is paid.', { amount })
          : sentence('{amount} is paid. You have paid in advance: nothing is due until {day}.', {
              amount,
              day: dayOf(answer.excusedUntil),
            });
      return { success: true as const, message, loan: await ownLoanIn(tx, answer.loanId), receipt: answer.receipt };
    }),
  );
}

function repayEach(tx: Tx, calls: readonly Call<typeof contract.repayLoan>[]) {
  return payEach(tx, calls, async ({ actor, params, body }) => ({
    loanId: params.id,
    payerId: actor.userId,
    sessionId: actor.sessionId,
    amountCents: body.amount,
    channel: 'wallet',
    key: `loan_repaid:${tx.newId()}`,
    surplus: 'surplus' in body ? body.surplus : undefined,
    isExact: true,
  }));
}

function payOffEach(tx: Tx, calls: readonly Call<typeof contract.payOffLoan>[]) {
  return payEach(tx, calls, async ({ actor, params, body }) => {
    const owed = await wholeOf(tx, params.id).catch((refusal: Refusal) => refusal);
    if (owed instanceof Refusal) return owed;
    if (owed.total !== body.amount) return new Refusal('loan_terms_changed');
    const key = `loan_repaid:${tx.newId()}`;
    const paid = {
      payerId: actor.userId,
      sessionId: actor.sessionId,
      amountCents: body.amount,
      channel: 'payoff' as const,
    };
    return { ...paid, loanId: params.id, key, isExact: true };
  });
}

async function ownLoansOf(tx: Tx, calls: readonly PaidCall[]): Promise<ReadonlySet<string>> {
  const rows = await tx.sql<{ id: string; borrower_id: string; sacco_id: string }[]>`
    select id, borrower_id, sacco_id from loans where id = any (${texts(calls.map(({ params }) => params.id))}::uuid[])`;
  return new Set(rows.map((row) => `${row.id} ${row.borrower_id} ${row.sacco_id}`));
}

function guaranteeRoutes(deps: LoansDependencies): Binding[] {
  const { database, relatedPairs } = deps;
  const answered = async (
    call: { actor: { userId: string; sessionId: string }; saccoId: string; params: { id: string } },
    message: Sentence,
    act: () => Promise<unknown>,
  ) => {
    const before = await guaranteeRequestOf(database, memberOf(call), call.params.id);
    await act();
    return {
      success: true as const,
      message,
      guarantee: await guaranteeRequestOf(database, memberOf(call), before.id),
    };
  };
  const inTx = (act: (tx: Tx) => Promise<unknown>) => asSystem(() => database.transaction(act));
  return [
    bindHandler(contract.listGuaranteeRequests, (call) => myGuarantees(deps, memberOf(call), call.query)),
    bindHandler(contract.readGuaranteeRequest, (call) => guaranteeToSign(database, memberOf(call), call.params.id)),
    bindHandler(contract.askGuaranteeCode, async (call) => {
      await guaranteeRequestOf(database, memberOf(call), call.params.id);
      const input = { guaranteeId: call.params.id, termsHash: call.body.terms_hash };
      const expiresAt = await asSystem(() => database.transaction((tx) => askGuaranteeCode(tx, call.actor, input)));
      return {
        success: true as const,
        message: sentence('The code is on its way by SMS.'),
        expires_at: expiresAt.toISOString(),
      };
    }),
    bindHandler(contract.acceptGuarantee, (call) => {
      const input = { guaranteeId: call.params.id, termsHash: call.body.terms_hash, code: call.body.code };
      return answered(call, sentence('Signed. Your pledge is held from now on.'), () =>
        acceptGuarantee(database, call.actor, input, relatedPairs),
      );
    }),
    bindHandler(contract.refuseGuarantee, (call) =>
      answered(
        call,
        sentence('You have said no. Nothing of yours is held for this loan, and the borrower does not learn why.'),
        () => inTx((tx) => refuseGuarantee(tx, call.actor, { guaranteeId: call.params.id })),
      ),
    ),
    bindHandler(contract.askToBeReplaced, (call) =>
      answered(
        call,
        sentence(
          'The borrower is asked to name somebody else. You stay bound until the credit committee has confirmed it.',
        ),
        () => inTx((tx) => askToBeReplaced(tx, call.actor, { guaranteeId: call.params.id })),
      ),
    ),
    bindHandler(contract.replaceGuarantor, (call) => replaced(deps, call)),
  ] as Binding[];
}

async function replaced(
  { database, relatedPairs }: LoansDependencies,
  call: Call<typeof contract.replaceGuarantor>,
): Promise<Answer<typeof contract.replaceGuarantor>> {
  const member = memberOf(call);
  const input = { saccoId: call.saccoId, guaranteeId: call.params.id, member: call.body.member };
  const replace = counting(call, (tx) => replaceGuarantor(tx, call.actor, input, relatedPairs));
  const loanId = await asSystem(() => database.transaction(replace));
  if (loanId instanceof Refusal) throw loanId;
  const message = sentence('Asked. Both change once that member has signed and the committee has confirmed.');
  return { success: true as const, message, loan: await loanOf(database, member, loanId) };
}

const SUBSTITUTION_DECIDED = sentence('Decided. Both members are told.');
const SUBSTITUTION_NEEDLESS = sentence(
  'Nobody has to stand in any more: the other pledge is free. The request has ended.',
);

function deskRoutes(deps: LoansDependencies): Binding[] {
  const { database, relatedPairs } = deps;
  const decided = async (
    { actor, saccoId }: { actor: { userId: string }; saccoId: string },
    message: Sentence,
    act: (tx: Tx) => Promise<string | { readonly id: string; readonly message?: Sentence }>,
  ) => {
    const done = await asSystem(() => database.transaction(act));
    const { id, message: said = message } = typeof done === 'string' ? { id: done } : done;
    return {
      success: true as const,
      message: said,
      loan: await deskLoanOf(database, { userId: actor.userId, saccoId }, id, deps),
    };
  };
  const official = (call: { actor: { userId: string }; saccoId: string }) => ({
    userId: call.actor.userId,
    saccoId: call.saccoId,
  });
  return [
    bindHandler(contract.listDeskLoans, (call) => deskLoans(deps, official(call), call.query)),
    bindHandler(contract.readDeskLoan, (call) => deskLoanOf(database, official(call), call.params.id, deps)),
    bindHandler(contract.listDeskLoanMovements, (call) =>
      deskLoanMovements(deps, official(call), call.params.id, call.query),
    ),
    bindHandler(contract.readLoanFigures, (call) => loanFigures(database, official(call), deps.steps)),
    bindHandler(contract.reviewLoan, (call) => {
      const { decision, reason, terms_hash: termsHash } = call.body;
      const input = { saccoId: call.saccoId, loanId: call.params.id, decision, reason, termsHash };
      return decided(call, sentence('Your vote is recorded.'), async (tx) => {
        await reviewLoan(tx, call.actor, input, relatedPairs);
        return call.params.id;
      });
    }),
    bindHandler(contract.orderDisbursement, (call) => {
      const input = { saccoId: call.saccoId, loanId: call.params.id, termsHash: call.body.terms_hash };
      return decided(call, sentence('Ordered. Another official checks it before anything moves.'), async (tx) => {
        await orderDisbursement(tx, call.actor, input);
        return call.params.id;
      });
    }),
    bindHandler(contract.checkDisbursement, (call) => {
      const { decision, reason = null, terms_hash: termsHash } = call.body;
      const input = { saccoId: call.saccoId, loanId: call.params.id, termsHash, decision, reason };
      const message = decision === 'pay' ? sentence('Paid out.') : sentence('Refused. The borrower is told.');
      return decided(call, message, async (tx) => {
        await decideDisbursement(tx, call.actor, input);
        return call.params.id;
      });
    }),
    bindHandler(contract.decideSubstitution, (call) => {
      const input = { saccoId: call.saccoId, guaranteeId: call.params.id, decision: call.body.decision };
      return decided(call, SUBSTITUTION_DECIDED, async (tx) => {
        const { loanId, end } = await decideSubstitution(tx, call.actor, input, relatedPairs);
        return { id: loanId, ...(end === 'needless' ? { message: SUBSTITUTION_NEEDLESS } : {}) };
      });
    }),
  ] as Binding[];
}

export function loansTasks({ database }: Pick<LoansDependencies, 'database'>) {
  return {
    tend_loans: () => tendLoans(database),
    repay_by_mpesa: () => settleMpesaRepayments(database),
    run_standing_repayments: () => runStandingRepayments(database),
    run_check_offs: () => runCheckOffs(database),
    expire_check_offs: () => expireCheckOffs(database),
  };
}

export const loansSchedules = [
  { task: 'tend_loans', everySeconds: 15 },
  { task: 'run_standing_repayments', everySeconds: 3600 },
  { task: 'run_check_offs', everySeconds: 60 },
  { task: 'expire_check_offs', everySeconds: 3600 },
] as const;
