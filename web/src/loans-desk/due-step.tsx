import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import type { AtDesk } from './desk-frame.tsx';
import { CheckForm, OrderForm } from './payout-acts.tsx';
import { ReviewForm } from './review-form.tsx';
import { SubstitutionCard } from './substitution-card.tsx';

/** What is to be done about the loan now, and by whom: the form, or in words whose turn it is. */
export function DueStep({ loan, at }: { loan: DeskLoanDetail; at: AtDesk }) {
  const standIns = loan.guarantees.filter(({ replaces, state }) => replaces !== null && state === 'accepted');
  return (
    <>
      <Step loan={loan} />
      {standIns.map((standIn) => (
        <SubstitutionCard key={standIn.id} loan={loan} standIn={standIn} offices={at.offices} />
      ))}
    </>
  );
}

function Step({ loan }: { loan: DeskLoanDetail }) {
  switch (loan.state) {
    case 'submitted':
      return <ReviewForm loan={loan} />;
    case 'accepted':
      return <OrderForm loan={loan} />;
    case 'disbursing':
      return <CheckForm loan={loan} />;
    case 'guarantors_pending':
      return <Turn>{say('It is the borrower’s turn: not all guarantees are signed yet.')}</Turn>;
    case 'returned':
      return <Turn>{say('It is the borrower’s turn: the committee has asked for a change.')}</Turn>;
    case 'approved':
      return <Turn>{say('It is the borrower’s turn: the key facts have to be accepted before the payout.')}</Turn>;
    default:
      return null;
  }
}

function Turn({ children }: { children: ReactNode }) {
  return (
    <Card className="flex gap-3.5 p-5">
      <Icon name="clock" className="mt-0.5 size-5 text-ink-2" />
      <p className="min-w-0 font-semibold">{children}</p>
    </Card>
  );
}
