import type { decidePoolDispute, listPoolDisputes } from '@ushirika/contract/pools';
import type { ReplyOf } from '@ushirika/contract/route';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { DecisionChoice } from './decision-choice.tsx';
import { quoteInWords } from './guarantee-words.ts';
import { refreshPools, usePoolDisputes } from './pools.queries.ts';

type Dispute = ReplyOf<typeof listPoolDisputes>['results'][number];

/** For the supervisory committee of the sacco: demands on pools that stewards object to. */
export function PoolDisputes({ sacco }: { sacco: string | undefined }) {
  const { data: profile } = useProfile();
  const isSupervisor = profile?.roles.some((role) => role.sacco === sacco && role.office === 'supervisory_committee');
  const { data } = usePoolDisputes(isSupervisor ? sacco : undefined);
  const [asked, setAsked] = useState<Dispute | null>(null);
  if (!data || data.results.length === 0) return null;
  return (
    <Card className="border-clay px-5 py-4.5">
      <h2 className="mb-1 text-lead">{say('Demands that a pool disputes')}</h2>
      <ul className="num">
        {data.results.map((dispute) => (
          <li
            key={dispute.contract.id}
            className="rule flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5"
          >
            <span className="min-w-0 grow basis-60">
              <span className="block font-semibold">
                {dispute.contract.pool.name} · {quoteInWords(dispute.contract)}
              </span>
              <span className="block text-small text-ink-2">
                <LongDate iso={dispute.disputed_at} time />
              </span>
            </span>
            <Button look="soft" className="max-sm:w-full" onClick={() => setAsked(dispute)}>
              {say('Look and decide')}
            </Button>
          </li>
        ))}
      </ul>
      {asked && <DisputeDialog dispute={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}

function DisputeDialog({ dispute, onClose }: { dispute: Dispute; onClose: () => void }) {
  const { contract } = dispute;
  const submit = async ({ decision, reason }: Record<'decision' | 'reason', string>) => {
    const body = { decision: decision === 'stands' ? ('stands' as const) : ('taken_back' as const), reason };
    const asked = { params: { id: contract.id }, body };
    const answer = await withProof(
      () => call<typeof decidePoolDispute>('POST', '/sacco/pool-disputes/{id}/decision', asked),
      say('You act in your office. Enter your password once more.'),
    );
    toast.success(answer.message);
    onClose();
    await refreshPools();
  };
  return (
    <Dialog title={say('Does the demand stand?')} onClose={onClose} wide>
      <Facts
        facts={[
          [say('Pool'), contract.pool.name],
          [say('Still guaranteed'), <Money key="left" shillings={contract.outstanding} />],
          [say('Objected by'), dispute.disputed_by],
        ]}
      />
      <p className="mt-2 rounded-box bg-sunken px-4 py-3 break-words whitespace-pre-line">{dispute.reason}</p>
      <ApiForm<'decision' | 'reason'>
        keptAs={`dispute ${contract.id}`}
        label={say('Your decision')}
        className="mt-4 grid gap-4"
        required={['decision', 'reason']}
        emptyMessage={say('Choose yes or no, and write the reason.')}
        submit={submit}
      >
        <DecisionChoice
          legend={say('Does the demand stand?')}
          ways={[
            ['stands', say('It stands'), say('The pool pays once its time is over.')],
            ['taken_back', say('It is taken back'), say('The pool pays nothing. The loan stays with the sacco.')],
          ]}
        />
        <TextArea label={say('Reason')} name="reason" required maxLength={500} />
        <SubmitButton busyLabel={say('processing...')}>{say('Decide')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
