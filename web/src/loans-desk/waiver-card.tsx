import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { ChangeCard } from '../saccos/change-card.tsx';
import { openAll, refreshChanges, useSaccoChanges } from '../saccos/changes.queries.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, TextArea } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import type { AtDesk } from './desk-frame.tsx';
import { sendWaiver } from './loans-desk.queries.ts';

/** As the contract has it for `proposeWaiver`. */
const PROPOSERS: readonly Office[] = ['chair', 'secretary', 'treasurer'];
const OPEN: ReadonlySet<DeskLoanDetail['state']> = new Set(['active', 'in_arrears', 'defaulted', 'recovering']);

/** The waiver of penalty or interest that waits for this loan, or the way to propose one. */
export function WaiverCard({ loan, at: { sacco, offices } }: { loan: DeskLoanDetail; at: AtDesk }) {
  const { data: changes } = useSaccoChanges(sacco.id);
  const [isAsked, setAsked] = useState(false);
  const waiting = openAll(changes?.results, 'loan_waiver').find(({ after }) => after.loan === loan.id);
  if (waiting) return <ChangeCard change={waiting} sacco={sacco.id} />;
  const mayPropose = offices.some((office) => PROPOSERS.includes(office));
  if (!mayPropose || !OPEN.has(loan.state) || loan.penalty_owed + loan.interest_owed === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Waive penalty or interest')}</h2>
      <p className="mt-1 max-w-[70ch] text-small text-ink-2">
        {say('One official proposes it, and another confirms it. The borrower is told the reason.')}
      </p>
      <div className="mt-4">
        <Button look="line" onClick={() => setAsked(true)}>
          {say('Propose a waiver')}
        </Button>
      </div>
      {isAsked && <WaiverDialog loan={loan} onClose={() => setAsked(false)} />}
    </Card>
  );
}

/** The waivers that wait in the sacco, one for each loan. */
export function WaitingWaivers({ sacco }: { sacco: string }) {
  const { data: changes } = useSaccoChanges(sacco);
  return openAll(changes?.results, 'loan_waiver').map((waiting) => (
    <ChangeCard key={waiting.id} change={waiting} sacco={sacco} />
  ));
}

function WaiverDialog({ loan, onClose }: { loan: DeskLoanDetail; onClose: () => void }) {
  const submit = async ({ penalty, interest, reason }: Record<'penalty' | 'interest' | 'reason', string>) => {
    const { message } = await sendWaiver(loan.id, { penalty: penalty || '0', interest: interest || '0', reason });
    toast.success(message);
    onClose();
    await refreshChanges();
  };
  return (
    <Dialog title={say('Waive penalty or interest')} onClose={onClose}>
      <ApiForm<'penalty' | 'interest' | 'reason'>
        keptAs={`waiver ${loan.id}`}
        label={say('Waive penalty or interest')}
        className="grid gap-4"
        required={['reason']}
        emptyMessage={say('Say why.')}
        submit={submit}
      >
        <MoneyField label={say('Penalty to waive')} name="penalty" hint={<Owed shillings={loan.penalty_owed} />} />
        <MoneyField
          label={say('Interest to waive')}
          name="interest"
          hint={
            <>
              <Owed shillings={loan.interest_owed} /> {say('Only interest that is due can be waived.')}
            </>
          }
        />
        <TextArea
          label={say('Reason')}
          name="reason"
          required
          maxLength={300}
          hint={say('Kept with your name. The borrower reads it.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Propose it')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function Owed({ shillings }: { shillings: number }) {
  return (
    <>
      {say('Owed today:')} <Money shillings={shillings} />.
    </>
  );
}
