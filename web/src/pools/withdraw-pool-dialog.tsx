import { formatShillings } from '@ushirika/contract/format';
import type { PoolDetails, PoolWithdrawal, withdrawFromPool } from '@ushirika/contract/pools';
import { nairobiDay } from '@ushirika/contract/time';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { now } from '../clock.ts';
import { ReceiptPaper } from '../receipts/receipt-paper.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { dayOf } from './pool-dates.ts';
import { refreshPools } from './pools.queries.ts';

const DAY_MS = 86_400_000;

/** Withdraw: notice for a part of what is free, or all of it, and when the money comes. */
export function WithdrawPoolDialog({ pool, onClose }: { pool: PoolDetails; onClose: () => void }) {
  const { keyFor, settle } = useIdempotencyKey();
  const [given, setGiven] = useState<PoolWithdrawal | null>(null);
  const [typed, setTyped] = useState('');
  const free = pool.me?.free ?? 0;
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { pool: pool.id, amount };
    const input = { body, idempotencyKey: keyFor(body) };
    const answer = await call<typeof withdrawFromPool>('POST', '/guarantors/pools/withdraw', input);
    toast.success(answer.message);
    settle();
    setGiven(answer.withdrawal);
    await refreshPools();
  };
  return (
    <Dialog title={say('Withdraw from the pool')} onClose={onClose}>
      {given ? (
        <>
          <NoticeReceipt withdrawal={given} />
          <Button className="mt-4 w-full" onClick={onClose}>
            {say('Done')}
          </Button>
        </>
      ) : (
        <>
          <Facts
            facts={[
              [say('My position'), <Money key="mine" shillings={pool.me?.position ?? 0} />],
              [say('Locked for guarantees'), <Money key="locked" shillings={pool.me?.locked ?? 0} />],
              [say('Under notice'), <Money key="notice" shillings={pool.me?.notice ?? 0} />],
              [
                <b key="free">{say('You can withdraw now')}</b>,
                <Money key="sum" shillings={free} className="text-lead" />,
              ],
            ]}
          />
          <ApiForm<'amount'>
            className="mt-4 grid gap-4"
            required={['amount']}
            emptyMessage={say('All Fields are required')}
            submit={submit}
            settle={settle}
          >
            <MoneyField
              label={say('Amount')}
              name="amount"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              hint={say('Leave at least {amount} in the pool, or take all that is free.', {
                amount: formatShillings(pool.me?.least ?? pool.min_contribution),
              })}
            />
            <Button
              look="soft"
              className="w-full"
              disabledReason={free > 0 ? null : say('All of it backs guarantees, or is under notice.')}
              onClick={() => setTyped(free.toFixed(2))}
            >
              {say('The most now: {amount}', { amount: formatShillings(free) })}
            </Button>
            <p className="rounded-box bg-ochre-tint px-4 py-3 text-small text-ochre-ink">
              {say(
                'It is paid into your wallet no earlier than {date}. It earns nothing until then, and no new guarantee locks it.',
                {
                  date: longDate(new Date(now() + pool.settings.notice_days * DAY_MS).toISOString()),
                },
              )}{' '}
              {say(
                'Notices are paid in the order they were given. They wait while the guarantees need the money. You can take yours back.',
              )}
            </p>
            <SubmitButton busyLabel={say('processing...')}>{say('Give notice')}</SubmitButton>
          </ApiForm>
        </>
      )}
    </Dialog>
  );
}

/** What giving notice ends in: no money has moved yet. */
function NoticeReceipt({ withdrawal }: { withdrawal: PoolWithdrawal }) {
  const what = say('Notice of withdrawal: {amount} from {pool}', {
    amount: formatShillings(withdrawal.amount),
    pool: withdrawal.pool.name,
  });
  const estimated = withdrawal.estimated_on ?? nairobiDay(new Date(withdrawal.due_at));
  return (
    <ReceiptPaper
      mark={say('Notice given')}
      what={what}
      shillings={null}
      at={withdrawal.given_at}
      facts={[
        [say('Not before'), <LongDate key="due" iso={withdrawal.due_at} />],
        [say('Likely paid'), <LongDate key="likely" iso={dayOf(estimated)} />],
        [say('Notice'), <code key="id">{withdrawal.id.slice(-12)}</code>],
      ]}
      text={['Ushirika', what, `${say('Likely paid')}: ${longDate(dayOf(estimated))}`].join('\n')}
      fileName={`notice-${withdrawal.id}`}
    />
  );
}
