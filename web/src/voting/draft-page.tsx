import type { BodyIn, Office } from '@ushirika/contract/route';
import type { draftVotingProposal } from '@ushirika/contract/voting';
import {
  DECISION_CLASSES,
  DRAFT_DAYS,
  NOMINATION_DAYS,
  RULES_OF_CLASS,
  type VoteClass,
} from '@ushirika/contract/voting-rules';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { useComplaintTerms } from '../complaints/complaints.queries.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { useReferralTerms } from '../referrals/referrals.queries.ts';
import { titleOf } from '../saccos/change-words.ts';
import { officeWords } from '../saccos/office-words.ts';
import { useSacco } from '../session/session.ts';
import { Card, PageHead } from '../ui/card.tsx';
import { MoneyField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { isOfBoard } from './board.ts';
import { explainDraft } from './explain-vote.ts';
import { refreshVotes } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import { classWords } from './voting-words.ts';

/** What this page has a form for; other rules of a sacco are changed by two officials. */
const KINDS = ['resolution', 'election', 'complaint_terms', 'referral_terms'] as const;
type Kind = (typeof KINDS)[number];
const OFFICES: readonly Office[] = [
  'chair',
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'manager',
];
type Draft = BodyIn<typeof draftVotingProposal>;
type Field =
  | 'title'
  | 'text'
  | 'class'
  | 'ballot'
  | 'office'
  | 'answer_days'
  | 'resolve_days'
  | 'reward'
  | 'monthly_rewards_max';

const fieldsOf: Readonly<Record<Kind, readonly Field[]>> = {
  resolution: ['class'],
  election: ['office'],
  complaint_terms: ['answer_days', 'resolve_days'],
  referral_terms: ['reward', 'monthly_rewards_max'],
};

/** /client/voting-proposals/new */
export function DraftVotePage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const [kind, setKind] = useState<Kind>('resolution');
  const navigate = useNavigate();
  const submit = async (values: Record<Field, string>) => {
    const answer = await call<typeof draftVotingProposal>('POST', '/voting/proposals', {
      body: { ...draftOf(kind, values), ballot: values.ballot ? 'secret' : 'open' },
    });
    toast.success(answer.message);
    await refreshVotes();
    void navigate(votingPaths.vote(answer.proposal.id), { replace: true });
  };
  return (
    <div className="max-w-[720px]">
      <Title>{say('Draft a vote')}</Title>
      <Link
        to={votingPaths.votes()}
        className="mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-2 hover:text-ink"
      >
        <Icon name="back" className="size-4.5" />
        {say('Voting Proposals')}
      </Link>
      <PageHead title={say('Draft a vote')} lead={profile && signersWords(isOfBoard(profile, sacco?.id))} />
      <Card className="mt-5 p-5">
        <ApiForm<Field>
          label={say('Draft a vote')}
          required={['title', 'text', ...fieldsOf[kind]]}
          emptyMessage={say('All Fields are required')}
          submit={submit}
          explain={explainDraft}
        >
          <SelectField
            label={say('What do members decide?')}
            name="kind"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as Kind)}
          >
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {kindWords(each)}
              </option>
            ))}
          </SelectField>
          <OfKind kind={kind} />
          {kind !== 'election' && <SecretField />}
          <TextField
            label={say('Title')}
            name="title"
            required
            maxLength={120}
            autoComplete="off"
            hint={say('One line, as a member would say it. Everybody may read it.')}
          />
          <TextArea
            label={say('Text')}
            name="text"
            required
            rows={8}
            maxLength={4_000}
            hint={say('20 to 4,000 characters. Say what shall be, why, and what it costs. It cannot be changed later.')}
          />
          <SubmitButton busyLabel={say('processing...')}>{say('Send it for signatures')}</SubmitButton>
        </ApiForm>
      </Card>
    </div>
  );
}

function kindWords(kind: Kind): string {
  if (kind === 'election') return say('Who holds an office');
  return kind === 'resolution' ? say('A resolution, in words') : titleOf(kind);
}

function draftOf(kind: Kind, values: Record<Field, string>): Draft {
  const { title, text, answer_days, resolve_days, reward, monthly_rewards_max } = values;
  if (kind === 'election') return { title, text, office: values.office as Draft['office'] };
  if (kind === 'complaint_terms') return { title, text, change: { kind, values: { answer_days, resolve_days } } };
  if (kind === 'referral_terms') return { title, text, change: { kind, values: { reward, monthly_rewards_max } } };
  return { title, text, class: values.class as Draft['class'] };
}

function signersWords(board: boolean): string {
  const values = { n: DRAFT_DAYS };
  return board
    ? say(
        'Another official of the board signs it within {n, plural, one {1 day} other {# days}}. Then it is published.',
        values,
      )
    : say(
        'One member in twenty signs it within {n, plural, one {1 day} other {# days}}, at least three with you. Then it is published.',
        values,
      );
}

function OfKind({ kind }: { kind: Kind }) {
  if (kind === 'election') return <OfficeField />;
  if (kind === 'complaint_terms') return <ComplaintTermsFields />;
  if (kind === 'referral_terms') return <ReferralTermsFields />;
  return <ClassField />;
}

function OfficeField() {
  const { notice_days, voting_days } = RULES_OF_CLASS.election;
  return (
    <SelectField
      label={say('Office')}
      name="office"
      hint={say(
        'Members stand for {stand, plural, one {1 day} other {# days}}. After {notice, plural, one {1 day} other {# days}} they vote in secret, for {voting, plural, one {1 day} other {# days}}.',
        { stand: NOMINATION_DAYS, notice: notice_days, voting: voting_days },
      )}
    >
      {OFFICES.map((each) => (
        <option key={each} value={each}>
          {officeWords(each)}
        </option>
      ))}
    </SelectField>
  );
}

function SecretField() {
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-box border border-edge px-3.5 py-3 has-checked:border-forest has-checked:bg-forest-tint has-focus-visible:outline-3 has-focus-visible:outline-(--focus)">
      <input type="checkbox" name="ballot" value="secret" className="mt-0.5 size-5 shrink-0 accent-forest" />
      <span className="min-w-0">
        <span className="block font-semibold">{say('Secret ballot')}</span>
        <span className="block text-small text-ink-2">
          {say('Nobody can tie a vote to its member, and no vote can be changed once it is in.')}
        </span>
      </span>
    </label>
  );
}

function ClassField() {
  const [voteClass, setClass] = useState<VoteClass>('ordinary');
  const { notice_days, voting_days } = RULES_OF_CLASS[voteClass];
  return (
    <SelectField
      label={say('What does it need to pass?')}
      name="class"
      value={voteClass}
      onChange={(event) => setClass(event.currentTarget.value as VoteClass)}
      hint={say(
        'Members read it for {notice, plural, one {1 day} other {# days}}, then vote for {voting, plural, one {1 day} other {# days}}. A change of the by-laws needs two thirds.',
        { notice: notice_days, voting: voting_days },
      )}
    >
      {DECISION_CLASSES.map((each) => (
        <option key={each} value={each}>
          {classWords(each)}
        </option>
      ))}
    </SelectField>
  );
}

function ComplaintTermsFields() {
  const { data: terms } = useComplaintTerms(useSacco()?.id ?? '');
  if (!terms) return <Skeletons count={1} label={say('Loading...')} className="h-20 rounded-box" />;
  return (
    <Two>
      <TextField
        label={say('Days to a first answer')}
        name="answer_days"
        required
        inputMode="numeric"
        autoComplete="off"
        defaultValue={terms.answer_days}
        hint={say('Now: {value}', { value: terms.answer_days })}
      />
      <TextField
        label={say('Days to the final answer')}
        name="resolve_days"
        required
        inputMode="numeric"
        autoComplete="off"
        defaultValue={terms.resolve_days}
        hint={say('Now: {value}', { value: terms.resolve_days })}
      />
    </Two>
  );
}

function ReferralTermsFields() {
  const { data: terms } = useReferralTerms();
  if (!terms) return <Skeletons count={1} label={say('Loading...')} className="h-20 rounded-box" />;
  return (
    <Two>
      <MoneyField
        label={say('Reward')}
        name="reward"
        required
        defaultValue={terms.reward}
        hint={say('Now: {value}', { value: terms.reward })}
      />
      <TextField
        label={say('Maximum a month for one referrer')}
        name="monthly_rewards_max"
        required
        inputMode="numeric"
        autoComplete="off"
        defaultValue={terms.monthly_rewards_max}
        hint={say('Now: {value}', { value: terms.monthly_rewards_max })}
      />
    </Two>
  );
}

const Two = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
);
