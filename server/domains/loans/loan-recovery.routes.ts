import * as contract from '@ushirika/contract/loan-recovery';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Answer, type Binding, bindBatched, bindHandler, type Call } from '../../http/bind.ts';
import { decideDefault, type RecoveringActor, sendFinalNotice } from './decide-default.ts';
import { declineWriteOff } from './decline-write-off.ts';
import { tryCode } from './guarantee-codes.ts';
import { said } from './loan-notices.ts';
import { noSuchLoan, readerOf } from './loan-rows.ts';
import { recoverLoan } from './recover-loan.ts';
import {
  offerToSides,
  quoteNewSchedule,
  readDay,
  readRecovery,
  recoveryShown,
  restructureOf,
} from './recovery.queries.ts';
import type { LateLoan } from './recovery-facts.ts';
import { payGuarantors } from './refund-guarantors.ts';
import {
  answerRestructure,
  confirmRestructure,
  proposeRestructure,
  type Signed,
  withdrawRestructure,
} from './restructure-loan.ts';
import { writeOffLoan } from './write-off-loan.ts';

/** What is done about late loans. The platform reads and writes: each act is told to people whose rows are not one's own. */
export function loanRecoveryRoutes({ database }: { readonly database: Database }): Binding[] {
  return [...deskRoutes(database), ...offerRoutes(database), ...sidesRoutes(database)];
}

interface Desk {
  readonly actor: RecoveringActor;
  readonly saccoId: string;
  readonly loanId: string;
}

function deskRoutes(database: Database): Binding[] {
  const done = async ({ actor, loanId }: Desk, act: (tx: Tx) => Promise<Sentence>) =>
    asSystem(async () => {
      const message = await database.transaction(act);
      return { success: true as const, message, recovery: await shownOf(database, loanId, actor.userId) };
    });
  return [
    bindHandler(contract.readLoanRecovery, ({ actor, saccoId, params }) =>
      readRecovery(database, { userId: actor.userId, saccoId }, params.id),
    ),
    bindHandler(contract.readLoanDay, ({ saccoId, params: { day } }) => readDay(database, saccoId, day)),
    bindHandler(contract.decideDefault, ({ actor, saccoId, params: { id: loanId }, body: { reason } }) =>
      done({ actor, saccoId, loanId }, async (tx) =>
        (await decideDefault(tx, actor, { saccoId, loanId, reason }))
          ? sentence('The loan is in default. The borrower and the guarantors are told.')
          : sentence('Your vote is recorded. Another official who decides about it must agree.'),
      ),
    ),
    bindHandler(contract.sendFinalNotice, ({ actor, saccoId, params: { id: loanId } }) =>
      done({ actor, saccoId, loanId }, async (tx) => {
        await sendFinalNotice(tx, actor, { saccoId, loanId });
        return sentence('The final notice is sent. In 14 days the next step may be taken.');
      }),
    ),
    bindHandler(contract.recoverLoan, ({ actor, saccoId, params: { id: loanId }, body: { step, amount } }) =>
      done({ actor, saccoId, loanId }, async (tx) => {
        const cents = await recoverLoan(tx, actor, { saccoId, loanId, step, shownCents: amount });
        return cents > 0
          ? sentence('{amount} is recovered.', { amount: said(cents) })
          : sentence('Nothing was left to take. The next step may be taken.');
      }),
    ),
    bindHandler(contract.writeOffLoan, ({ actor, saccoId, params: { id: loanId }, body: { reason, amount } }) =>
      done({ actor, saccoId, loanId }, async (tx) =>
        (await writeOffLoan(tx, actor, { saccoId, loanId, reason, shownCents: amount }))
          ? sentence('The loan is written off in the books. The borrower still owes it.')
          : sentence('Your vote is recorded. It takes one of the board and one of the supervisory committee.'),
      ),
    ),
    bindHandler(contract.declineWriteOff, ({ actor, saccoId, params: { id: loanId }, body: { reason } }) =>
      done({ actor, saccoId, loanId }, async (tx) => {
        await declineWriteOff(tx, actor, { saccoId, loanId, reason });
        return sentence('Declined. Your reason is kept, and whoever proposed it is told. The proposal stays open.');
      }),
    ),
  ] as Binding[];
}

function offerRoutes(database: Database): Binding[] {
  return [
    bindHandler(contract.proposeRestructure, ({ actor, saccoId, params: { id: loanId }, body }) =>
      asSystem(async () => {
        await database.transaction((tx) => proposeRestructure(tx, actor, { saccoId, loanId, ...body }));
        const message = sentence('The new schedule is proposed. A second official must confirm it.');
        return { success: true as const, message, restructure: await proposalOf(database, loanId, actor.userId) };
      }),
    ),
    bindHandler(contract.quoteRestructure, async ({ actor, saccoId, params: { id: loanId }, query: { months } }) => ({
      cost: await quoteNewSchedule(database, { userId: actor.userId, saccoId }, { loanId, months }),
    })),
    bindHandler(contract.confirmRestructure, ({ actor, saccoId, params: { id: loanId }, body }) =>
      asSystem(async () => {
        await database.transaction((tx) => confirmRestructure(tx, actor, { saccoId, loanId, ...body }));
        const message = sentence('The new schedule is offered. The borrower and every guarantor are asked.');
        return { success: true as const, message, restructure: await proposalOf(database, loanId, actor.userId) };
      }),
    ),
    bindHandler(contract.withdrawRestructure, ({ actor, saccoId, params: { id: loanId } }) =>
      asSystem(async () => {
        await database.transaction((tx) => withdrawRestructure(tx, actor, { saccoId, loanId }));
        const message = sentence('The offer is taken back.');
        return { success: true as const, message, restructure: await proposalOf(database, loanId, actor.userId) };
      }),
    ),
  ] as Binding[];
}

function sidesRoutes(database: Database): Binding[] {
  return [
    bindHandler(contract.readRestructure, ({ actor, saccoId, params: { id } }) =>
      asSystem(async () => {
        const loan = await loanOfSide(database, { userId: actor.userId, saccoId, loanId: id });
        return { restructure: await offerToSides(readerOf(database), loan, actor.userId) };
      }),
    ),
    bindHandler(contract.answerRestructure, ({ actor, saccoId, params: { id: loanId }, body }) =>
      asSystem(async () => {
        const { agree } = body;
        const signed = agree ? await signedWith(database, { userId: actor.userId, loanId }, body) : undefined;
        const outcome = await database.transaction((tx) =>
          answerRestructure(tx, actor, { saccoId, loanId, agree, ...(signed ? { signed } : {}) }),
        );
        const message = {
          in_force: sentence('The new schedule holds from today.'),
          waits: sentence('Kept. The new schedule holds once everybody has agreed.'),
          refused: sentence('Kept. The old schedule holds.'),
        }[outcome];
        return { success: true as const, message, restructure: await offerOf(database, loanId, actor.userId) };
      }),
    ),
    // In a batch queue, which keeps the key and runs as the platform; each call asks everything before it writes.
    bindBatched(contract.payGuarantors, 'guarantors-refunds', async (tx, calls) => {
      const answers: (Answer<typeof contract.payGuarantors> | Refusal)[] = [];
      for (const call of calls) answers.push(await refundOf(tx, call));
      return answers;
    }),
  ] as Binding[];
}

async function refundOf(
  tx: Tx,
  { actor, saccoId, params, body: { amount } }: Call<typeof contract.payGuarantors>,
): Promise<Answer<typeof contract.payGuarantors> | Refusal> {
  try {
    const paid = await payGuarantors(tx, actor, { saccoId, loanId: params.id, cents: amount });
    return {
      success: true as const,
      message: sentence('Your guarantors are paid back {amount}.', { amount: said(paid.refunded) }),
      refunded: shillingsFromCents(paid.refunded),
      still_owed: shillingsFromCents(paid.stillOwed),
    };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The terms that a guarantor's code is for, and which code it was; undefined where none was sent. A try is counted. */
async function signedWith(
  database: Database,
  { userId, loanId }: { readonly userId: string; readonly loanId: string },
  { code, terms_hash: termsHash }: { readonly code?: string | undefined; readonly terms_hash?: string | undefined },
): Promise<Signed | undefined> {
  if (code === undefined || termsHash === undefined) return undefined;
  const [guarantee] = await database.sql<{ id: string }[]>`
    select id from loan_guarantees
    where loan_id = ${loanId} and guarantor_id = ${userId} and kind = 'member' and state = 'live'`;
  return guarantee && { termsHash, codeId: await tryCode(database, { guaranteeId: guarantee.id, code }) };
}

async function lateLoan(database: Database, loanId: string): Promise<LateLoan> {
  const [loan] = await database.sql<LateLoan[]>`select * from loans where id = ${loanId}`;
  if (!loan) throw noSuchLoan();
  return loan;
}

async function shownOf(database: Database, loanId: string, userId: string) {
  return recoveryShown(readerOf(database), await lateLoan(database, loanId), userId);
}

/** What an official sees of the latest one. */
async function proposalOf(database: Database, loanId: string, userId: string) {
  const offer = await restructureOf(readerOf(database), await lateLoan(database, loanId), userId);
  if (!offer) throw noSuchLoan();
  return offer;
}

async function offerOf(database: Database, loanId: string, userId: string) {
  const offer = await offerToSides(readerOf(database), await lateLoan(database, loanId), userId);
  if (!offer) throw noSuchLoan();
  return offer;
}

/** A loan for its borrower, or for somebody who guarantees it. @throws Refusal `not_found` */
async function loanOfSide(
  database: Database,
  { userId, saccoId, loanId }: { readonly userId: string; readonly saccoId: string; readonly loanId: string },
): Promise<LateLoan> {
  const [loan] = await database.sql<LateLoan[]>`
    select * from loans l where l.id = ${loanId} and l.sacco_id = ${saccoId}
      and (l.borrower_id = ${userId} or exists (
        select from loan_guarantees g
        where g.loan_id = l.id and g.guarantor_id = ${userId} and g.kind = 'member' and g.state in ('live', 'called')))`;
  if (!loan) throw noSuchLoan();
  return loan;
}
