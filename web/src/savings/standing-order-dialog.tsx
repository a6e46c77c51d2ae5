import type { cancelStandingOrder, createStandingOrder, StandingOrder } from '@ushirika/contract/savings';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, SelectField } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { useStandingOrder } from './savings.queries.ts';

const DAYS = Array.from({ length: 28 }, (_, index) => index + 1);

/** Standing order: an amount saved by itself on one day of every month, or ended. */
export function StandingOrderDialog({ sacco, onClose }: { sacco: { id: string; name: string }; onClose: () => void }) {
  const { data: order, isPending, error, refetch } = useStandingOrder();
  return (
    <Dialog title={say('Standing order')} onClose={onClose}>
      {error && order === undefined ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Loading label={say('Loading...')} />
      ) : order ? (
        <Existing order={order} onClose={onClose} />
      ) : (
        <NewOrder sacco={sacco} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NewOrder({ sacco, onClose }: { sacco: { id: string; name: string }; onClose: () => void }) {
  const submit = async ({ amount, day }: Record<'amount' | 'day', string>) => {
    const body = { sacco: sacco.id, amount, day };
    const answer = await withProof(() =>
      call<typeof createStandingOrder>('POST', '/sacco/savings/standing-order', { body }),
    );
    toast.success(answer.message);
    onClose();
    await refresh(['Client']);
  };
  return (
    <ApiForm<'amount' | 'day'>
      required={['amount', 'day']}
      emptyMessage={say('All Fields are required')}
      submit={submit}
    >
      <p className="text-ink-2">
        {say('Every month this amount goes from your wallet into your savings in {sacco}.', { sacco: sacco.name })}{' '}
        {say('Savings in a sacco stay until you leave it: they are paid back 60 days after your notice.')}
      </p>
      <MoneyField label={say('Amount')} name="amount" />
      <SelectField
        label={say('Day of the month')}
        name="day"
        defaultValue="5"
        hint={say('If your wallet is short, we try three times, then wait for the next month.')}
      >
        {DAYS.map((day) => (
          <option key={day} value={day}>
            {day}
          </option>
        ))}
      </SelectField>
      <SubmitButton busyLabel={say('processing...')}>{say('Create standing order')}</SubmitButton>
    </ApiForm>
  );
}

function Existing({ order, onClose }: { order: StandingOrder; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [isSure, setSure] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof cancelStandingOrder>('DELETE', '/sacco/savings/standing-order');
      toast.success(answer.message);
      onClose();
      await refresh(['Client']);
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
  };
  const runs = { waiting: say('Waiting'), paid: say('Saved'), skipped: say('Left out: not enough in the wallet') };
  return (
    <div className="grid gap-4">
      <Facts
        facts={[
          [say('Every month'), <Money key="amount" shillings={order.amount} />],
          [say('Day of the month'), order.day],
          [say('Next time'), <LongDate key="next" iso={`${order.next_on}T12:00:00+03:00`} />],
          ...(order.last_run ? [[say('Last month'), runs[order.last_run.state]] as const] : []),
        ]}
      />
      {isSure ? (
        <div className="grid gap-2 sm:grid-cols-2">
          <Button look="line" onClick={() => setSure(false)}>
            {say('Keep it')}
          </Button>
          <Button look="clay" busy={busy} onClick={() => void end()}>
            {busy ? say('processing...') : say('Yes, end it')}
          </Button>
        </div>
      ) : (
        <Button look="line" onClick={() => setSure(true)}>
          {say('End the standing order')}
        </Button>
      )}
    </div>
  );
}
