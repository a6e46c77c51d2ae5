import type { declineCheckOff, MyCheckOff } from '@ushirika/contract/check-offs';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts, FailureState, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { CheckOffLines } from './check-off-lines.tsx';
import { checkOffPaths } from './check-off-paths.ts';
import { checkOffStateWords, checkOffTones } from './check-off-words.ts';
import { useMyCheckOff, useMyCheckOffLines } from './check-offs.queries.ts';
import { refreshLoans } from './loans.queries.ts';
import { PayCheckOffCard, PayCheckOffDialog } from './pay-check-off.tsx';

/** /client/check-offs/:id and /profile/check-offs/:id: one that one pays, for whom, and the payment. */
export function CheckOffPage() {
  const { id = '' } = useParams();
  const isInClient = useLocation().pathname.startsWith(paths.client());
  const { data: checkOff, error, isPending, refetch } = useMyCheckOff(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <>
      <BackLink to={isInClient ? checkOffPaths.client() : checkOffPaths.profile()}>{say('Check-offs')}</BackLink>
      {isPending && (
        <>
          <Title>{say('Check-offs')}</Title>
          <h1 className="sr-only">{say('Check-offs')}</h1>
          <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />
        </>
      )}
      {error && !checkOff && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {checkOff && <One checkOff={checkOff} />}
    </>
  );
}

function One({ checkOff }: { checkOff: MyCheckOff }) {
  const { id, employer, state, may } = checkOff;
  const lines = useMyCheckOffLines(id);
  const [asked, setAsked] = useState<'pay' | 'decline' | null>(null);
  return (
    <>
      <Title>{employer}</Title>
      <h1 className="text-head break-words">{employer}</h1>
      <p className="mt-2">
        <Tag tone={checkOffTones[state]}>{state === 'checked' ? say('Waits for you') : checkOffStateWords(state)}</Tag>
      </p>
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-4 xl:order-last">
          {may.includes('pay') && (
            <PayCheckOffCard checkOff={checkOff} onPay={() => setAsked('pay')} onDecline={() => setAsked('decline')} />
          )}
          <Card className="min-w-0 p-5">
            <h2 className="mb-1 text-lead">{say('Who asks you')}</h2>
            <Facts facts={factsOf(checkOff)} />
          </Card>
        </div>
        <Card className="min-w-0 px-5 py-4">
          <h2 className="text-lead">{say('For whom you pay')}</h2>
          <DeskList pages={lines} empty={{ title: say('No lines'), next: '' }}>
            {(rows) => <CheckOffLines caption={say('For whom you pay')} lines={rows} />}
          </DeskList>
        </Card>
      </div>
      {asked === 'pay' && <PayCheckOffDialog checkOff={checkOff} onClose={() => setAsked(null)} />}
      {asked === 'decline' && <DeclineDialog checkOff={checkOff} onClose={() => setAsked(null)} />}
    </>
  );
}

function factsOf(checkOff: MyCheckOff) {
  const { sacco, listed_by, listed_at, checked_by, checked_at, paid_at, finished_at, ended_at, reason } = checkOff;
  const dated = (name: string, iso: string | null) =>
    iso === null ? [] : [[name, <LongDate key={name} iso={iso} time />] as const];
  return [
    [say('Paid to'), sacco.name] as const,
    [say('The sum'), <Money key="sum" shillings={checkOff.amount} />] as const,
    [say('Members'), formatCount(checkOff.lines)] as const,
    [say('Listed by'), listed_by.name] as const,
    ...dated(say('Listed'), listed_at),
    [say('Checked by'), checked_by?.name ?? '–'] as const,
    ...dated(say('Checked'), checked_at),
    ...dated(say('Paid'), paid_at),
    ...dated(say('Shared out'), finished_at),
    ...dated(say('Over since'), ended_at),
    ...(reason === null ? [] : [[say('Reason'), reason] as const]),
  ];
}

function DeclineDialog({ checkOff, onClose }: { checkOff: MyCheckOff; onClose: () => void }) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const input = { params: { id: checkOff.id }, body: { reason } };
    const answer = await call<typeof declineCheckOff>('POST', '/check-offs/{id}/refusal', input);
    toast.success(answer.message);
    onClose();
    await refreshLoans();
  };
  return (
    <Dialog title={say('Decline the check-off')} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`check-off decline ${checkOff.id}`}
        required={['reason']}
        emptyMessage={say('Write the reason.')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say('You pay nothing. The officials who made and checked the list read your reason.')}
        </p>
        <TextArea label={say('Why not?')} name="reason" required maxLength={500} />
        <SubmitButton look="clay" busyLabel={say('processing...')}>
          {say('Decline')}
        </SubmitButton>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </ApiForm>
    </Dialog>
  );
}
