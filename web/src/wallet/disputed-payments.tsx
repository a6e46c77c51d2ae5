import { useQuery } from '@tanstack/react-query';
import type { DisputedPayment, listDisputedPayments, objectSignedIn } from '@ushirika/contract/proposals';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** Payments from one's own phone that somebody else is about to be given; nothing where there is none. */
export function DisputedPayments() {
  const { data } = useQuery({
    queryKey: ['Client', 'objections'],
    queryFn: ({ signal }) => call<typeof listDisputedPayments>('GET', '/client/objections', { signal }),
  });
  return data?.results.map((payment) => <Disputed key={payment.id} payment={payment} />) ?? null;
}

function Disputed({ payment }: { payment: DisputedPayment }) {
  const [isBusy, setBusy] = useState(false);
  const object = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof objectSignedIn>('POST', '/client/objections/{id}', {
        params: { id: payment.id },
      });
      toast.success(answer.message);
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(false);
      await refresh(['Client']);
    }
  };
  return (
    <section className="mt-5 flex flex-wrap items-center justify-between gap-4 rounded-card bg-clay-tint px-5 py-4 text-clay">
      <div className="max-w-[62ch]">
        <h2 className="text-lead font-semibold">
          <Money shillings={payment.amount} /> {say('from your phone goes to another member')}
        </h2>
        <p className="mt-1">
          {say('M-Pesa {receipt}. If that is not right, object before', { receipt: payment.receipt })}{' '}
          <LongDate iso={payment.due_at} time />.
        </p>
      </div>
      <Button look="clay" disabledReason={isBusy ? say('processing...') : null} onClick={() => void object()}>
        {say('I object')}
      </Button>
    </section>
  );
}
