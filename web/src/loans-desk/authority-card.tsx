import type { changeLendingAuthority, LendingAuthority } from '@ushirika/contract/loans';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { ChangeCard } from '../saccos/change-card.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { refreshDesk } from './loans-desk.queries.ts';

/** Up to which amount who decides about an application, and what is to change of it. */
export function AuthorityCard({
  authority,
  change,
  sacco,
  reason,
}: {
  authority: LendingAuthority;
  /** The one that waits or is to come into force. */
  change: SaccoChange | undefined;
  sacco: string;
  /** Why whoever reads cannot propose. */
  reason: string | null;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const { valid_from } = authority;
  return (
    <div className="grid min-w-0 gap-4">
      <Card className="min-w-0 p-5">
        <h2 className="text-lead">{say('Who decides how much')}</h2>
        <p className="mt-1 max-w-[70ch] text-small text-ink-2">
          {say('The amounts in force when an application is submitted hold for it. The borrower’s other loans count.')}
        </p>
        <div className="mt-1">
          <Facts facts={tiersOf(authority)} />
        </div>
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <p className="num text-small text-ink-2">
            {valid_from
              ? say('In force since {day}', { day: longDate(valid_from) })
              : say('As it is where a sacco has changed nothing')}
          </p>
          <Button look="line" disabledReason={reason} onClick={() => setIsAsked(true)}>
            {say('Propose other amounts')}
          </Button>
        </div>
      </Card>
      {change && <ChangeCard change={change} sacco={sacco} />}
      {isAsked && <AuthorityDialog authority={authority} onClose={() => setIsAsked(false)} />}
    </div>
  );
}

function tiersOf({ committee_alone, manager_alone }: LendingAuthority) {
  return [
    [say('The manager alone'), manager_alone === 0 ? say('No loan') : <UpTo key="manager" shillings={manager_alone} />],
    [say('Two of the credit committee'), <UpTo key="committee" shillings={committee_alone} />],
    [say('They, and treasurer or chair'), say('Every larger loan')],
  ] as const;
}

function UpTo({ shillings }: { shillings: number }) {
  return (
    <>
      {say('up to')} <Money shillings={shillings} />
    </>
  );
}

type Field = 'committee_alone' | 'manager_alone';

/** Other amounts: one official proposes, a second one confirms. */
function AuthorityDialog({ authority, onClose }: { authority: LendingAuthority; onClose: () => void }) {
  const submit = async (body: Record<Field, string>) => {
    const answer = await call<typeof changeLendingAuthority>('PUT', '/sacco/lending-authority', { body });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <Dialog title={say('Who decides how much')} onClose={onClose}>
      <p className="text-ink-2">
        {say(
          'A second official confirms it, members read it, and a day later it holds for applications that are submitted then.',
        )}
      </p>
      <ApiForm<Field>
        label={say('Who decides how much')}
        className="mt-4 grid gap-4"
        required={['committee_alone', 'manager_alone']}
        emptyMessage={say('Enter both amounts.')}
        submit={submit}
      >
        <MoneyField
          label={say('The credit committee decides alone up to')}
          name="committee_alone"
          required
          hint={say('50,000 to 1,000,000. Above it treasurer or chair must agree too.')}
          defaultValue={authority.committee_alone}
        />
        <MoneyField
          label={say('The manager decides alone up to')}
          name="manager_alone"
          required
          hint={say('50,000 at most; 0 for nothing. Two of the committee can decide these loans too.')}
          defaultValue={authority.manager_alone}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Propose the amounts')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
