import { API_BASE } from '@ushirika/contract/constants';
import type { WalletDeps } from './wallet.deps.ts';

type Mpesa = WalletDeps['mpesa'];

function base({ callbackBaseUrl, callbackSecret }: Mpesa): string {
  return `${callbackBaseUrl}${API_BASE}/integrations/mpesa/callback/${callbackSecret}`;
}

/** The address contains the deposit's id, so that a callback finds it even when the answer to the push was lost. */
export const stkCallbackUrl = (mpesa: Mpesa, depositId: string) => `${base(mpesa)}/stk/${depositId}`;

export const payoutUrls = (mpesa: Mpesa, withdrawalId: string) => ({
  resultUrl: `${base(mpesa)}/b2c/${withdrawalId}/result`,
  timeoutUrl: `${base(mpesa)}/b2c/${withdrawalId}/timeout`,
});

export const statusUrls = (mpesa: Mpesa, statusQueryId: string) => ({
  resultUrl: `${base(mpesa)}/status/${statusQueryId}/result`,
  timeoutUrl: `${base(mpesa)}/status/${statusQueryId}/timeout`,
});

export const balanceUrls = (mpesa: Mpesa, comparisonId: string) => ({
  resultUrl: `${base(mpesa)}/balance/${comparisonId}/result`,
  timeoutUrl: `${base(mpesa)}/balance/${comparisonId}/timeout`,
});

/** At another path, without the words that M-Pesa refuses to register (payments.md 3.5). */
export const paybillUrls = ({ callbackBaseUrl, callbackSecret }: Mpesa) => ({
  confirmationUrl: `${callbackBaseUrl}${API_BASE}/hooks/pay/${callbackSecret}/confirmation`,
  validationUrl: `${callbackBaseUrl}${API_BASE}/hooks/pay/${callbackSecret}/validation`,
});
