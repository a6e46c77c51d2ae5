import { paybillUrls } from './callback-urls.ts';
import { openException } from './money-exceptions.ts';
import type { WalletDeps } from './wallet.deps.ts';

/** Registers our addresses for payments to the paybill with M-Pesa. "Registered already" counts as success. */
export async function registerPaybill(deps: WalletDeps): Promise<void> {
  const outcome = await deps.daraja.c2bRegister(paybillUrls(deps.mpesa));
  if (outcome.outcome !== 'rejected' || /already registered/i.test(outcome.message) || outcome.kind === 'busy') return;
  await deps.database.transaction((tx) =>
    openException(tx, {
      kind: 'mpesa_configuration',
      detail: { call: 'c2b_register', code: outcome.code, message: outcome.message },
    }),
  );
}
