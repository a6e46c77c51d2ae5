import { centsOf } from '@ushirika/contract/format';
import type { askGuarantor, Guarantee, LoanDetail, replaceGuarantor } from '@ushirika/contract/loans';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { coverCents, typedCents } from './loan.rules.ts';
import { refreshLoans } from './loans.queries.ts';
import { type Found, MemberSearch, mayNotGuarantee } from './member-search.tsx';
import { useAct } from './use-act.ts';

const HELD: ReadonlySet<Guarantee['state']> = new Set(['asked', 'accepted', 'live']);

/** Members who are asked already, or have signed. */
function takenIn({ guarantees }: LoanDetail): string[] {
  return guarantees.flatMap(({ member, state }) => (member && HELD.has(state) ? [member] : []));
}

/** Asks one more member. The amount is what is still missing, unless it is changed. */
export function AskDialog({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  const [member, setMember] = useState<Found | null>(null);
  const askedFor = loan.guarantees.reduce((sum, { kind, state, amount }) => {
    return kind === 'member' && state === 'asked' ? sum + centsOf(amount) : sum;
  }, 0);
  const missing = Math.max(0, coverCents(loan.cover).missing - askedFor);
  return (
    <Dialog title={say('Ask a guarantor')} onClose={onClose}>
      {member ? (
        <AmountForm
          loan={loan}
          member={member}
          amount={missing > 0 ? typedCents(missing) : ''}
          act={say('Ask {name}', { name: member.name })}
          onDone={onClose}
          onBack={() => setMember(null)}
        />
      ) : (
        <>
          <p className="mb-4 text-ink-2">
            {say('They read the whole request, and sign with a code from an SMS or say no. Talk to them first.')}
          </p>
          <MemberSearch taken={takenIn(loan)} act={say('Choose')} whyNot={mayNotGuarantee} onChoose={setMember} />
        </>
      )}
    </Dialog>
  );
}

/** Asks the same member for another amount. */
export function ChangeAmountDialog({
  loan,
  guarantee,
  onClose,
}: {
  loan: LoanDetail;
  guarantee: Guarantee;
  onClose: () => void;
}) {
  const member = { id: guarantee.member ?? '', name: guarantee.name };
  return (
    <Dialog title={say('Change the amount')} onClose={onClose}>
      <AmountForm
        loan={loan}
        member={member}
        amount={typedCents(centsOf(guarantee.amount))}
        act={say('Ask for this amount')}
        onDone={onClose}
      />
    </Dialog>
  );
}

function AmountForm({
  loan,
  member,
  amount,
  act,
  onDone,
  onBack,
}: {
  loan: LoanDetail;
  member: Found;
  amount: string;
  act: string;
  onDone: () => void;
  onBack?: () => void;
}) {
  const submit = async (typed: Record<'amount', string>) => {
    const answer = await call<typeof askGuarantor>('POST', '/loans/{id}/guarantors', {
      params: { id: loan.id },
      body: { member: member.id, amount: typed.amount },
    });
    toast.success(answer.message);
    onDone();
    await refreshLoans();
  };
  return (
    <ApiForm<'amount'> required={['amount']} emptyMessage={say('Enter an amount.')} submit={submit}>
      <MoneyField
        label={say('How much {name} is to guarantee', { name: member.name })}
        name="amount"
        defaultValue={amount}
        hint={say('It is the most that they can lose. So much of their savings is held once they sign.')}
      />
      <SubmitButton busyLabel={say('processing...')}>{act}</SubmitButton>
      {onBack && (
        <Button look="quiet" onClick={onBack}>
          {say('Somebody else')}
        </Button>
      )}
    </ApiForm>
  );
}

/** Names another member in a guarantor's place. */
export function ReplaceDialog({
  loan,
  guarantee,
  onClose,
}: {
  loan: LoanDetail;
  guarantee: Guarantee;
  onClose: () => void;
}) {
  const { busy, act } = useAct();
  const replace = async (member: Found) => {
    const isDone = await act(() =>
      call<typeof replaceGuarantor>('POST', '/loans/guarantees/{id}/substitution', {
        params: { id: guarantee.id },
        body: { member: member.id },
      }),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog title={say('Somebody else for {name}', { name: guarantee.name })} onClose={onClose}>
      <p className="mb-4 text-ink-2">
        {say('Once that member has signed and the committee has confirmed, they change places in one moment.')}
      </p>
      {busy ? (
        <p role="status">{say('processing...')}</p>
      ) : (
        <MemberSearch
          taken={takenIn(loan)}
          act={say('Ask to guarantee')}
          whyNot={mayNotGuarantee}
          onChoose={(member) => void replace(member)}
        />
      )}
    </Dialog>
  );
}
