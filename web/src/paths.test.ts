import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('the addresses that the spec fixes are what they are', () => {
  expect({
    public: [paths.home(), paths.saccosList(), paths.saccos(), paths.pools(), paths.guarantorPools()],
    explained: [paths.referrals(), paths.votingProposals(), paths.shareTrading()],
    auth: [paths.login(), paths.register(), paths.forgotPassword(), paths.resetPassword()],
    signedIn: [paths.mySaccos(), paths.profile(), paths.client()],
    client: [paths.clientGuarantorPools(), paths.clientReferrals(), paths.clientProfile(), paths.clientSettings()],
  }).toEqual({
    public: ['/', '/saccos-list', '/saccos', '/pools', '/guarantor-pools'],
    explained: ['/referrals', '/voting-proposals', '/share-trading'],
    auth: ['/auth/login', '/auth/register', '/auth/forgot-password', '/auth/reset-password'],
    signedIn: ['/my-saccos', '/profile', '/client'],
    client: ['/client/guarantor-pools', '/client/referrals', '/client/profile', '/client/settings'],
  });
});

test('what is put into an address is escaped', () => {
  expect(paths.guarantorPool('a b')).toBe('/guarantor-pools/a%20b');
  expect(paths.votingProposal('1')).toBe('/voting-proposals/1');
  expect(paths.sacco('a/b')).toBe('/saccos/a%2Fb');
  expect(paths.register('WANJ 01')).toBe('/auth/register?ref=WANJ%2001');
});
