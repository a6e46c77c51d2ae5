import { contract } from '@ushirika/contract/contract';
import { concrete, type Ground } from './campaign.ts';
import { faultOf } from './oracles.ts';
import { CUT, HUNG, send, UNSENT } from './send.ts';

/** A request whose answer was wrong once, as the fuzzer printed it. */
export interface Regression {
  /** What was wrong, and with which seed it came. */
  readonly was: string;
  /** With names for people and saccos, as `again.program.ts` takes it. */
  readonly line: string;
}

/** A registration of a sacco, good but for its name. */
function saccoForm(name: string): string {
  const terms = { description: 'A sacco.', reg_no: 'CS/9', reg_fee: '1', min_shares: '1', share_value: '1' };
  const parts = Object.entries({ name, ...terms, created_by: '{{official.id}}' }).map(
    ([field, value]) => `--edge\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--edge--\r\n`;
}

export const regressions: readonly Regression[] = [
  {
    was: 'an address that cannot be read was refused without a Content-Security-Policy, seed 7/1549398786',
    line: JSON.stringify({
      route: 'readSaccoLogo',
      as: 'member',
      method: 'GET',
      url: '/api/v1/sacco/{{sacco0}}/logo%zz%e0%80%af',
      headers: {},
    }),
  },
  {
    was: 'a parameter past its length was refused without one, seed 7/1383744180',
    line: JSON.stringify({
      route: 'poolDetailsOf',
      as: 'member',
      method: 'GET',
      url: `/api/v1/guarantors/pools/${'x'.repeat(301)}/details`,
      headers: {},
    }),
  },
  {
    was: 'a name of two letters, one of them outside the basic plane, broke a constraint: 500, seed 7/613939051',
    line: JSON.stringify({
      route: 'createSacco',
      as: 'official',
      method: 'POST',
      url: '/api/v1/sacco/create',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      body: saccoForm('!\u{10000}'),
    }),
  },
  {
    was: 'a name of two letters once its accent was put on its letter broke it too, seed 11/248845882',
    line: JSON.stringify({
      route: 'createSacco',
      as: 'official',
      method: 'POST',
      url: '/api/v1/sacco/create',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      body: saccoForm('!A\u0300'),
    }),
  },
  {
    was: 'a number of sixteen digits broke a constraint of users: 500, seed 7, case 182287 of the phone numbers',
    line: JSON.stringify({
      route: 'register',
      as: 'nobody',
      method: 'POST',
      url: '/api/v1/auth/register/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        phone_number: '+6287123102518517',
        id_number: 'Q16161616',
        first_name: 'Budi',
        last_name: 'Santoso',
        email: 'budi@mail.example',
        password: 'Mchwa-kijani#77',
        user_type: 'client',
      }),
    }),
  },
  {
    was: 'the head of a stream was asked for and never came, seed 4242/2013179669',
    line: JSON.stringify({
      route: 'clientLive',
      as: 'member',
      method: 'HEAD',
      url: '/api/v1/client/live',
      headers: {},
    }),
  },
  {
    was: 'a payment of the year 1 made PostgreSQL complain (22008), seed 7, case 65 of the callbacks',
    line: JSON.stringify({
      route: 'c2bConfirmation',
      as: 'nobody',
      method: 'POST',
      url: '/api/v1/integrations/mpesa/callback/{{secret}}/c2b/confirmation',
      headers: { 'content-type': 'application/json' },
      body: '{"TransID":"RKTQDM7W6S","TransTime":"00010101000000","TransAmount":"2","BusinessShortCode":"600638"}',
    }),
  },
  {
    was: 'a day of the year 0 made PostgreSQL complain (22008), seed 20261125/974062333',
    line: JSON.stringify({
      route: 'readLoanDay',
      as: 'official',
      method: 'GET',
      url: '/api/v1/sacco/loan-days/0000-12-31',
      headers: { saccoid: '{{sacco0}}' },
    }),
  },
];

/** Sends every old finding once more; what is wrong again is told. */
export async function replayAll(ground: Ground, limitMs: number): Promise<string[]> {
  const found: string[] = [];
  for (const { was, line } of regressions) {
    const fault = await replay(ground, line, limitMs);
    if (fault !== null)
      found.push(`${fault}, as once before (${was}); again: node prove/fuzz/again.program.ts '${line}'`);
  }
  return found;
}

/** Sends one printed request and judges its answer. */
export async function replay(ground: Ground, line: string, limitMs: number): Promise<string | null> {
  const wire = concrete(ground.crowd, line);
  const route = contract.find(({ name }) => name === wire.route);
  if (!route) return `${wire.route} is no route any more, so that this tries nothing`;
  const reply = await send({ crowd: ground.crowd, limitMs }, wire, route.replyType === 'sse' ? 'stream' : 'inside');
  const [sqlFault] = ground.tap.heard();
  if (sqlFault) return `${route.name} makes PostgreSQL complain: ${sqlFault}`;
  if (reply === HUNG) return `${route.name} did not answer within ${limitMs} ms`;
  if (reply === CUT) return `${route.name} cut the line without an answer`;
  if (reply === UNSENT) return `${route.name} was not even sent, so that this tries nothing`;
  const fault = faultOf({ route, wire, isExact: false }, reply);
  return fault === null ? null : `${route.name} ${fault}`;
}
