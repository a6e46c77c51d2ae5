import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { mayWhileSuspended } from './refusals-of.ts';

test('a suspended person votes, stands, drafts, complains and pays what they owe: nothing takes money out or binds others', () => {
  const open = contract.filter((route) => mayWhileSuspended(route) && route.method !== 'GET');
  expect(open.map(({ name }) => name).sort()).toEqual([
    'answerVote',
    'appealComplaint',
    'cancelVotingProposal',
    'castBallot',
    'closeComplaint',
    'demandSecretBallot',
    'draftVotingProposal',
    'issueBallotToken',
    'logout',
    'makeComplaint',
    'payGuarantors',
    'payOffLoan',
    'payPoolClaim',
    'previewRepayment',
    'promptRepayment',
    'provePassword',
    'repayLoan',
    'setCandidatePicture',
    'setStandingRepayment',
    'signVotingProposal',
    'standDown',
    'standForElection',
  ]);
});
