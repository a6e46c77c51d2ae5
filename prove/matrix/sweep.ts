import net from 'node:net';
import { API_BASE } from '@ushirika/contract/constants';
import type { Product } from '../support/product.ts';
import type { Examination } from './examine.ts';
import { hasHead } from './inventory.ts';
import { type Cell, cellsOf, prepare } from './requests.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'] as const;

/**
 * Every address of the contract with every method that it does not declare: not there, for somebody who is signed in too.
 * HEAD goes with GET: it is let in and refused as GET is, and brings no body.
 */
export async function sweepMethods(examination: Examination): Promise<number> {
  const { product, subjects, state, findings } = examination;
  const declared = new Set(
    subjects.flatMap(({ route }) => [
      `${route.method} ${route.path}`,
      ...(hasHead(route) ? [`HEAD ${route.path}`] : []),
    ]),
  );
  let sent = 0;
  for (const path of new Set(subjects.map(({ route }) => route.path))) {
    const subject = subjects.find(({ route }) => route.path === path) as Examination['subjects'][number];
    const cell = cellsOf(subject, examination, false).find(({ identity }) => identity.name === 'owner') as Cell;
    const prepared = prepare(cell, examination);
    for (const method of METHODS) {
      if (declared.has(`${method} ${path}`)) continue;
      const body = method === 'QUERY' ? { body: {} } : {};
      const answer = await product.call(method, prepared.path, { headers: prepared.headers, ...body });
      sent += 1;
      if (answer.status !== 404 && answer.status !== 405) {
        findings.violations.push(
          `${method} ${path}: nobody declared it, and it answers ${answer.status} ${answer.text.slice(0, 200)}`,
        );
      }
    }
  }
  for (const name of await state.changes()) findings.violations.push(`Undeclared methods changed ${name}`);
  return sent;
}

/** HEAD without a session is refused, and with one brings the head of GET without its body. */
export async function sweepHeads(examination: Examination): Promise<number> {
  const { product, subjects, findings } = examination;
  let sent = 0;
  for (const subject of subjects.filter(({ route }) => hasHead(route))) {
    const cells = cellsOf(subject, examination, false).filter(({ identity }) =>
      ['nobody', 'owner'].includes(identity.name),
    );
    for (const cell of cells) {
      const { path, headers } = prepare(cell, examination);
      const [head, get] = [await product.call('HEAD', path, { headers }), await product.call('GET', path, { headers })];
      sent += 1;
      if (head.status !== get.status || head.text !== '') {
        findings.violations.push(
          `HEAD ${path} as ${cell.identity.name}: ${head.status} ${head.text}, GET gives ${get.status}`,
        );
      }
    }
  }
  await examination.state.restore();
  return sent;
}

/** TRACE would tell a page the token that its browser sends; asked over a real socket. */
export async function traceFaults(product: Product): Promise<string[]> {
  const answer = await new Promise<string>((resolve) => {
    const socket = net.connect(product.port, '127.0.0.1', () => {
      socket.end(
        `TRACE ${API_BASE}/client/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token secret-token\r\nConnection: close\r\n\r\n`,
      );
    });
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
  const isRefused = /^HTTP\/1\.1 (404|405|501) /.test(answer) && !answer.includes('secret-token');
  return isRefused ? [] : [`TRACE is answered: ${answer.slice(0, 300)}`];
}
