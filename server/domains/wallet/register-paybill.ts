import { paybillUrls } from './callback-urls.ts';
import { openException } from './money-exceptions.ts';
import type { WalletDeps } from './wallet.deps.ts';

/** Tells M-Pesa where payments to the paybill are reported. Once is enough; "registered already" is as good. */
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
