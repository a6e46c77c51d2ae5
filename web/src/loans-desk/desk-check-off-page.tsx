import type { SaccoCheckOffDetail } from '@ushirika/contract/check-offs';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { CheckOffLines } from '../loans/check-off-lines.tsx';
import { checkOffStateWords, checkOffTones, membersInWords } from '../loans/check-off-words.ts';
import { SureDialog } from '../loans/sure-dialog.tsx';
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
import { sendDecision, takeCheckOffBack, useCheckOff, useCheckOffLines } from './check-offs-desk.queries.ts';
import { type AtDesk, OfficialsOnly } from './desk-frame.tsx';
import { deskPaths } from './desk-paths.ts';
import { refreshDesk } from './loans-desk.queries.ts';

/** /client/desk/check-offs/:id: one list, what a second official needs to decide about it, and what became of it. */
export function DeskCheckOffPage() {
  const { id = '' } = useParams();
  return <OfficialsOnly>{(at) => <OneCheckOff at={at} id={id} />}</OfficialsOnly>;
}

function OneCheckOff({ at, id }: { at: AtDesk; id: string }) {
  const { data: checkOff, error, isPending, refetch } = useCheckOff(at.sacco.id, id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <>
      <BackLink to={deskPaths.checkOffs()}>{say('Check-offs')}</BackLink>
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
      {checkOff && <Shown checkOff={checkOff} at={at} />}
    </>
  );
}

function Shown({ checkOff, at }: { checkOff: SaccoCheckOffDetail; at: AtDesk }) {
  const { employer, state, notable, shared } = checkOff;
  const isListed = state === 'listed';
  // A short list is all there at first sight.
  const isAllSeen = isListed && notable.length === checkOff.lines;
  return (
    <>
      <Title>{employer}</Title>
      <h1 className="text-head break-words">{employer}</h1>
      <p className="mt-2">
        <Tag tone={checkOffTones[state]}>{checkOffStateWords(state)}</Tag>
      </p>
      <p className="mt-3 max-w-[75ch] text-small text-ink-2">
        {say('Only officials see these details. Views are logged.')}
      </p>
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        {isListed && <LookFirst lines={notable} />}
        <div className="grid min-w-0 gap-4 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <Acts checkOff={checkOff} me={at.me} />
          <Card className="min-w-0 p-5">
            <Facts facts={factsOf(checkOff)} />
          </Card>
        </div>
        {isAllSeen ? null : <AllLines sacco={at.sacco.id} id={checkOff.id} isShared={shared !== null} />}
      </div>
    </>
  );
}

/** What a second official looks at before anything else. */
function LookFirst({ lines }: { lines: SaccoCheckOffDetail['notable'] }) {
  return (
    <Card className="min-w-0 px-5 py-4">
      <h2 className="text-lead">{say('Look at these first')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say('The largest lines, and those of whoever has a hand in this list.')}
      </p>
      <CheckOffLines caption={say('Look at these first')} lines={lines} />
    </Card>
  );
}

function AllLines({ sacco, id, isShared }: { sacco: string; id: string; isShared: boolean }) {
  const lines = useCheckOffLines(sacco, id);
  return (
    <Card className="min-w-0 px-5 py-4">
      <h2 className="text-lead">{say('All lines')}</h2>
      <DeskList pages={lines} empty={{ title: say('No lines'), next: '' }}>
        {(rows) => <CheckOffLines caption={say('All lines')} lines={rows} isShared={isShared} />}
      </DeskList>
    </Card>
  );
}

function factsOf(checkOff: SaccoCheckOffDetail) {
  const { listed_by, listed_at, checked_by, checked_at, expires_at, paid_at, finished_at, ended_at, shared } = checkOff;
  const { taken_back_by } = checkOff;
  const dated = (name: string, iso: string | null) =>
    iso === null ? [] : [[name, <LongDate key={name} iso={iso} time />] as const];
  return [
    [say('The sum'), <Money key="sum" shillings={checkOff.amount} />] as const,
    [say('Members'), formatCount(checkOff.lines)] as const,
    [say('Payer'), checkOff.payer] as const,
    [say('Listed by'), listed_by.name] as const,
    ...dated(say('Listed'), listed_at),
    ...(checked_by === null ? [] : [[say('Checked by'), checked_by.name] as const]),
    ...dated(say('Checked'), checked_at),
    ...dated(say('Expires'), expires_at),
    ...dated(say('Paid'), paid_at),
    ...(shared === null
      ? []
      : [
          [say('To loans'), <Money key="loans" shillings={shared.to_loans} />] as const,
          [say('To wallets'), <Money key="wallets" shillings={shared.to_wallet} />] as const,
        ]),
    ...dated(say('Shared out'), finished_at),
    ...(taken_back_by === null ? [] : [[say('Taken back by'), taken_back_by.name] as const]),
    ...dated(taken_back_by === null ? say('Over since') : say('Taken back'), ended_at),
    ...(checkOff.reason === null ? [] : [[say('Reason'), checkOff.reason] as const]),
  ];
}

type Asked = 'approve' | 'refuse' | 'withdraw';

/** What whoever looks may do now, each asked once more. */
function Acts({ checkOff, me }: { checkOff: SaccoCheckOffDetail; me: string }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { may, state } = checkOff;
  if (may.length === 0) return null;
  const close = () => setAsked(null);
  return (
    <Card className="grid min-w-0 gap-2.5 p-5">
      {state === 'listed' && checkOff.listed_by.id === me && (
        <p className="text-small text-ink-2">{say('Another official checks it: the list is yours.')}</p>
      )}
      {checkOff.second_account && <p className="text-small">{checkOff.second_account}</p>}
      {may.includes('approve') && <Button onClick={() => setAsked('approve')}>{say('The list is right')}</Button>}
      {may.includes('refuse') && (
        <Button look="line" onClick={() => setAsked('refuse')}>
          {say('Refuse the list')}
        </Button>
      )}
      {may.includes('withdraw') && (
        <Button look="line" onClick={() => setAsked('withdraw')}>
          {say('Take it back')}
        </Button>
      )}
      {asked === 'approve' && <ApproveDialog checkOff={checkOff} onClose={close} />}
      {asked === 'refuse' && <RefuseDialog id={checkOff.id} onClose={close} />}
      {asked === 'withdraw' && <WithdrawDialog id={checkOff.id} onClose={close} />}
    </Card>
  );
}

interface DialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Sends it, and reads the desk anew. */
async function told(send: () => Promise<{ message: string }>): Promise<{ message: string }> {
  const answer = await send();
  await refreshDesk();
  return answer;
}

function ApproveDialog({ checkOff, onClose }: { checkOff: SaccoCheckOffDetail; onClose: () => void }) {
  return (
    <SureDialog
      title={say('Is the list right?')}
      act={say('The list is right')}
      send={() => told(() => sendDecision(checkOff.id, { decision: 'approve' }))}
      onClose={onClose}
    >
      <p>
        {say('{name} will be asked to pay the check-off of {employer}, for {members}:', {
          name: checkOff.payer,
          members: membersInWords(checkOff.lines),
          employer: checkOff.employer,
        })}
      </p>
      <p className="mt-2 text-head font-bold tracking-tight">
        <Money shillings={checkOff.amount} />
      </p>
      <p className="mt-2 text-small text-ink-2">
        {say('Your name stands beside it. Nothing moves before it is paid.')}
      </p>
    </SureDialog>
  );
}

function RefuseDialog({ id, onClose }: DialogProps) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const answer = await sendDecision(id, { decision: 'refuse', reason });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <Dialog title={say('Refuse the list')} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`check-off refusal ${id}`}
        required={['reason']}
        emptyMessage={say('Write the reason.')}
        submit={submit}
      >
        <TextArea
          label={say('What is wrong with it?')}
          name="reason"
          required
          maxLength={500}
          hint={say('The other officials read it. The payer hears nothing of this list.')}
        />
        <SubmitButton look="clay" busyLabel={say('processing...')}>
          {say('Refuse the list')}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function WithdrawDialog({ id, onClose }: DialogProps) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const answer = await takeCheckOffBack(id, reason);
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <Dialog title={say('Take the check-off back?')} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`check-off taken back ${id}`}
        className="grid gap-4"
        required={['reason']}
        emptyMessage={say('Write the reason.')}
        submit={submit}
      >
        <p>{say('Nothing has moved yet. A payer who was asked is told, with your reason.')}</p>
        <TextArea
          label={say('Why is it taken back?')}
          name="reason"
          required
          maxLength={300}
          hint={say('In 10 characters or more. The officials read it too.')}
        />
        <SubmitButton look="clay" busyLabel={say('processing...')}>
          {say('Take it back')}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
