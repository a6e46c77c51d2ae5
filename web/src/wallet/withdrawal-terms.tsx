import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '@ushirika/contract/route';
import type { getWithdrawalTerms } from '@ushirika/contract/wallet';
import { call } from '../api/call.ts';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

export type WithdrawalTerms = ReplyOf<typeof getWithdrawalTerms>;

/** What a withdrawal costs, who bears it, and what may still go out today. */
export function useWithdrawalTerms() {
  return useQuery({
    queryKey: ['Client', 'withdrawal-terms'],
    queryFn: ({ signal }) => call<typeof getWithdrawalTerms>('GET', '/integrations/mpesa/withdrawal-terms', { signal }),
  });
}

/** What may still be withdrawn today. */
export function LeftToday({ left }: { left: WithdrawalTerms['left'] }) {
  if (left.count === 0) return <>{say('Nothing more today')}</>;
  return (
    <>
      <Money shillings={left.amount} />
      <span className="block text-small font-normal text-ink-2">
        {left.count === 1 ? say('in one withdrawal') : say('in {n} withdrawals at most', { n: left.count })}
      </span>
    </>
  );
}

/** M-Pesa's charges, band by band, where the member bears them; else that the platform does. */
export function Charges({ terms: { borne_by, tariff } }: { terms: WithdrawalTerms }) {
  if (borne_by === 'platform') {
    return (
      <p className="rounded-box bg-forest-tint px-4 py-3 text-small font-medium text-forest">
        {say('Free for you: Ushirika pays what M-Pesa charges for it.')}
      </p>
    );
  }
  return (
    <details className="rounded-box border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {say('M-Pesa’s charge, on top of the amount')}
      </summary>
      <dl className="num mb-4 grid grid-cols-[1fr_auto] gap-y-1.5 text-small">
        {tariff.map(({ up_to, charge }) => (
          <div key={up_to} className="contents">
            <dt className="text-ink-2">
              {say('Up to')} <Money shillings={up_to} />
            </dt>
            <dd className="text-right font-semibold">
              <Money shillings={charge} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
