import type { confirmProposal, Proposal, refuseProposal } from '@ushirika/contract/proposals';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../api/call.ts';
import { now } from '../clock.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Tag, type TagTone } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Money, Progress } from '../ui/figures.tsx';
import { Ago, nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { proposalWords } from './action-words.ts';
import { useProposals } from './operator.queries.ts';
import { namingWords } from './operator-namings.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

const OBJECTION_MS = 48 * 3_600_000;

/** /operator/proposals: what one operator proposed, and whose turn it is. */
export function OperatorProposalsPage() {
  const [parameters] = useSearchParams();
  const status = parameters.get('status') === 'closed' ? 'closed' : 'open';
  const proposals = useProposals(status);
  const empty =
    status === 'closed'
      ? { title: say('Nothing was decided yet'), next: say('What two operators decided is listed here, newest first.') }
      : {
          title: say('Nothing waits for a second operator'),
          next: say('Proposals you make on other pages appear here.'),
        };
  return (
    <>
      <Title>{say('Two operators')}</Title>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <div className="max-w-[62ch]">
          <h2 className="text-title">{say('Two operators')}</h2>
          <p className="mt-1 text-ink-2">{say('One proposes, another confirms. Neither may gain by it.')}</p>
        </div>
        <ChoiceBar
          label={say('State')}
          choices={[
            { to: paths.operatorProposals(), words: say('Open'), isChosen: status === 'open' },
            { to: paths.operatorProposalsClosed(), words: say('Closed'), isChosen: status === 'closed' },
          ]}
        />
      </div>
      <DeskList pages={proposals} empty={empty}>
        {(rows) => (
          <ul className="card px-4 sm:px-5">
            {rows.map((proposal) => (
              <ProposalRow key={proposal.id} proposal={proposal} />
            ))}
          </ul>
        )}
      </DeskList>
    </>
  );
}

type Act = Proposal['actions'][number];

function ProposalRow({ proposal }: { proposal: Proposal }) {
  const [act, setAct] = useState<Act | null>(null);
  const { amount, beneficiary, naming, about_name, state } = proposal;
  return (
    <li className="rule grid gap-x-6 gap-y-3 py-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-lead font-semibold">{proposalWords(proposal.kind)}</span>
          <Tag tone={TONES[state]}>{isDoneByJob(proposal) ? say('Being done') : stateWords(state)}</Tag>
        </p>
        <p className="num mt-1 flex flex-wrap gap-x-5 gap-y-1 text-small">
          {amount !== null && (
            <b>
              <Money shillings={amount} />
            </b>
          )}
          {beneficiary && <span>{say('To {name}', { name: nameOf(beneficiary) })}</span>}
          {naming && <b className="break-words">{namingWords(naming)}</b>}
          {about_name && <span className="text-ink-2">{about_name}</span>}
        </p>
        <ul className="mt-3 grid gap-2.5 text-small">
          <Step who={proposal.proposed_by} at={proposal.proposed_at} did={say('proposed it')} words={proposal.reason} />
          {proposal.confirmed_by && proposal.confirmed_at && (
            <Step
              who={proposal.confirmed_by}
              at={proposal.confirmed_at}
              did={say('confirmed it')}
              words={proposal.confirmation}
            />
          )}
          {proposal.closed_by && proposal.closed_at && (
            <Step
              who={proposal.closed_by}
              at={proposal.closed_at}
              did={state === 'withdrawn' ? say('took it back') : say('refused it')}
              words={proposal.closing}
            />
          )}
        </ul>
        <Turn proposal={proposal} />
      </div>
      {proposal.actions.length > 0 && (
        <div className="flex flex-wrap gap-2 self-start max-md:*:grow md:flex-col">
          {proposal.actions.map((candidate) => (
            <Button key={candidate} look={candidate === 'confirm' ? 'main' : 'line'} onClick={() => setAct(candidate)}>
              {actWords(candidate)}
            </Button>
          ))}
        </div>
      )}
      {act && <ActDialog proposal={proposal} act={act} onClose={() => setAct(null)} />}
    </li>
  );
}

function Step({
  who,
  at,
  did,
  words,
}: {
  who: Proposal['proposed_by'];
  at: string;
  did: string;
  words: string | null;
}) {
  return (
    <li>
      <p className="text-ink-2">
        <b className="text-ink">{nameOf(who)}</b> {did} · <Ago iso={at} />
      </p>
      {words && <p className="mt-0.5 border-l-2 border-line pl-3">{words}</p>}
    </li>
  );
}

/** Confirmed, and carried out by the next job: nobody is asked to object. */
const isDoneByJob = ({ kind, state }: Proposal) =>
  (kind === 'suspended_payout' || kind === 'official_naming') && state === 'waiting';

/** Whose turn it is, and until when. */
function Turn({ proposal }: { proposal: Proposal }) {
  const { state, due_at, objected_at, payer_told_at, actions, closing } = proposal;
  if (state === 'objected' && objected_at) {
    return (
      <p className="mt-3 rounded-box bg-clay-tint px-3.5 py-2.5 text-small text-clay">
        <b>{say('The payer objected.')}</b> <Ago iso={objected_at} />. {say('The money stays in suspense.')}
      </p>
    );
  }
  if (state === 'lapsed' && closing) return <p className="mt-3 text-small text-ink-2">{closing}</p>;
  if (isDoneByJob(proposal)) {
    return (
      <p className="mt-3 text-small font-medium text-ochre-ink">
        {proposal.kind === 'official_naming'
          ? say('An SMS asks whoever has that ID number within a minute.')
          : say('M-Pesa is asked to pay it within a minute.')}
      </p>
    );
  }
  if (state === 'waiting' && due_at) {
    const left = Math.max(0, Date.parse(due_at) - now());
    return (
      <div className="mt-3 rounded-box bg-ochre-tint px-3.5 py-3 text-small text-ochre-ink">
        <p className="num mb-2 font-semibold">
          {say('Done in {hours} h {minutes} min, unless the payer objects', {
            hours: Math.floor(left / 3_600_000),
            minutes: Math.floor((left % 3_600_000) / 60_000),
          })}
        </p>
        <Progress value={OBJECTION_MS - left} max={OBJECTION_MS} label={say('Time to object that has passed')} />
        <p className="mt-2">
          {payer_told_at
            ? say('The payer was told by SMS.')
            : say('The payer is told by SMS, if M-Pesa said whose phone paid.')}
        </p>
      </div>
    );
  }
  if (state !== 'proposed') return null;
  return (
    <p className="mt-3 text-small font-medium text-ochre-ink">
      {actions.includes('confirm')
        ? say('It is your turn: confirm it, or leave it. It lapses after seven days.')
        : say('It waits for another operator, for seven days at most.')}
    </p>
  );
}

function ActDialog({ proposal, act, onClose }: { proposal: Proposal; act: Act; onClose: () => void }) {
  const isConfirming = act === 'confirm';
  const { amount, beneficiary, naming, about_name } = proposal;
  return (
    <ReasonDialog
      about={proposal.id}
      title={
        isConfirming ? say('Confirm the proposal') : act === 'refuse' ? say('Refuse the proposal') : say('Take it back')
      }
      lead={
        <>
          <p className="font-semibold text-ink">{proposalWords(proposal.kind)}</p>
          {amount !== null && (
            <p className="text-title font-semibold text-ink">
              <Money shillings={amount} />
            </p>
          )}
          {beneficiary && <p>{say('To {name}', { name: nameOf(beneficiary) })}</p>}
          {naming && (
            <>
              <p className="break-words">{namingWords(naming)}</p>
              <p className="break-words">{about_name}</p>
            </>
          )}
          <p className="mt-2">
            {isConfirming
              ? say('Look into it yourself first. Both names stand under what is done.')
              : say('Nothing moves. It can be proposed again.')}
          </p>
        </>
      }
      submitLabel={actWords(act)}
      look={isConfirming ? 'main' : 'clay'}
      send={({ reason }, idempotencyKey) => {
        const sent = { params: { id: proposal.id }, body: { reason }, idempotencyKey };
        return isConfirming
          ? call<typeof confirmProposal>('POST', '/operator/proposals/{id}/confirmation', sent)
          : call<typeof refuseProposal>('POST', '/operator/proposals/{id}/refusal', sent);
      }}
      onClose={onClose}
    />
  );
}

function actWords(act: Act): string {
  if (act === 'confirm') return say('Confirm');
  return act === 'refuse' ? say('Refuse') : say('Take back');
}

const TONES: Readonly<Record<Proposal['state'], TagTone>> = {
  proposed: 'ochre',
  waiting: 'ochre',
  done: 'forest',
  withdrawn: 'plain',
  refused: 'plain',
  objected: 'clay',
  lapsed: 'plain',
};

function stateWords(state: Proposal['state']): string {
  switch (state) {
    case 'proposed':
      return say('Waits for a second operator');
    case 'waiting':
      return say('The payer may object');
    case 'done':
      return say('Done');
    case 'withdrawn':
      return say('Taken back');
    case 'refused':
      return say('Refused');
    case 'objected':
      return say('The payer objected');
    case 'lapsed':
      return say('Lapsed');
  }
}
