import type { cancelExit, ExitStatus, requestExit } from '@ushirika/contract/membership';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { formatCount, LongDate, Money, Progress } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { useExit } from './membership.queries.ts';

const EXIT_DAYS = 60;

/** Leaving the sacco: the notice, its 60 days, and taking it back. */
export function ExitDialog({ sacco, onClose }: { sacco: { id: string; name: string }; onClose: () => void }) {
  const { data: exit, isPending, error, refetch } = useExit();
  const isOpen = exit?.state === 'requested' || exit?.state === 'shares_to_sell';
  return (
    <Dialog title={say('Leave this sacco')} onClose={onClose}>
      {error && exit === undefined ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Loading label={say('Loading...')} />
      ) : exit && isOpen ? (
        <OpenExit exit={exit} sacco={sacco} onTakenBack={onClose} />
      ) : (
        <Notice sacco={sacco} />
      )}
    </Dialog>
  );
}

function Notice({ sacco }: { sacco: { id: string; name: string } }) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const body = { sacco: sacco.id, reason: reason.trim() || undefined };
    const answer = await withProof(() => call<typeof requestExit>('POST', '/sacco/members/exit', { body }));
    toast.success(answer.message);
    await refresh(['Client', 'Sacco']);
  };
  return (
    <ApiForm<'reason'> required={[]} emptyMessage="" submit={submit}>
      <p className="font-semibold">{say('What happens when you give notice to {sacco}', { sacco: sacco.name })}</p>
      <ul className="grid list-disc gap-2 pl-5 text-ink-2">
        <li>{say('After 60 days your savings are paid back into your wallet.')}</li>
        <li>{say('Your shares stay yours until another member buys them.')}</li>
        <li>{say('Until then you cannot buy shares or save here.')}</li>
        <li>{say('An office that you hold here ends at once. It does not come back if you take the notice back.')}</li>
        <li>{say('You can take the notice back as long as nothing has been paid back.')}</li>
        <li>{say('You can give notice twice within 90 days.')}</li>
      </ul>
      <TextArea label={say('Reason (optional)')} name="reason" maxLength={500} />
      <SubmitButton look="clay" busyLabel={say('processing...')}>
        {say('Give notice')}
      </SubmitButton>
    </ApiForm>
  );
}

function OpenExit({
  exit,
  sacco,
  onTakenBack,
}: {
  exit: ExitStatus;
  sacco: { id: string };
  /** Closes the dialog: the form to give notice would come to stand here, its button under the same thumb. */
  onTakenBack: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const takeBack = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof cancelExit>('DELETE', '/sacco/members/exit', { query: { sacco: sacco.id } });
      toast.success(answer.message);
      onTakenBack();
      await refresh(['Client', 'Sacco']);
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  const refunded = exit.refunded_at !== null;
  return (
    <div className="grid gap-4">
      {!refunded && (
        <div>
          <p className="mb-2 flex items-baseline justify-between gap-4">
            <span className="text-title font-bold">
              {exit.overdue
                ? say('The 60 days are over')
                : say('{n} of 60 days left', { n: formatCount(exit.days_left) })}
            </span>
          </p>
          <Progress
            value={EXIT_DAYS - exit.days_left}
            max={EXIT_DAYS}
            label={say('Days of the notice that are over')}
          />
        </div>
      )}
      <Facts
        facts={[
          [say('Notice given'), <LongDate key="from" iso={exit.requested_at} />],
          refunded
            ? [say('Savings paid back'), <Money key="refund" shillings={exit.refund ?? 0} />]
            : [say('Savings due'), <LongDate key="due" iso={exit.due_at} />],
          ...(refunded
            ? []
            : [[say('Savings to be paid back'), <Money key="sum" shillings={exit.deposits} />] as const]),
          [say('Shares'), formatCount(exit.shares)],
        ]}
      />
      {exit.shares_note && <p className="text-small text-ink-2">{exit.shares_note}</p>}
      {exit.blocked_by.length > 0 && (
        <div className="rounded-box bg-clay-tint px-4 py-3 text-clay">
          <p className="font-semibold">{say('What still blocks the refund')}</p>
          <ul className="mt-1 list-disc pl-5">
            {exit.blocked_by.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      <Button
        look="line"
        busy={busy}
        disabledReason={refunded ? say('Your savings have been paid back: the notice stands.') : null}
        onClick={() => void takeBack()}
      >
        {busy ? say('processing...') : say('Take the notice back')}
      </Button>
    </div>
  );
}
