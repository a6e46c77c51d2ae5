import type { Tx } from '../../db/tx.ts';
import { decideDefault, sendFinalNotice } from '../../domains/loans/decide-default.ts';
import { recoverLoan, type Taking } from '../../domains/loans/recover-loan.ts';
import { payGuarantors } from '../../domains/loans/refund-guarantors.ts';
import { confirmRestructure, proposeRestructure } from '../../domains/loans/restructure-loan.ts';
import { loanWaiverChange, waiverToKeep } from '../../domains/loans/waive-charges.ts';
import { writeOffLoan } from '../../domains/loans/write-off-loan.ts';
import type { ChangeExecutors } from '../../domains/saccos/changes.types.ts';
import { confirmChange } from '../../domains/saccos/decide-change.ts';
import { proposeChange } from '../../domains/saccos/propose-change.ts';
import { amountShown, writeOffShown } from '../amount-shown.ts';
import { topUp } from '../money-acts.ts';
import { type DemoPerson, secondOfficial, treasurer } from '../people.ts';
import { mwangaza } from '../saccos.ts';
import { at, type Cast, type Happening, type Scene } from '../scene.ts';
import { signedIn } from '../signed-in.ts';
import { committee, type DemoLoan, defaulted, inArrears, recovered, writtenOff } from './loan-stories.ts';

type Actor = { readonly userId: string; readonly sessionId: string };
type About = { readonly saccoId: string; readonly loanId: string };

/** Takes a step of a recovery as the desk shows it at that moment. */
export async function takeShown(tx: Tx, actor: Actor, input: About & { readonly step: Taking }): Promise<void> {
  await recoverLoan(tx, actor, { ...input, shownCents: await amountShown(tx, input.loanId, input.step) });
}

/** The same of a vote for a write-off. */
async function voteToGiveUp(tx: Tx, actor: Actor, input: About & { readonly reason: string }): Promise<void> {
  await writeOffLoan(tx, actor, { ...input, shownCents: await writeOffShown(tx, input.loanId) });
}

/** What the officials do about loans that nobody pays, in the order and after the days that the rules ask for. */
export function recoveries(scene: Scene, cast: Cast, idOf: (loan: DemoLoan) => string): Happening[] {
  const on =
    (loan: DemoLoan) =>
    (
      day: number,
      by: DemoPerson,
      what: string,
      act: (tx: Tx, actor: Actor, about: About) => Promise<unknown>,
    ): Happening => ({
      at: at(scene, day, 3),
      what: `${loan.by.firstName}'s loan of day ${loan.day}: ${what}`,
      act: (tx: Tx) =>
        signedIn(tx, cast, by, (actor) => act(tx, actor, { saccoId: cast.sacco(mwangaza), loanId: idOf(loan) })),
    });
  return [
    ...givenUp(on(writtenOff)),
    ...paidByGuarantors(scene, cast, on(recovered)),
    ...inDefault(on(defaulted), 343),
    on(defaulted)(356, treasurer, 'final notice', sendFinalNotice),
    ...waived(on(defaulted)),
    // After a month of the loan has ended on day 361 or before: its dates would move.
    on(inArrears)(363, treasurer, 'a new schedule is proposed', (tx, actor, about) =>
      proposeRestructure(tx, actor, {
        ...about,
        months: 10,
        reason: 'She was ill for two months and is back at her stall. Smaller instalments she can pay.',
      }),
    ),
    on(inArrears)(364, committee.first, 'the new schedule is confirmed', (tx, actor, about) =>
      confirmRestructure(tx, actor, { ...about, months: 10 }),
    ),
  ];
}

/** A part of the penalty is waived: one official proposes it, and another confirms it. */
function waived(on: On): Happening[] {
  let change = '';
  return [
    on(357, treasurer, 'a waiver is proposed', async (tx, { userId }, { saccoId, loanId }) => {
      const asked = { loanId, penalty: 20_00, interest: 0, reason: 'The office was closed for a week.' };
      const payload = await waiverToKeep(tx, saccoId, asked);
      const about = { saccoId, proposedBy: userId };
      change = await proposeChange(tx, about, { kind: 'loan_waiver', payload }, loanWaiverChange);
    }),
    on(358, secondOfficial, 'the waiver is confirmed', (tx, { userId }, { saccoId }) =>
      confirmChange(tx, { userId }, { changeId: change, saccoId }, {
        loan_waiver: loanWaiverChange,
      } as ChangeExecutors),
    ),
  ];
}

type On = (
  day: number,
  by: DemoPerson,
  what: string,
  act: (tx: Tx, actor: Actor, about: About) => Promise<unknown>,
) => Happening;

/** The two voices of the committee. */
function inDefault(on: On, day: number): Happening[] {
  const reasons = [
    'Three visits to the stall, and four calls. Nothing was paid.',
    'The stall is closed, and nobody answers.',
  ];
  return [committee.first, committee.second].map((member, index) =>
    on(day + index, member, 'a voice for the default', (tx, actor, about) =>
      decideDefault(tx, actor, { ...about, reason: reasons[index] ?? '' }),
    ),
  );
}

function givenUp(on: On): Happening[] {
  const reason = 'The savings are taken, and what is left is less than a letter of a lawyer costs.';
  return [
    ...inDefault(on, 245),
    on(247, treasurer, 'final notice', sendFinalNotice),
    on(262, treasurer, 'own savings taken', (tx, actor, about) =>
      takeShown(tx, actor, { ...about, step: 'own_deposits' }),
    ),
    on(263, treasurer, 'given up', (tx, actor, about) => voteToGiveUp(tx, actor, { ...about, reason })),
    on(264, committee.supervisor, 'given up', (tx, actor, about) =>
      voteToGiveUp(tx, actor, { ...about, reason: 'I have seen the books and the notices, and agree.' }),
    ),
  ];
}

/** Its guarantors were called, and get a first part back. */
function paidByGuarantors(scene: Scene, cast: Cast, on: On): Happening[] {
  return [
    ...inDefault(on, 330),
    on(332, treasurer, 'final notice', sendFinalNotice),
    on(347, treasurer, 'own savings taken', (tx, actor, about) =>
      takeShown(tx, actor, { ...about, step: 'own_deposits' }),
    ),
    on(348, treasurer, 'guarantors called', (tx, actor, about) =>
      takeShown(tx, actor, { ...about, step: 'guarantors' }),
    ),
    topUp(scene, cast, recovered.by, 1_500_00, at(scene, 359, 1)),
    on(359, recovered.by, 'a first part for the guarantors', (tx, actor, about) =>
      payGuarantors(tx, actor, { ...about, cents: 1_500_00 }),
    ),
    // It waits for the board.
    on(361, committee.supervisor, 'proposed to be given up', (tx, actor, about) =>
      voteToGiveUp(tx, actor, {
        ...about,
        reason: 'The savings and the guarantors have paid what they could. What is left he pays back to them first.',
      }),
    ),
  ];
}
