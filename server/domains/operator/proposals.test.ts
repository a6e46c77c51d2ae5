import { operatorContract } from '@ushirika/contract/operator';
import { proposalsContract } from '@ushirika/contract/proposals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { logsHealth, waiting } from '../../domains.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { revokeOperator } from '../identity/operators.ts';
import { operatorRoutes } from './operator.routes.ts';
import { tellPayer } from './payer-notices.ts';
import { executeProposal, sweepProposals } from './sweep-proposals.ts';
import { confirmedPhone, inSuspense, signedIn } from './test-operators.ts';

let database: TestDatabase;
let people: ReturnType<typeof testPeople>;
let app: Awaited<ReturnType<typeof testApp>>;
let asha: string;
let second: string;
let third: string;
let accomplice: string;

const reason = 'Customer called us';
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  [asha, second, third] = [await people.person('Asha'), await people.person('Otieno'), await people.person('Zawadi')];
  accomplice = await people.person('Accomplice');
  app = await testApp({
    database,
    contract: [...operatorContract, ...proposalsContract],
    bindings: operatorRoutes({
      database,
      publicUrl: 'https://ushirika.test',
      strictActivation: false,
      supportPhone: null,
      waiting,
      logsHealth: logsHealth(null),
    }),
    operators: [asha, second, third],
  });
  await prove();
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const prove = async () => {
  for (const operator of [asha, second, third]) await signedIn(database, operator);
};
const post = (as: string | undefined, path: string, body: object = { reason }) =>
  app.call('POST', path, { ...(as === undefined ? {} : { as }), body });
let receipts = 0;
/** A payment of 4,321 from this phone, in suspense, that Asha proposes to credit to the accomplice. */
async function proposed(phone: string | null, to = accomplice) {
  await prove();
  receipts += 1;
  const receipt = `SGK${String(receipts).padStart(7, '0')}`;
  const exception = await inSuspense(database, { amountCents: 432_100, receipt, phone, claimedBy: null });
  const { status, body } = await post(asha, `/operator/deposits/${exception}/resolution`, {
    action: 'credit',
    user: to,
    reason,
  });
  expect(status).toBe(200);
  return { exception, receipt, id: body.proposal as string };
}
/** Confirms it; who has to be told is told by the job at once. */
const confirm = async (id: string, as = second) => {
  const answer = await post(as, `/operator/proposals/${id}/confirmation`);
  await tellPayer({ database, publicUrl: 'https://ushirika.test' }, { id }).catch(() => {});
  return answer;
};
const walletCentsOf = async (owner: string) =>
  (await balances(database.sql, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const pass = async (hours: number) => {
  database.world.advance(hours * HOUR_MS);
  await sweepProposals(database, database.now());
};
const stateOf = async (id: string) =>
  (await database.owner`select state, closing from operator_proposals where id = ${id}`)[0];
/** Their office is over, or is theirs again; their session goes on, so that the tests after this can go on with it. */
const revoked = (operator: string, isRevoked: boolean) =>
  database.owner`update operators set revoked_at = ${isRevoked ? database.now() : null} where user_id = ${operator}`;
const codeSentTo = async (phone: string) => {
  const [sms] = await database.owner<{ text: string }[]>`
    select text from sms_messages where phone = ${phone} order by created_at desc, id desc limit 1`;
  return { text: sms?.text ?? '', code: /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(sms?.text ?? '')?.[0] ?? '' };
};

describe('money in suspense', () => {
  test('is not moved by an operator whose password was entered a quarter of an hour ago, nor confirmed by one', async () => {
    const { exception, id } = await proposed('254711000301');
    database.world.advance(15 * 60_000 + 1);
    const body = { action: 'return_note', reason };
    expect((await post(asha, `/operator/deposits/${exception}/resolution`, body)).body.code).toBe('proof_required');
    expect((await confirm(id)).body.code).toBe('proof_required');
  });

  test('goes to whose phone paid as soon as a second operator has confirmed it', async () => {
    const payer = await people.person('Payer');
    const { id } = await proposed(await confirmedPhone(database, payer), payer);
    expect((await confirm(id)).body).toMatchObject({ proposal: { state: 'done' } });
    expect(await walletCentsOf(payer)).toBe(432_100);
  });

  test('goes to anybody else after 48 hours in which its payer, told by SMS in our own words, did not object', async () => {
    const { id, exception, receipt } = await proposed('254711000302');
    expect((await confirm(id)).body.message).toBe('Confirmed. The payer has 48 hours to object; then it is done.');
    const { text, code } = await codeSentTo('254711000302');
    expect(text).toBe(
      `Ushirika: Ksh. 4,321.00 paid from your phone (M-Pesa ${receipt}) will be given to another member in 48 hours. Not right? Object at https://ushirika.test/objection with code ${code}.`,
    );
    expect(text).not.toContain('Accomplice');
    await pass(47);
    expect(await walletCentsOf(accomplice)).toBe(0);
    const { body } = await app.call('GET', '/operator/deposits', { as: third });
    expect(body.results.find((each: { id: string }) => each.id === exception)).toMatchObject({
      actions: ['credit', 'return_note'],
      proposal: { id, state: 'waiting', payer_told_at: expect.any(String), actions: [] },
    });
    await Promise.all([pass(1.01), pass(0)]);
    expect(await walletCentsOf(accomplice)).toBe(432_100);
    expect(await stateOf(id)).toEqual({ state: 'done', closing: null });
    expect((await post(undefined, '/payments/objections', { code })).body).toMatchObject({
      code: 'proposal_closed',
      message: expect.stringMatching(/^It is too late/),
    });
  });

  test('stays where it is once the payer objected by the code of the SMS, and then goes to them or back alone', async () => {
    const { id, exception } = await proposed('254711000303');
    await confirm(id);
    const { code } = await codeSentTo('254711000303');
    const wrong = await post(undefined, '/payments/objections', { code: 'AAAA-BBBB-CCCC-DDDD' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'otp_not_accepted']);
    const objected = await post(undefined, '/payments/objections', { code: code.toLowerCase() });
    expect(objected.body).toMatchObject({ success: true, amount: 4_321 });
    expect((await post(undefined, '/payments/objections', { code })).status).toBe(200);
    await pass(49);
    expect(await stateOf(id)).toEqual({ state: 'objected', closing: 'The payer objected.' });
    await prove();
    const again = (body: object) => post(asha, `/operator/deposits/${exception}/resolution`, { reason, ...body });
    expect((await again({ action: 'credit', user: accomplice })).body.code).toBe('payer_objected');
    const { body } = await app.call('GET', '/operator/deposits?limit=100', { as: third });
    expect(body.results.find((each: { id: string }) => each.id === exception)).toMatchObject({
      objected_at: expect.any(String),
      proposal: null,
      actions: ['credit', 'return_note'],
    });
    const back = await again({ action: 'return_note' });
    expect((await confirm(back.body.proposal)).body.proposal.state).toBe('done');
  });

  test('a member objects in the product, with the phone that paid as the confirmed one, and nobody else does', async () => {
    const payer = await people.person('Payer');
    const { id, receipt } = await proposed(await confirmedPhone(database, payer));
    await confirm(id);
    const mine = await app.call('GET', '/client/objections', { as: payer });
    expect(mine.body.results).toMatchObject([{ id, amount: 4_321, receipt }]);
    expect((await app.call('GET', '/client/objections', { as: accomplice })).body.count).toBe(0);
    expect((await app.call('POST', `/client/objections/${id}`, { as: accomplice })).status).toBe(404);
    expect((await app.call('POST', `/client/objections/${id}`, { as: payer })).status).toBe(200);
    expect((await stateOf(id))?.state).toBe('objected');
  });

  test('an objection and the payment at once: one of the two, and the money is where it says', async () => {
    for (let round = 0; round < 4; round += 1) {
      const phone = `25471100040${round}`;
      const { id } = await proposed(phone);
      await confirm(id);
      const { code } = await codeSentTo(phone);
      const before = (await walletCentsOf(accomplice)) ?? 0;
      database.world.advance(48 * HOUR_MS);
      const [objection] = await Promise.all([
        post(undefined, '/payments/objections', { code }),
        sweepProposals(database, database.now()),
        sweepProposals(database, database.now()),
      ]);
      const isPaid = (await stateOf(id))?.state === 'done';
      expect(objection.status).toBe(isPaid ? 409 : 200);
      expect(((await walletCentsOf(accomplice)) ?? 0) - before).toBe(isPaid ? 432_100 : 0);
    }
  });

  test('is not given away before its payer was told, though the job that tells them was late for days', async () => {
    const { id } = await proposed('254711000312');
    await post(second, `/operator/proposals/${id}/confirmation`);
    await pass(72);
    expect((await stateOf(id))?.state).toBe('waiting');
    await tellPayer({ database, publicUrl: 'https://ushirika.test' }, { id });
    await tellPayer({ database, publicUrl: 'https://ushirika.test' }, { id });
    const sent = await database.owner`select caused_by from sms_messages where phone = '254711000312'`;
    expect(sent).toEqual([{ caused_by: second }]);
    await pass(47);
    expect((await stateOf(id))?.state).toBe('waiting');
    await pass(1);
    expect((await stateOf(id))?.state).toBe('done');
  });

  test('two operators who confirm at once confirm once', async () => {
    const payer = await people.person('Payer');
    const { id } = await proposed(await confirmedPhone(database, payer), payer);
    const answers = await Promise.all([confirm(id, second), confirm(id, third)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await walletCentsOf(payer)).toBe(432_100);
  });

  test('what its payer claimed meanwhile is not paid a second time', async () => {
    const { id, exception } = await proposed('254711000305');
    await confirm(id);
    await database.owner`
      update money_exceptions set resolved_at = now(), resolution = 'matched', reason = 'The payer claimed it.'
      where id = ${exception}`;
    const before = await walletCentsOf(accomplice);
    await pass(49);
    expect(await stateOf(id)).toEqual({ state: 'lapsed', closing: 'That exception has been resolved already.' });
    expect(await walletCentsOf(accomplice)).toBe(before);
  });
});

describe('a proposal', () => {
  test('is confirmed neither by who made it, nor by who would gain, nor twice, nor after seven days', async () => {
    const toThird = await proposed('254711000306', third);
    expect((await confirm(toThird.id, asha)).body.code).toBe('second_operator_required');
    expect((await confirm(toThird.id, third)).body.code).toBe('not_allowed');
    const late = await proposed('254711000307');
    await pass(24 * 7 + 1);
    await prove();
    expect((await confirm(late.id)).body.code).toBe('proposal_closed');
    expect((await stateOf(late.id))?.state).toBe('lapsed');
  });

  test('is withdrawn by who made it and refused by nobody, also while the payer may object', async () => {
    const [first, other] = [await proposed('254711000308'), await proposed('254711000309')];
    const taken = await post(asha, `/operator/proposals/${first.id}/refusal`);
    expect(taken.body).toMatchObject({ message: 'You took your proposal back.', proposal: { state: 'withdrawn' } });
    expect((await post(third, `/operator/proposals/${other.id}/refusal`)).body.code).toBe('not_allowed');
    await confirm(other.id);
    expect((await post(third, `/operator/proposals/${other.id}/refusal`)).body.code).toBe('not_allowed');
    const byHand = database.owner`
      update operator_proposals set state = 'refused', closed_at = now(), closed_by = ${third} where id = ${other.id}`;
    await expect(byHand).rejects.toThrow('is closed by who made it');
    database.world.advance(1);
    await post(asha, `/operator/proposals/${other.id}/refusal`);
    await pass(49);
    const { body } = await app.call('GET', '/operator/proposals?status=closed', { as: asha });
    expect(body.results[0]).toMatchObject({
      id: other.id,
      state: 'withdrawn',
      closed_by: { id: asha },
      closing: reason,
    });
  });

  test('keeps nobody from proposing something else about the same money, and the same is proposed once', async () => {
    const { id, exception } = await proposed('254711000316');
    const propose = (as: string, body: object) =>
      post(as, `/operator/deposits/${exception}/resolution`, { reason, ...body });
    expect((await propose(second, { action: 'credit', user: accomplice })).body.code).toBe('second_operator_required');
    const back = await propose(second, { action: 'return_note' });
    const { body } = await app.call('GET', '/operator/deposits?limit=100', { as: second });
    expect(body.results.find((each: { id: string }) => each.id === exception)).toMatchObject({
      actions: ['credit', 'return_note'],
      proposal: { id, actions: ['confirm'] },
    });
    expect((await confirm(back.body.proposal, third)).body.proposal.state).toBe('done');
    expect((await confirm(id)).body.code).toBe('exception_already_resolved');
  });

  test('of somebody who is no operator any more does not count', async () => {
    const gone = await people.person('Gone');
    const { id } = await proposed('254711000310');
    await database.owner`
      insert into operators (user_id, granted_at) values (${gone}, ${database.now()})`;
    await database.owner`alter table operator_proposals disable trigger operator_proposals_stay`;
    await database.owner`update operator_proposals set proposed_by = ${gone} where id = ${id}`;
    await database.owner`alter table operator_proposals enable trigger operator_proposals_stay`;
    await database.transaction((tx) => revokeOperator(tx, gone));
    expect((await confirm(id)).body).toMatchObject({ code: 'proposal_closed' });
  });

  test('is not carried out where either of the two lost the office while its payer could object', async () => {
    const ofProposer = await proposed('254711000313');
    const ofConfirmer = await proposed('254711000314');
    await confirm(ofProposer.id, second);
    await confirm(ofConfirmer.id, third);
    const before = await walletCentsOf(accomplice);
    const closing = 'One of the two operators is no operator any more. Propose it anew.';
    await revoked(third, true);
    database.world.advance(49 * HOUR_MS);
    await executeProposal(database, ofConfirmer.id);
    expect(await stateOf(ofConfirmer.id)).toEqual({ state: 'lapsed', closing });
    await Promise.all([revoked(third, false), revoked(asha, true)]);
    await sweepProposals(database, database.now());
    expect(await stateOf(ofProposer.id)).toEqual({ state: 'lapsed', closing });
    await revoked(asha, false);
    expect(await walletCentsOf(accomplice)).toBe(before);
  });

  test('whose payer cannot be told yet holds up nobody behind it, however many there are', async () => {
    const untold = await Promise.all(Array.from({ length: 60 }, (_, nth) => proposed(`2547120003${nth + 10}`)));
    // Their jobs have not run, so that nobody was told.
    for (const { id } of untold) await post(second, `/operator/proposals/${id}/confirmation`);
    database.world.advance(1);
    const last = await proposed('254711000315');
    await confirm(last.id);
    await pass(49);
    expect((await stateOf(last.id))?.state).toBe('done');
    for (const { id } of untold) await post(asha, `/operator/proposals/${id}/refusal`);
  });
});

describe('the database itself', () => {
  test('lets nobody confirm alone, change what was agreed on, or resolve an exception without two', async () => {
    const { id, exception } = await proposed('254711000311');
    const { owner } = database;
    await expect(
      owner`update operator_proposals set confirmed_by = ${asha}, confirmed_at = now(), confirmation = 'Me too' where id = ${id}`,
    ).rejects.toThrow('two_operators');
    await expect(owner`update operator_proposals set beneficiary_id = ${second} where id = ${id}`).rejects.toThrow(
      'is not changed',
    );
    await expect(
      owner`update money_exceptions set resolved_at = now(), resolution = 'credit', credited_user_id = ${accomplice},
        proposal_id = ${id} where id = ${exception}`,
    ).rejects.toThrow('leaves by two operators');
    await expect(
      owner`update money_exceptions set resolved_at = now(), resolution = 'return_note' where id = ${exception}`,
    ).rejects.toThrow('leaves by two operators');
  });
});
