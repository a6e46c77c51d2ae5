import { connect, createServer, type Socket } from 'node:net';
import type { Page } from '@playwright/test';
import { api, buyShares, join, registerWithMoney, type Sacco, type SignedInPerson } from './people.ts';

/** A member with 40 shares, 30 of which may be sold, and with 2,000 left of 6,500. */
export async function shareholder(sacco: Sacco, shillings = 6_500): Promise<SignedInPerson> {
  const member = await registerWithMoney(shillings);
  await join(member, sacco);
  await buyShares(member, sacco, 40);
  return member;
}

export interface Placed {
  readonly order: { readonly id: string; readonly status: string };
  readonly trades: readonly { readonly id: string }[];
}

/** Places an order without the page. */
export function place(
  member: SignedInPerson,
  sacco: Sacco,
  side: 'buy' | 'sell',
  shares: number,
  price: number,
): Promise<Placed> {
  return api('POST', '/sacco/order-book-items', {
    token: member.token,
    sacco: sacco.id,
    body: { sacco: sacco.id, side, shares, price },
  });
}

/** What somebody can pay with: without what orders hold. */
export async function availableTo(member: SignedInPerson): Promise<number> {
  const { wallet } = await api<{ wallet: { available: number } }>('GET', '/client/', member);
  return wallet.available;
}

export async function sharesOf(member: SignedInPerson, sacco: Sacco): Promise<number> {
  const { token } = member;
  const { holding } = await api<{ holding: { shares: number } }>('GET', '/sacco/shares', { token, sacco: sacco.id });
  return holding.shares;
}

/** The prices of one side of the ladder, best first, as they are on the page: `104.00 × 20`. */
export async function levels(page: Page, side: 'Ask' | 'Bid'): Promise<string[]> {
  const rows = page.getByRole('region', { name: 'Order book' }).getByRole('row');
  const texts = await rows.filter({ has: page.getByRole('button', { name: new RegExp(`^${side} `) }) }).evaluateAll(
    // The last word of the middle cell: before it stands how many are one's own.
    (found) =>
      found.map((row) => {
        const [price, shares] = [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '');
        const own = /^(\d+) yours/.exec(shares ?? '');
        return `${price?.split(' ').at(-1)} × ${own ? shares?.slice(own[0].length) : shares}`;
      }),
  );
  return side === 'Ask' ? texts.reverse() : texts;
}

/** A TCP proxy to the server, whose connections can be cut and restored, as those of a phone on the road are. */
export interface CuttableConnection {
  readonly origin: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openCuttableConnection(): Promise<CuttableConnection> {
  const server = new URL(process.env.E2E_URL ?? '');
  const sockets = new Set<Socket>();
  let isCut = false;
  const listener = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(server.port), server.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const address = listener.address();
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    cut,
    mend() {
      isCut = false;
    },
    async close() {
      cut();
      await new Promise((done) => listener.close(done));
    },
  };
}
