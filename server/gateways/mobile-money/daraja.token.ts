import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../ask.ts';
import { field } from './daraja.answers.ts';
import type { DarajaConfig, DarajaDependencies, RejectionKind, StoredToken } from './daraja.types.ts';

export type TokenAnswer =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly kind: RejectionKind; readonly message: string };

export interface TokenSource {
  /** The shared token; `rejected` is one that M-Pesa has just refused, to be replaced. */
  get(rejected?: string): Promise<TokenAnswer>;
}

const ATTEMPTS = 3;

/** OAuth with one token for all processes, renewed 60 to 300 s before its end (payments.md 1). */
export function tokenSource(config: DarajaConfig, dependencies: DarajaDependencies): TokenSource {
  const { world, tokenStore } = dependencies;
  // Each process has a margin of its own, so that they do not all come at once.
  const marginMs = (60 + ((world.randomBytes(1)[0] ?? 0) % 241)) * 1000;
  // By the app's key alone: processes may reach the same M-Pesa by different addresses.
  const key = createHash('sha256').update(config.consumerKey).digest('hex');
  const isFresh = (token: StoredToken) => token.expiresAt.getTime() - marginMs > world.now().getTime();
  return {
    async get(rejected) {
      const current = await tokenStore.read(key);
      if (current && current.token !== rejected && isFresh(current)) return { ok: true, token: current.token };
      let failure: TokenAnswer = { ok: false, kind: 'busy', message: 'M-Pesa gave no access token' };
      const refreshed = await tokenStore.refresh(key, current?.token ?? null, async () => {
        const answer = await fetchToken(config, dependencies);
        if ('token' in answer) return answer;
        failure = answer;
        return null;
      });
      if (refreshed) return { ok: true, token: refreshed.token };
      const isStillAlive = current && current.token !== rejected && current.expiresAt > world.now();
      return isStillAlive ? { ok: true, token: current.token } : failure;
    },
  };
}

async function fetchToken(
  config: DarajaConfig,
  { world, fetch = globalThis.fetch }: DarajaDependencies,
): Promise<StoredToken | Extract<TokenAnswer, { ok: false }>> {
  const basic = Buffer.from(`${config.consumerKey}:${config.consumerSecret}`).toString('base64');
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask({
      fetch,
      method: 'GET',
      url: `${config.baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
      headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
      timeoutMs: Math.min(config.timeoutMs ?? 10_000, 10_000),
      bytesMax: 16_384,
    });
    if (answer.kind === 'json' && answer.status === 200) {
      const token = field(answer.body, 'access_token');
      // `expires_in` really is the text "3599", whatever the portal shows.
      const seconds = Number(field(answer.body, 'expires_in'));
      if (token && seconds > 0) return { token, expiresAt: new Date(world.now().getTime() + seconds * 1000) };
    }
    // A wrong key or secret comes as 400 with nothing in it; asking again will not help.
    if (answer.kind !== 'none' && answer.status >= 400 && answer.status < 500) {
      return { ok: false, kind: 'credentials', message: `M-Pesa refused our key (HTTP ${answer.status})` };
    }
    if (attempt === ATTEMPTS) return { ok: false, kind: 'busy', message: 'M-Pesa gave no access token' };
    await pause(200 * 2 ** attempt + (world.randomBytes(1)[0] ?? 0));
  }
}
