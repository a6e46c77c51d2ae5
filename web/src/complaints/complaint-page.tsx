import type { ComplaintDetail, ComplaintStep } from '@ushirika/contract/complaints';
import { API_BASE } from '@ushirika/contract/constants';
import { Link, useLocation, useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { usePrivatePicture } from '../session/private-picture.ts';
import { useSacco } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Card, Facts, FailureState, Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { AnswerForm, DecisionForm, MemberActs } from './complaint-acts.tsx';
import { complaintPaths } from './complaint-paths.ts';
import {
  causeWords,
  clockWords,
  isPressing,
  kindWords,
  outcomeWords,
  stateTones,
  stateWords,
  stepWords,
} from './complaint-words.ts';
import { type Side, useComplaint } from './complaints.queries.ts';

/** /profile/complaints/:id and /client/complaints/:id: one of one's own. */
export function MyComplaintPage() {
  const isInClient = useLocation().pathname.startsWith(paths.client());
  return (
    <OneComplaint
      side="member"
      back={isInClient ? complaintPaths.clientComplaints('mine') : complaintPaths.complaints()}
    />
  );
}

/** /client/complaints/answer/:id: for the officials of the sacco. */
export function AnswerComplaintPage() {
  return <OneComplaint side="sacco" back={complaintPaths.clientComplaints()} />;
}

/** /operator/complaints/:id */
export function OperatorComplaintPage() {
  return <OneComplaint side="operator" back={complaintPaths.operatorComplaints()} />;
}

function OneComplaint({ side, back }: { side: Side; back: string }) {
  const { id = '' } = useParams();
  const { data: complaint, error, isPending, refetch } = useComplaint(side, id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="max-w-[860px]">
      <BackLink to={back}>{say('Complaints')}</BackLink>
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />}
      {error && !complaint && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {complaint && <Complaint complaint={complaint} side={side} />}
    </div>
  );
}

function Complaint({ complaint, side }: { complaint: ComplaintDetail; side: Side }) {
  const { kind, state, may } = complaint;
  return (
    <div className="grid gap-4">
      <Title>{kindWords(kind)}</Title>
      <div>
        <h1 className="text-head">{kindWords(kind)}</h1>
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <Tag tone={stateTones[state]}>{stateWords(state)}</Tag>
          {complaint.outcome && <Tag tone="indigo">{outcomeWords(complaint.outcome)}</Tag>}
        </p>
      </div>
      <Clock complaint={complaint} side={side} />
      <Card className="p-5">
        <Facts facts={factsOf(complaint, side)} />
        <h2 className="mt-4 mb-1.5 text-lead">{say('What happened')}</h2>
        <p className="max-w-[70ch] break-words whitespace-pre-line">{complaint.text}</p>
        {complaint.has_picture && <Picture id={complaint.id} side={side} />}
      </Card>
      <Card className="p-5">
        <h2 className="mb-3 text-lead">{say('What has happened since')}</h2>
        <ol>
          {complaint.steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added, and never move
            <Step key={index} step={step} side={side} because={complaint.escalated_because} />
          ))}
        </ol>
      </Card>
      {side === 'member' && <MemberActs complaint={complaint} />}
      {may.includes('answer') && <AnswerForm complaint={complaint} />}
      {may.includes('resolve') && <DecisionForm complaint={complaint} />}
    </div>
  );
}

/** An operator finds the account by it under People; the page asks for it, so that each search is in the log. */
const AccountNumber = ({ number, side }: { number: string; side: Side }) =>
  side === 'operator' ? (
    <Link className="link" to={paths.operatorPeople()}>
      {number}
    </Link>
  ) : (
    number
  );

function factsOf({ sacco, complainer, about, made_at }: ComplaintDetail, side: Side) {
  return [
    ...(side === 'sacco'
      ? []
      : [
          [
            say('Sacco'),
            <Link key="sacco" className="link" to={paths.sacco(sacco.id)}>
              {sacco.name}
            </Link>,
          ] as const,
        ]),
    ...(side === 'operator'
      ? [
          [
            say('Log of the books'),
            <Link key="books" className="link" to={`${paths.sacco(sacco.id)}/books`}>
              {say('The books of {name}', { name: sacco.name })}
            </Link>,
          ] as const,
        ]
      : []),
    ...(complainer ? [[say('Member'), complainer.name] as const] : []),
    ...(complainer?.id_number
      ? [[say('ID Number'), <AccountNumber key="id" number={complainer.id_number} side={side} />] as const]
      : []),
    ...(about
      ? [
          [
            say('About'),
            <Link key="about" className="link" to={paths.sacco(sacco.id)}>
              {about.name}
            </Link>,
          ] as const,
        ]
      : []),
    [say('Sent'), <LongDate key="sent" iso={made_at} time />] as const,
  ];
}

/** What is due now and by when, or who has it. */
function Clock({ complaint, side }: { complaint: ComplaintDetail; side: Side }) {
  const words = clockWords(complaint, side);
  const { clock, escalated_because: because, state } = complaint;
  if (!words || !clock) {
    if (state !== 'with_operator' || !because) return null;
    return (
      <Callout icon="shield" words={say('Ushirika decides')}>
        {causeWords(because, side)}{' '}
        {side === 'operator'
          ? say('Read both sides, look at the books, and decide with reasons.')
          : say('An operator reads both sides and decides. You will be told.')}
      </Callout>
    );
  }
  return (
    <Callout icon="clock" words={words} pressing={isPressing(complaint)}>
      {say('By the end of')} <LongDate iso={new Date(Date.parse(clock.due_at) - 1).toISOString()} />
      {clock.due === 'reaction' ? null : <>. {say('After that it goes to Ushirika by itself.')}</>}
    </Callout>
  );
}

function Callout({
  icon,
  words,
  pressing = false,
  children,
}: {
  icon: IconName;
  words: string;
  pressing?: boolean;
  children: React.ReactNode;
}) {
  const tone = pressing ? 'bg-clay-tint text-clay' : 'bg-ochre-tint text-ochre-ink';
  return (
    <div className={`flex gap-3.5 rounded-card px-4.5 py-4 ${tone}`}>
      <Icon name={icon} className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="num font-semibold">{words}</p>
        <p className="num mt-0.5 text-small">{children}</p>
      </div>
    </div>
  );
}

const stepIcons: Readonly<Record<ComplaintStep['side'], IconName>> = {
  member: 'person',
  sacco: 'people',
  operator: 'shield',
  clock: 'clock',
};

function Step({
  step,
  side,
  because,
}: {
  step: ComplaintStep;
  side: Side;
  because: ComplaintDetail['escalated_because'];
}) {
  return (
    <li className="group flex gap-3.5">
      <span className="flex flex-col items-center">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-ink-2">
          <Icon name={stepIcons[step.side]} className="size-4.5" />
        </span>
        <span className="w-px grow bg-line group-last:hidden" />
      </span>
      <div className="min-w-0 grow pt-1 pb-5 group-last:pb-0">
        <p className="font-semibold break-words">{stepWords(step, side)}</p>
        <p className="num text-small text-ink-2">
          <LongDate iso={step.at} time />
        </p>
        {step.kind === 'escalated' && because && <p className="mt-1.5">{causeWords(because, side)}</p>}
        {step.text && (
          <p className="mt-2 max-w-[70ch] rounded-box bg-sunken px-4 py-3 break-words whitespace-pre-line">
            {step.text}
          </p>
        )}
      </div>
    </li>
  );
}

function Picture({ id, side }: { id: string; side: Side }) {
  const sacco = useSacco();
  const folders: Record<Side, string> = { member: '', sacco: '/sacco', operator: '/operator' };
  const address = `${API_BASE}${folders[side]}/complaints/${encodeURIComponent(id)}/picture`;
  const shown = usePrivatePicture(address, side === 'sacco' ? sacco?.id : undefined);
  if (!shown) return <div className="skeleton mt-4 h-48 rounded-box" />;
  return (
    <img
      src={shown}
      alt={say('The picture that came with the complaint')}
      className="mt-4 max-h-[70vh] max-w-full rounded-box border border-line"
    />
  );
}
