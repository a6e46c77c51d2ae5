import { confirmRestructure, proposeRestructure } from '../../../server/domains/loans/restructure-loan.ts';
import { testLateLoans } from '../../../server/domains/loans/test-late-loans.ts';
import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, NOBODYS } from '../domain-part.ts';
import type { RoutePolicy } from '../policy.ts';

/** What is done about loans that are not paid: for officials of the sacco, and for the borrower of each. */
export const loanRecovery: DomainPart = {
  policies: {
    readLoanRecovery: {
      ...ofDesk('officials', '200'),
      shows: `
        officials of A | names of A
        officials of B | names of B`,
      notes: 'public.member_record_readings',
    },
    // No day of these saccos has been run.
    readLoanDay: {
      caller: 'official',
      lines: `
      signed in | saccoId malformed/absent | 400 sacco_required
      officials of A | saccoId A | 404 not_found
      officials of B | saccoId B | 404 not_found
      founder | saccoId waiting/rejected | 404 not_found
      signed in | * | 403 not_allowed`,
    },
    // A loan that is not late: its steps come later.
    // The committee is one person here: board and supervisors stand in.
    decideDefault: ofDesk(
      ['credit_committee', 'chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee'],
      '422 recovery_too_early',
    ),
    sendFinalNotice: ofDesk(
      ['credit_committee', 'chair', 'vice_chair', 'secretary', 'treasurer', 'manager'],
      '422 recovery_too_early',
    ),
    recoverLoan: ofDesk(['treasurer', 'chair', 'vice_chair', 'manager'], '409 loan_conflict'),
    writeOffLoan: ofDesk(
      ['chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee'],
      '409 loan_conflict',
    ),
    declineWriteOff: ofDesk(
      ['chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee'],
      '409 loan_conflict',
    ),
    proposeRestructure: ofDesk(
      ['credit_committee', 'treasurer', 'chair', 'vice_chair', 'manager'],
      '409 loan_conflict',
    ),
    quoteRestructure: ofDesk('officials', '409 loan_conflict'),
    confirmRestructure: ofDesk(
      ['credit_committee', 'treasurer', 'chair', 'vice_chair', 'manager'],
      '409 loan_conflict',
    ),
    withdrawRestructure: {
      ...ofProposers(ofDesk(['credit_committee', 'treasurer', 'chair', 'vice_chair', 'manager'], '409 loan_conflict')),
      shows: `
        officials of A | names of A
        officials of B | names of B`,
    },
    readRestructure: ofBorrower('200'),
    // The officials who offered it are told.
    answerRestructure: { ...ofBorrower('200'), counterparty: ['public.notifications'] },
    payGuarantors: ofBorrower('409 loan_conflict'),
  },
  fixtures: {
    'readLoanRecovery.id': id('loan not late'),
    'readLoanDay.day': is('2026-01-01'),
    'decideDefault.id': id('loan not late'),
    'sendFinalNotice.id': id('loan not late'),
    'recoverLoan.id': id('loan not late'),
    'writeOffLoan.id': id('loan not late'),
    'declineWriteOff.id': id('loan not late'),
    'proposeRestructure.id': id('loan not late'),
    'quoteRestructure.id': id('loan not late'),
    'quoteRestructure.months': is(24),
    'confirmRestructure.id': id('loan not late'),
    'confirmRestructure.months': is(24),
    'withdrawRestructure.id': id('loan with an offer'),
    'readRestructure.id': id('loan with an offer'),
    'answerRestructure.id': id('loan with an offer'),
    'payGuarantors.id': id('loan not late'),
    'proposeRestructure.months': is(24),
    step: is('own_deposits'),
    agree: is(false),
  },
  raise: raiseLateLoans,
  /** A loan of hers that is paid out. */
  async attacked({ product, victim, sacco, canary }) {
    const { database } = product;
    const loanId = await testLateLoans(database).loan({
      sacco,
      borrower: victim.id,
      amountCents: 1_000_00,
      months: 12,
    });
    await database.owner`update loans set purpose = ${canary} where id = ${loanId}`;
    const at = (path: string, body?: unknown) => [[path, body === undefined ? { sacco } : { sacco, body }]] as const;
    const [desk, own] = [`/sacco/loans/${loanId}`, `/loans/${loanId}`];
    const reason = { reason: 'Nobody stops me.' };
    return {
      readLoanRecovery: at(`${desk}/recovery`),
      readLoanDay: at('/sacco/loan-days/2026-01-01'),
      decideDefault: at(`${desk}/default`, reason),
      sendFinalNotice: at(`${desk}/final-notice`),
      recoverLoan: at(`${desk}/recovery`, { step: 'own_deposits', amount: 1_000 }),
      writeOffLoan: at(`${desk}/write-off`, { ...reason, amount: 1_000 }),
      declineWriteOff: at(`${desk}/write-off-decline`, reason),
      proposeRestructure: at(`${desk}/restructure`, { months: 24, ...reason }),
      quoteRestructure: at(`${desk}/restructure?months=24`),
      confirmRestructure: at(`${desk}/restructure/confirm`, { months: 24 }),
      withdrawRestructure: at(`${desk}/restructure`),
      readRestructure: at(`${own}/restructure`),
      answerRestructure: at(`${own}/restructure`, { agree: true }),
      payGuarantors: at(`${own}/guarantors-refund`, { amount: 10 }),
    };
  },
  withoutActs: {
    decideDefault: 'the day and recovery have random lives of their own: server/domains/loans/loan-lives.test.ts',
    sendFinalNotice: 'the same',
    recoverLoan: 'the same',
    writeOffLoan: 'the same',
    declineWriteOff: 'it moves no money',
    proposeRestructure: 'the same',
    confirmRestructure: 'the same',
    withdrawRestructure: 'it moves no money',
    answerRestructure: 'the same',
    payGuarantors: 'the same',
  },
};

function ofDesk(offices: 'officials' | readonly string[], answer: string): RoutePolicy {
  const who = (sacco: string) =>
    offices === 'officials' ? `officials of ${sacco}` : offices.map((office) => `${office} of ${sacco}`).join('/');
  // The founder is the chair of what waits and of what was rejected.
  const isForChairs = offices === 'officials' || offices.includes('chair');
  return {
    caller: 'official',
    ...(offices === 'officials' ? {} : { offices: offices as RoutePolicy['offices'] }),
    lines: `
      signed in | saccoId malformed/absent | 400 sacco_required
      ${who('A')} | saccoId A, id hers/his | ${answer}
      ${who('B')} | saccoId B, id foreign | ${answer}
      ${who('A')} | saccoId A | 404 not_found
      ${who('B')} | saccoId B | 404 not_found
      ${isForChairs ? 'founder | saccoId waiting/rejected | 404 not_found' : ''}
      signed in | * | 403 not_allowed`,
  } as RoutePolicy;
}

/** What the manager has proposed and the treasurer has confirmed is taken back by them alone. */
function ofProposers(desk: RoutePolicy): RoutePolicy {
  return {
    ...desk,
    lines: `
      manager of A/treasurer of A | saccoId A, id hers/his | 200
      manager of B/treasurer of B | saccoId B, id foreign | 200
      ${desk.lines}`,
  };
}

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

/** One of each that is paid out and not late; and one that is late, with the offer of a new schedule. */
async function raiseLateLoans({ database }: Product, cast: Cast): Promise<Kinds> {
  const late = testLateLoans(database);
  // So small that they do not stand against what else the same people are asked to borrow.
  const lend = (name: string, side: 'A' | 'B') =>
    late.loan({ sacco: cast.saccos[side], borrower: cast.person(name).id, amountCents: 1_00, months: 12 });
  const offer = async (name: string, side: 'A' | 'B') => {
    const loanId = await lend(name, side);
    const since = '2026-01-01';
    await database.owner`update loans set state = 'in_arrears', arrears_since = ${since} where id = ${loanId}`;
    const [by, other] = [cast.person(`manager of ${side}`).id, cast.person(`treasurer of ${side}`).id];
    const [sessionId, othersSession] = [await sessionOf(database, by), await sessionOf(database, other)];
    const input = { saccoId: cast.saccos[side], loanId, months: 24, reason: 'The shop burnt down.' };
    await database.transaction((tx) => proposeRestructure(tx, { userId: by, sessionId }, input));
    await database.transaction((tx) => confirmRestructure(tx, { userId: other, sessionId: othersSession }, input));
    // Not late any more: who is late does not trade, and the same people are asked that too.
    await database.owner`update loans set state = 'active', arrears_since = null where id = ${loanId}`;
    return loanId;
  };
  return {
    'loan not late': {
      objects: {
        hers: await lend('owner', 'A'),
        his: await lend('fellow', 'A'),
        foreign: await lend('other', 'B'),
        ...NOBODYS,
      },
    },
    'loan with an offer': {
      objects: {
        hers: await offer('owner', 'A'),
        his: await offer('fellow', 'A'),
        foreign: await offer('other', 'B'),
        ...NOBODYS,
      },
    },
  };
}

async function sessionOf(database: Product['database'], userId: string): Promise<string> {
  const [session] = await database.owner<{ id: string }[]>`
    select id from sessions where user_id = ${userId} and ended_at is null order by proven_at desc nulls last limit 1`;
  if (!session) throw new Error('Somebody of the cast has no session.');
  return session.id;
}
