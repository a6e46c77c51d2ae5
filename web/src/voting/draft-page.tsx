import type { BodyIn } from '@ushirika/contract/route';
import type { draftVotingProposal } from '@ushirika/contract/voting';
import { DRAFT_DAYS, RULES_OF_CLASS, VOTE_CLASSES, type VoteClass } from '@ushirika/contract/voting-rules';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { pageOf, titleOf } from '../saccos/change-words.ts';
import { useSacco } from '../session/session.ts';
import { Card, PageHead } from '../ui/card.tsx';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { isOfBoard } from './board.ts';
import { explainDraft } from './explain-vote.ts';
import { TERMS_KINDS, type TermsKind, termsForms } from './terms-forms.tsx';
import { proposeToOfficials, refreshVotes, useWayOfChanges } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import { classWords } from './voting-words.ts';

type Draft = BodyIn<typeof draftVotingProposal>;
type Kind = TermsKind | 'resolution';

/** /client/voting-proposals/new: the address tells which kind and which loan. */
export function DraftVotePage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const { kind, product, choose } = useChosen();
  const isOfficial = (profile?.roles ?? []).some((role) => role.sacco === sacco?.id && role.office !== null);
  const way = useWayOfChanges(sacco?.id, isOfficial);
  // Who decides about loans is known to officials alone.
  const kinds = TERMS_KINDS.filter((each) => each !== 'lending_authority' || isOfficial);
  if (!sacco || !profile) return null;
  const isByOfficials = way.data?.by === 'officials' && kind !== 'resolution' && kind !== 'sacco_terms';
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
      <PageHead
        title={isByOfficials ? titleOf(kind) : say('Draft a vote')}
        lead={
          isByOfficials
            ? say(
                'Fewer than three members can vote yet. Until then two officials change this: you propose, another one confirms, and it holds 24 hours later.',
              )
            : signersWords(isOfBoard(profile, sacco.id))
        }
      />
      <Card className="mt-5 grid gap-4 p-5">
        <SelectField
          label={say('What do members decide?')}
          name="kind"
          value={kind}
          onChange={({ currentTarget }) => choose(currentTarget.value, null)}
        >
          {['resolution' as const, ...kinds].map((each) => (
            <option key={each} value={each}>
              {each === 'resolution' ? say('A resolution, in words') : titleOf(each)}
            </option>
          ))}
        </SelectField>
        {(!isOfficial || way.data) && (
          <DraftForm key={kind} {...{ kind, product, isOfficial, isByOfficials }} sacco={sacco.id} choose={choose} />
        )}
      </Card>
    </div>
  );
}

function useChosen() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('kind');
  const kind: Kind = TERMS_KINDS.find((each) => each === asked) ?? 'resolution';
  const choose = (next: string, product: string | null) =>
    setSearch({ kind: next, ...(product ? { product } : {}) }, { replace: true, preventScrollReset: true });
  return { kind, product: search.get('product'), choose };
}

interface Drafting {
  readonly kind: Kind;
  readonly product: string | null;
  readonly sacco: string;
  readonly isOfficial: boolean;
  readonly isByOfficials: boolean;
  readonly choose: (kind: string, product: string | null) => void;
}

function DraftForm({ kind, product, sacco, isOfficial, isByOfficials, choose }: Drafting) {
  const navigate = useNavigate();
  const form = kind === 'resolution' ? null : termsForms[kind];
  const submit = async (values: Readonly<Record<string, string>>) => {
    const change = form?.change(values, product);
    if (change && isByOfficials) {
      toast.success(await proposeToOfficials(change));
      return void navigate(`${paths.client()}/${pageOf(change.kind)}`);
    }
    const { title = '', text = '' } = values;
    const body: Draft = { title, text, ...(change ? { change } : { class: values.class as VoteClass }) };
    const answer = await call<typeof draftVotingProposal>('POST', '/voting/proposals', { body });
    toast.success(answer.message);
    await refreshVotes();
    void navigate(votingPaths.vote(answer.proposal.id), { replace: true });
  };
  return (
    <ApiForm<string>
      label={say('Draft a vote')}
      className="grid gap-4"
      required={[...(isByOfficials ? [] : ['title', 'text']), ...(form?.required ?? ['class'])]}
      emptyMessage={say('All Fields are required')}
      submit={submit}
      explain={explainDraft}
      {...(form?.check ? { check: form.check } : {})}
    >
      {form ? (
        <form.Fields sacco={sacco} product={product} isOfficial={isOfficial} choose={(id) => choose(kind, id)} />
      ) : (
        <ClassField />
      )}
      {!isByOfficials && <Words />}
      <SubmitButton busyLabel={say('processing...')}>
        {isByOfficials ? say('Propose') : say('Send it for signatures')}
      </SubmitButton>
    </ApiForm>
  );
}

function Words() {
  return (
    <>
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
    </>
  );
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
      {VOTE_CLASSES.map((each) => (
        <option key={each} value={each}>
          {classWords(each)}
        </option>
      ))}
    </SelectField>
  );
}
