import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts';

let echo: net.Server;
let proxy: TcpProxy;
let client: net.Socket;
let heard: string;

beforeEach(async () => {
  echo = net.createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as net.AddressInfo;
  proxy = await tcpProxy({ host: '127.0.0.1', port });
  client = net.connect(proxy.port, '127.0.0.1').on('error', () => {});
  heard = '';
  client.on('data', (chunk) => {
    heard += String(chunk);
  });
  await once(client, 'connect');
});
afterEach(async () => {
  client.destroy();
  await proxy.close();
  echo.close();
});

const hears = (text: string) => expect.poll(() => heard).toBe(text);
const closing = (socket: net.Socket) => new Promise((resolve) => socket.on('close', resolve));
const quietly = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('what is sent passes in both directions, and a goodbye as well', async () => {
  client.write('jambo');
  await hears('jambo');
  client.end('kwaheri');
  await once(client, 'end');
  expect(heard).toBe('jambokwaheri');
});

test('a frozen line holds everything back and loses nothing', async () => {
  proxy.set({ kind: 'freeze' });
  client.write('later');
  await quietly(150);
  expect(heard).toBe('');
  proxy.set({ kind: 'flow' });
  await hears('later');
  expect(proxy.seen.held).toBe(5);
});

test('a deaf line carries the request and keeps the answer', async () => {
  proxy.set({ kind: 'deaf' });
  client.write('done?');
  await expect.poll(() => proxy.seen.toServer).toBe(5);
  await quietly(50);
  expect(heard).toBe('');
  proxy.set({ kind: 'flow' });
  await hears('done?');
  expect(proxy.seen.held).toBe(5);
});

test('a line may be late, or drip', async () => {
  proxy.set({ kind: 'latency', ms: 60 });
  const began = performance.now();
  client.write('late');
  await hears('late');
  expect(performance.now() - began).toBeGreaterThan(100);
  expect(proxy.seen.held).toBe(8);
  proxy.set({ kind: 'drip', bytes: 2, everyMs: 20 });
  heard = '';
  client.write('abcdef');
  await quietly(50);
  expect(heard.length).toBeLessThan(6);
  await hears('abcdef');
  expect(proxy.seen.held).toBe(20);
});

test('what never came about is not counted', async () => {
  proxy.resetAfter(3);
  proxy.set({ kind: 'freeze' });
  await quietly(50);
  proxy.set({ kind: 'flow' });
  proxy.resetAfter(null);
  client.write('abcdef');
  await hears('abcdef');
  expect(proxy.seen).toMatchObject({ resets: 0, held: 0, broken: 0 });
});

test('a line can be cut, refused, and reset in the middle of an answer', async () => {
  proxy.resetAfter(3);
  client.write('abcdef');
  await closing(client);
  expect(proxy.seen.resets).toBe(1);
  const second = net.connect(proxy.port, '127.0.0.1').on('error', () => {});
  await once(second, 'connect');
  expect(proxy.seen.broken).toBe(0);
  proxy.cut();
  await closing(second);
  expect(proxy.seen.broken).toBe(1);
  proxy.cut();
  expect(proxy.seen.broken).toBe(1);
  proxy.refuse(true);
  const third = net.connect(proxy.port, '127.0.0.1').on('error', () => {});
  await closing(third);
  expect(proxy.seen.connections).toBe(2);
});
