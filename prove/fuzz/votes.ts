import { settlementOf, walletOf } from '../../server/domains/loans/loan-rows.ts';
import { postAll } from '../../server/domains/loans/pledges.ts';
import { testBallotPaper } from '../../server/domains/voting/test-ballot-paper.ts';
import type { AccountKey, JournalInput } from '../../server/ledger/ledger.types.ts';
import { CLOSED, closeFor, NEXT, PAID, payFor } from '../matrix/domains/dividends.ts';
import { raiseCandidate, raiseVote } from '../matrix/domains/voting.ts';
import { asked, type Hand, type Lending } from './lenders.ts';

/** As a number that is below any key. */
const BLINDED = `${'A'.repeat(340)}Eg`;
const DAY_MS = 86_400_000;
const WORDS = 'I have kept the books of our church for ten years.';

/** A vote in each state that somebody may do something with, a ballot paper that is signed, and a year that is closed. */
export async function votes(lending: Lending): Promise<void> {
  const { crowd, pools, hands, sacco } = lending;
  const { member, guest, backer, saver, two } = hands;
  const roll = [member, guest, backer, saver].map(({ id }) => id);
  const vote = (state: Parameters<typeof raiseVote>[1]['state'], by = guest) =>
    raiseVote(crowd.product, {
      saccoId: sacco,
      by: by.id,
      roll,
      holder: two.id,
      title: 'A meeting once a month',
      state,
    });
  const ofMember = {
    signVotingProposal: await vote('draft'),
    cancelVotingProposal: await vote('draft', member),
    castBallot: await vote('open'),
    demandSecretBallot: await vote('coming'),
    standForElection: await vote('election'),
    issueBallotToken: await vote('secret'),
    standDown: await vote('stood'),
    setCandidatePicture: await vote('stood'),
    answerVote: await vote('about', member),
  };
  const ofSupervisor = {
    holdVoteResult: await vote('waits'),
    releaseVoteResult: await vote('held'),
    voidVoteResult: await vote('held'),
  };
  for (const [route, proposal] of Object.entries(ofMember)) {
    pools.ready(route, 'member', { sacco, proposal, blinded: BLINDED, word: WORDS });
  }
  for (const [route, proposal] of Object.entries(ofSupervisor)) pools.ready(route, 'secretary', { sacco, proposal });
  pools.ready('showVoteTitle', 'operator', { vote: ofMember.castBallot });
  const candidate = await raiseCandidate(crowd.product, await vote('election'), member.id);
  pools.ready('readCandidatePicture', 'member', { sacco, candidate });
  const bylaws = { proposal: await vote('bylaws'), no: 'CS/1204/2020', on: '2020-01-02' };
  pools.ready('recordBylaws', 'official', { sacco, ...bylaws });
  pools.ready('withdrawOfficial', 'official', { sacco, id_number: await namedBy(lending, hands.official) });
  const ballot = await signedBallot(lending, ofMember.issueBallotToken);
  for (const as of ['member', 'neighbour', 'official']) {
    for (const route of ['readPublicVote', 'readVoteRoll', 'readVoteBallots', 'readVoteIssued']) {
      pools.ready(route, as, { public: ofMember.castBallot });
    }
    pools.ready('castSecretBallot', as, ballot);
  }
  await closeFor(crowd.product.database, sacco);
  await paidDividend(lending);
  pools.ready('readDividend', 'member', { sacco, year: CLOSED });
  pools.ready('readOwnDividend', 'member', { sacco, year: PAID });
  pools.ready('simulateDividend', 'official', { sacco, year: CLOSED });
  pools.ready('closeYear', 'official', { sacco, year: NEXT });
}

/** The ID number of somebody whom a founder has named for an office, and who has not taken it up. */
async function namedBy({ crowd, sacco }: Lending, by: Hand): Promise<string> {
  const { owner, newId, now } = crowd.product.database;
  const idNumber = '77777777';
  const until = new Date(now().getTime() + 7 * DAY_MS);
  await owner`
    insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, state, named_as)
    values (${newId()}, ${sacco}, 'vice_chair', ${idNumber}, ${by.id}, ${now()}, ${until}, 'asked', 'founder')`;
  return idNumber;
}

/** A dividend of Ksh. 0.95 after tax, all of which one member got, with its journals: the audit reads the books afterwards. */
async function paidDividend({ crowd, sacco }: Lending): Promise<void> {
  const { database } = crowd.product;
  await payFor(database, sacco);
  const [{ id, member } = { id: '', member: '' }] = await database.owner<{ id: string; member: string }[]>`
    select d.id, (select member_id from year_members y where y.sacco_id = d.sacco_id and y.year = d.year limit 1) as member
    from dividends d where d.sacco_id = ${sacco} and d.year = ${PAID}`;
  await database.owner`insert into dividend_payments values (${id}, ${member}, 'shares', 100, 5)`;
  await database.owner`
    insert into dividend_receipts (dividend_id, member_id, net_cents, paid_at, arrears_cents, into_shares)
    values (${id}, ${member}, 95, '2019-03-02', 0, false)`;
  const own = (kind: AccountKey['kind']): AccountKey => ({ book: sacco, kind, owner: null });
  const payable: AccountKey = { book: sacco, kind: 'dividends_payable', owner: id };
  const of = (kind: JournalInput['kind'], transfers: JournalInput['transfers']): JournalInput => {
    return { kind, idempotencyKey: `fuzz:${kind}:${id}`, causedBy: null, about: { type: 'dividend', id }, transfers };
  };
  await database.transaction((tx) =>
    postAll(tx, [
      of('year_closed', [
        { debit: own('surplus_appropriated'), credit: own('statutory_reserve'), amount: 25 },
        { debit: own('surplus_appropriated'), credit: own('retained_surplus'), amount: 100 },
      ]),
      of('dividend_declared', [
        { debit: own('retained_surplus'), credit: payable, amount: 95 },
        { debit: own('retained_surplus'), credit: own('tax_payable'), amount: 5 },
      ]),
      of('dividend_paid', [
        { debit: payable, credit: own('cash'), amount: 95 },
        { debit: settlementOf(sacco), credit: walletOf(member), amount: 95 },
      ]),
    ]),
  );
}

/** A ballot of `guest`, as the voter’s browser makes it out of the signature. */
async function signedBallot(lending: Lending, ballot: string) {
  const { hands, sacco } = lending;
  const [{ key }] = (await asked(lending, hands.guest, ['GET', `/voting/public/${ballot}`])).keys;
  const paper = await testBallotPaper(key);
  const body = { round: 1, blinded: paper.blinded };
  const path = `/voting/proposals/${ballot}/token`;
  const { blind_signature } = await asked(lending, hands.guest, ['POST', path], { sacco, body });
  return { ballot, ...(await paper.ballot(blind_signature, 'for')) };
}
