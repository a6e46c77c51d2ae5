import { describe, expect, test } from 'vitest';
import { BadSetting, readConfig } from './config.ts';

const realMpesa = {
  MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke/',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'pass',
  MPESA_CALLBACK_SECRET: 'a'.repeat(32),
};

test('with nothing set, everything has a default for a laptop', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: null,
    publicUrl: 'http://localhost:3000',
    demo: true,
    mpesa: null,
    sms: null,
    simulator: true,
    simulatorAuto: null,
    requireTotp: false,
    strictActivation: false,
    withdrawalCharges: 'platform',
    displayedMemberOffset: 178,
    rateLimits: true,
    trustProxy: false,
  });
});

test('in production nothing is pretended and everything is strict', () => {
  expect(readConfig({ NODE_ENV: 'production' })).toMatchObject({
    demo: false,
    simulator: false,
    requireTotp: true,
    strictActivation: true,
  });
});

test('with a real M-Pesa there is no simulator', () => {
  expect(readConfig(realMpesa)).toMatchObject({
    simulator: false,
    mpesa: { baseUrl: 'https://sandbox.safaricom.co.ke', shortcode: '174379' },
  });
});

test('an empty setting counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
});

test.each([
  ['0', false],
  ['2', 2],
  ['loopback, 10.0.0.0/8, ::1', 'loopback, 10.0.0.0/8, ::1'],
])('TRUST_PROXY=%s says how many proxies of ours, or which', (TRUST_PROXY, trustProxy) => {
  expect(readConfig({ TRUST_PROXY })).toMatchObject({ trustProxy });
});

describe('a bad setting stops the start and is named', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT: write a whole number from 0 to 65535'],
    [{ PORT: '70000' }, 'PORT: write a whole number from 0 to 65535'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: write an address that begins with postgres://'],
    [{ DEMO: 'yes' }, 'DEMO: write 0 or 1'],
    [{ PUBLIC_URL: 'example.org' }, 'PUBLIC_URL: write an address that begins with http:// or https://'],
    [{ MPESA_SHORTCODE: '174379' }, 'MPESA_BASE_URL: is missing; MPESA_SHORTCODE needs it'],
    [{ ...realMpesa, MPESA_CALLBACK_SECRET: '' }, 'MPESA_CALLBACK_SECRET: is missing'],
    [{ ...realMpesa, SIMULATOR: '1' }, 'SIMULATOR: cannot be 1 with a real M-Pesa'],
    [{ SMS_USERNAME: 'sandbox' }, 'SMS_API_KEY: is missing; SMS_USERNAME needs it'],
    [{ SIMULATOR_AUTO: 'maybe' }, 'SIMULATOR_AUTO: write off, approve or endings'],
    [{ NODE_ENV: 'production', DATABASE_URL: 'postgres://x/y' }, 'SECRETS_KEY: is missing'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY: write how many proxies stand in front, 0 to 9, or their addresses'],
    [{ TRUST_PROXY: '10' }, 'TRUST_PROXY: write how many'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY: write how many'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV: write production, development or test'],
  ])('%j', (env, message) => {
    expect(() => readConfig(env)).toThrow(BadSetting);
    expect(() => readConfig(env)).toThrow(message);
  });
});

test('a chain is set with all that it needs, or not at all', () => {
  const set = {
    CHAIN_RPC_URL: 'https://rpc.example/secret',
    CHAIN_PRIVATE_KEY: `0x${'ab'.repeat(32)}`,
    CHAIN_ID: '8453',
    CHAIN_CONTRACT: `0x${'12'.repeat(20)}`,
  };
  expect(readConfig(set)).toMatchObject({
    chain: { rpcUrl: 'https://rpc.example/secret', chainId: 8453, publicRpcUrl: null },
    chainEverySeconds: 3600,
  });
  expect(readConfig({})).toMatchObject({ chain: null });
  for (const name of Object.keys(set)) {
    expect(() => readConfig({ ...set, [name]: '' })).toThrow(`${name}: is missing`);
  }
  expect(() => readConfig({ ...set, CHAIN_PRIVATE_KEY: 'ab' })).toThrow('CHAIN_PRIVATE_KEY');
});
