import { contract } from '@ushirika/contract/contract';
import { type Caller, route } from '@ushirika/contract/route';
import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { bindHandler } from '../../server/http/bind.ts';
import { assertAllBound } from '../../server/http/server.ts';
import { productOn } from '../support/product.ts';
import { testHarness } from '../support/test-harness.ts';
import { gapsOf } from './examine.ts';
import { harness } from './matrix.harness.ts';

testHarness(harness);

const added = route({
  name: 'readLedgerOf',
  method: 'GET',
  path: '/client/ledgers/{ledger}',
  summary: 'A route that somebody adds, with nothing else.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ ledger: z.uuid() }),
  reply: z.object({}),
});

test('a route that is added to the contract and bound by nobody does not start', async () => {
  const started = productOn(inject('testServerUrl'), {}, { contract: [...contract, added] });
  await expect(started).rejects.toThrow('readLedgerOf is bound by nobody');
});

test('a route without a caller does not start', () => {
  const callerless = { ...added, caller: undefined as unknown as Caller };
  const binding = bindHandler(callerless, async () => ({}));
  expect(() => assertAllBound([callerless], [binding as never])).toThrow('readLedgerOf declares no caller');
});

test('the policy and the contract must have the same routes, callers and offices', () => {
  expect(gapsOf([...contract, added])).toEqual([
    'readLedgerOf is a route of the contract without a policy (prove/matrix/domains/): who may call it?',
  ]);
  expect(gapsOf(contract.filter(({ name }) => name !== 'getReceipt'))).toContain(
    'getReceipt has a policy in prove/matrix, and is no route of the contract',
  );
  const opened = contract.map((one) => (one.name === 'suspendSacco' ? { ...one, caller: 'signed_in' as const } : one));
  expect(gapsOf(opened)).toEqual(['suspendSacco: its caller is signed_in, the policy says operator']);
  const widened = contract.map((one) =>
    one.name === 'changeReferralTerms'
      ? { ...one, offices: ['chair', 'secretary', 'treasurer', 'supervisory_committee'] as const }
      : one,
  );
  expect(gapsOf(widened)).toEqual([
    'changeReferralTerms: its caller is official chair secretary treasurer supervisory_committee, the policy says official chair secretary treasurer',
  ]);
});

test('a parameter of which nobody has said what it holds fails by its name', () => {
  const changed = contract.map((one) => (one.name === 'getReceipt' ? { ...one, params: added.params } : one));
  expect(gapsOf(changed)).toContain(
    'getReceipt: nobody has said in prove/matrix/fixtures.ts what "ledger" of its path holds',
  );
});
