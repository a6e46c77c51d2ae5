import { smsDelivery } from '@ushirika/contract/notifications';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { notificationsRoutes } from './notifications.routes.ts';

const SECRET = 'only the provider knows';
const PHONE = '254711082000';
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  database = await testDatabase();
  const bindings = notificationsRoutes({ database, publicUrl: 'https://ushirika.test', smsReportSecret: SECRET });
  app = await testApp({
    database,
    contract: [smsDelivery],
    bindings: bindings.filter(({ route }) => route.name === 'smsDelivery'),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** A message that the provider has taken; the id that it gave. */
async function taken(hoursAgo = 0): Promise<string> {
  const id = database.newId();
  const at = new Date(database.now().getTime() - hoursAgo * 3_600_000);
  await database.owner`
    insert into sms_messages (id, phone, template, kind, text, is_secret, state, attempts, created_at, send_before, attempted_at, settled_at,
      gateway_id)
    values (${id}, ${PHONE}, 'phone_code', 'security', null, true, 'sent', 1, ${at}, ${new Date(at.getTime() + 60_000)}, ${at}, ${at},
      ${`ATXid_${id}`})`;
  return id;
}
const stateOf = async (id: string) =>
  (
    await database.owner<{ state: string; failure_reason: string | null }[]>`
    select state, failure_reason from sms_messages where id = ${id}`
  )[0];
async function report(
  fields: { readonly [name in 'id' | 'status' | 'phoneNumber' | 'failureReason']?: string },
  secret = SECRET,
): Promise<number> {
  const path = `/integrations/sms/callback/${encodeURIComponent(secret)}/delivery`;
  const body = new URLSearchParams({ status: 'Failed', phoneNumber: `+${PHONE}`, networkCode: '63902', ...fields });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await app.call('POST', path, { body: body.toString(), headers })).status;
}

test('a report that an SMS did not arrive is believed of that message alone, as the provider’s form has it (field case M13)', async () => {
  const [lost, other] = [await taken(), await taken()];
  expect(await report({ id: `ATXid_${lost}`, failureReason: 'AbsentSubscriber' })).toBe(200);
  expect(await stateOf(lost)).toEqual({ state: 'failed', failure_reason: 'not delivered: Failed AbsentSubscriber' });
  expect((await stateOf(other))?.state).toBe('sent');
});

test('all other reports are ignored: without the secret, of another phone, of an unknown or an old message, of success, and no form at all', async () => {
  const id = await taken();
  expect(await report({ id: `ATXid_${id}` }, 'a guess')).toBe(404);
  for (const fields of [
    { id: `ATXid_${id}`, phoneNumber: '+254711082001' },
    { id: `ATXid_${id}`, status: 'Success' },
    { id: `ATXid_${id}`, status: 'Buffered' },
    { id: 'ATXid_of-nobody' },
    { id: '' },
  ])
    expect(await report(fields)).toBe(200);
  expect((await stateOf(id))?.state).toBe('sent');
  const old = await taken(49);
  await report({ id: `ATXid_${old}` });
  expect((await stateOf(old))?.state).toBe('sent');
});
