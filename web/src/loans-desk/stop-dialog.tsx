import type { changeLoanProduct, LoanProduct } from '@ushirika/contract/loans';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { refreshDesk } from './loans-desk.queries.ts';

/** One official asks to stop offering a loan; another one confirms, and it holds at once. */
export function StopDialog({ product, onClose }: { product: LoanProduct; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  // The yearly rate is the exact one, so the monthly rate is left out.
  const { id, monthly_rate, true_monthly_rate, valid_from, ...terms } = product;
  const body = { ...terms, product: id, is_offered: false };
  const propose = async () => {
    setBusy(true);
    try {
      toast.success((await call<typeof changeLoanProduct>('PUT', '/sacco/loan-products', { body })).message);
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refreshDesk();
  };
  return (
    <Dialog title={say('Stop offering {name}?', { name: product.name })} onClose={onClose}>
      <ul className="grid list-disc gap-1.5 pl-4.5">
        <li>{say('Another official must confirm it. Then nobody can apply for it.')}</li>
        <li>{say('Loans that are applied for or paid out go on.')}</li>
        <li>{say('It is offered again after 14 days, unless members decide otherwise by a vote.')}</li>
      </ul>
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button look="clay" busy={busy} onClick={() => void propose()}>
          {busy ? say('processing...') : say('Propose it')}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}
