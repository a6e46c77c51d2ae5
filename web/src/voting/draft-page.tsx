import type { BodyIn, Office } from '@ushirika/contract/route';
import { BY_TWO_THIRDS, kindOfVote } from '@ushirika/contract/vote-kinds';
import type { draftVotingProposal } from '@ushirika/contract/voting';
import {
  DECISION_CLASSES,
  DRAFT_DAYS,
  FIRST_GOVERNANCE,
  NOMINATION_DAYS,
  rulesUnder,
  type VoteClass,
} from '@ushirika/contract/voting-rules';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { BusyNote, useBusyWith } from '../pools/busy-with.tsx';
import { usePoolsOfSacco } from '../pools/pools.queries.ts';
import { pageOf, titleOf } from '../saccos/change-words.ts';
import { officeWords } from '../saccos/office-words.ts';
import { useSacco } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Card, PageHead } from '../ui/card.tsx';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { asVoter } from './as-voter.ts';
import { isOfBoard } from './board.ts';
import { DraftEffect, DraftRules } from './draft-preview.tsx';
import { explainDraft } from './explain-vote.ts';
import {
  isAboutPerson,
  isAboutPool,
  isByMembersAlone,
  TERMS_KINDS,
  type TermsKind,
  termsForms,
} from './terms-forms.tsx';
import { proposeToOfficials, refreshVotes, useVoteRules, useWayOfChanges } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import { classWords, secretLimits } from './voting-words.ts';
import { useWhatWaits, WaitsNote } from './what-waits.tsx';

type Draft = BodyIn<typeof draftVotingProposal>;
type Kind = TermsKind | 'resolution' | 'election';
/** In words, or of people: these two have no terms to change. */
const isOfTerms = (kind: Kind): kind is TermsKind => kind !== 'resolution' && kind !== 'election';
/** Of people. */
const isAlwaysSecret = (kind: Kind): boolean => kind === 'election' || (isOfTerms(kind) && isAboutPerson(kind));
const OFFICES: readonly Office[] = [
  'chair',
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'manager',
];

/** /client/voting-proposals/new: the address tells which kind and which loan. */
export function DraftVotePage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const { kind, product, choose } = useChosen();
  const isOfficial = (profile?.roles ?? []).some((role) => role.sacco === sacco?.id && role.office !== null);
  const way = useWayOfChanges(sacco?.id, isOfficial);
  // Who decides about loans is known to officials alone.
  const pools = usePoolsOfSacco(sacco?.id ?? '');
  const isInPool = pools.data?.some(({ is_member }) => is_member) === true;
  const kinds = TERMS_KINDS.filter(
    (each) =>
      each === kind ||
      ((each !== 'lending_authority' || isOfficial) && each !== 'admission' && (!isAboutPool(each) || isInPool)),
  );
  if (!sacco || !profile) return null;
  const isByOfficials = way.data?.by === 'officials' && isOfTerms(kind) && !isByMembersAlone(kind);
  return (
    <div className="max-w-[720px]">
      <Title>{say('Draft a vote')}</Title>
      <BackLink to={votingPaths.votes()}>{say('Voting Proposals')}</BackLink>
      <PageHead
        title={isByOfficials ? titleOf(kind, kindOfVote) : say('Draft a vote')}
        lead={
          isByOfficials
            ? say(
                'Fewer than three members can vote yet. Until then two officials change this: you propose, another one confirms, and it holds 24 hours later.',
              )
            : signersWords(kind, isOfBoard(profile, sacco.id))
        }
      />
      <Card className="mt-5 grid gap-4 p-5">
        <SelectField
          label={say('What do members decide?')}
          name="kind"
          value={kind}
          onChange={({ currentTarget: { value } }) =>
            choose(value, isAboutPool(kind) && isAboutPool(value) ? product : null)
          }
        >
          {(['resolution', 'election', ...kinds] as const).map((each) => (
            <option key={each} value={each}>
              {kindWords(each)}
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
  const kind: Kind = (['election', ...TERMS_KINDS] as const).find((each) => each === asked) ?? 'resolution';
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
  const form = isOfTerms(kind) ? termsForms[kind] : null;
  // What members alone decide has no page of two officials.
  const pageOfChange = isByOfficials && isOfTerms(kind) ? `${paths.client()}/${pageOf(kind)}` : null;
  const { explain, link } = useWhatWaits(explainDraft, pageOfChange);
  const submit = async (values: Readonly<Record<string, string>>) => {
    const change = form?.change(values, product);
    if (change && isByOfficials) {
      toast.success(await proposeToOfficials(change));
      return void navigate(`${paths.client()}/${pageOf(change.kind)}`);
    }
    const { title = '', text = '' } = values;
    const what = kind === 'election' ? { office: values.office as Office } : { class: values.class as Draft['class'] };
    const body: Draft = { title, text, ballot: values.ballot ? 'secret' : 'open', ...(change ? { change } : what) };
    const answer = await asVoter(() => call<typeof draftVotingProposal>('POST', '/voting/proposals', { body }));
    toast.success(answer.message);
    await refreshVotes();
    void navigate(votingPaths.vote(answer.proposal.id), { replace: true });
  };
  return (
    <ApiForm<string>
      keptAs={`draft of a vote ${[sacco, kind, product].join(' ')}`}
      label={say('Draft a vote')}
      className="grid gap-4"
      required={[
        ...(isByOfficials ? [] : ['title', 'text']),
        ...(form?.required ?? [kind === 'election' ? 'office' : 'class']),
      ]}
      emptyMessage={say('All Fields are required')}
      submit={submit}
      explain={explain}
      {...(form?.check ? { check: form.check } : {})}
    >
      {!isByOfficials && isOfTerms(kind) && <BeforeOneDrafts {...{ kind, product, sacco }} />}
      {form ? (
        <form.Fields sacco={sacco} product={product} isOfficial={isOfficial} choose={(id) => choose(kind, id)} />
      ) : (
        <FieldOfOther kind={kind} />
      )}
      {isOfTerms(kind) && <DraftEffect kind={kind} sacco={sacco} product={product} isOfficial={isOfficial} />}
      {!isByOfficials && isOfTerms(kind) && <RulesOfKind kind={kind} />}
      {!isByOfficials && !isAlwaysSecret(kind) && <SecretField />}
      {!isByOfficials && <Words kind={kind} />}
      {link}
      <SubmitButton busyLabel={say('processing...')}>
        {isByOfficials ? say('Propose') : say('Send it for signatures')}
      </SubmitButton>
    </ApiForm>
  );
}

/** What keeps the draft from being sent or published now, as far as it is known: another vote on the same, or of the same pool. */
function BeforeOneDrafts({ kind, product, sacco }: { kind: TermsKind; product: string | null; sacco: string }) {
  const { data } = useVoteRules(sacco);
  const busyWith = useBusyWith(sacco, isAboutPool(kind) && kind !== 'pool_steward_end' ? product : null);
  const vote = data?.underway.find((one) => one.kind === kind && one.subject === product);
  return (
    <>
      {vote && <WaitsNote vote={vote} />}
      {busyWith && <BusyNote vote={busyWith} />}
    </>
  );
}

/** A change has the class of its kind. */
function RulesOfKind({ kind }: { kind: TermsKind }) {
  const rules = useRules(BY_TWO_THIRDS.includes(kind) ? 'special' : 'ordinary');
  return <DraftRules rules={rules} kind="change" />;
}

/** Who reads the title. Of a pool those in it do. */
function readersWords(kind: Kind): string {
  if (isAboutPool(kind))
    return say('One line, as a member would say it. Those in the pool read it, and the supervisory committee.');
  return isOfTerms(kind) && isAboutPerson(kind)
    ? say('One line, as a member would say it. Members alone read it.')
    : say('One line, as a member would say it. Everybody may read it.');
}

function Words({ kind }: { kind: Kind }) {
  return (
    <>
      <TextField
        label={say('Title')}
        name="title"
        required
        maxLength={120}
        autoComplete="off"
        hint={readersWords(kind)}
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

function FieldOfOther({ kind }: { kind: Kind }) {
  return kind === 'election' ? <OfficeField /> : <ClassField />;
}

function kindWords(kind: Kind): string {
  if (kind === 'election') return say('Who holds an office');
  if (kind === 'resolution') return say('A resolution, in words');
  return shortPoolWords(kind) ?? titleOf(kind, kindOfVote);
}

/** Short, so that a narrow screen shows them whole: which pool it is the next field says. */
function shortPoolWords(kind: Kind): string | null {
  if (kind === 'pool_terms') return say('The terms of a pool');
  if (kind === 'pool_limits') return say('The settings of a pool');
  if (kind === 'pool_steward') return say('A steward of a pool');
  return kind === 'pool_write_off' ? say('Giving up a claim of a pool') : null;
}

function signersWords(kind: Kind, board: boolean): string {
  const values = { n: DRAFT_DAYS };
  if (isAboutPool(kind))
    return say(
      'One in twenty of those in the pool who could vote signs it within {n, plural, one {1 day} other {# days}}, at least three with you. Then it is published, and they vote.',
      values,
    );
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

function OfficeField() {
  const rules = useRules('election');
  const { notice_days, voting_days } = rules;
  return (
    <>
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
      <DraftRules rules={rules} kind="election" />
    </>
  );
}

/** Of a class, as the sacco's members have set them. */
function useRules(voteClass: VoteClass) {
  const { data } = useVoteRules(useSacco()?.id);
  return rulesUnder(data?.now ?? FIRST_GOVERNANCE, voteClass);
}

function SecretField() {
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-box border border-edge px-3.5 py-3 has-checked:border-forest has-checked:bg-forest-tint has-focus-visible:outline-3 has-focus-visible:outline-(--focus)">
      <input type="checkbox" name="ballot" value="secret" className="mt-0.5 size-5 shrink-0 accent-forest" />
      <span className="min-w-0">
        <span className="block font-semibold">{say('Secret ballot')}</span>
        <span className="block text-small text-ink-2">
          {secretLimits()} {say('No vote can be changed once it is in.')}
        </span>
      </span>
    </label>
  );
}

function ClassField() {
  const [voteClass, setClass] = useState<VoteClass>('ordinary');
  const rules = useRules(voteClass);
  const { notice_days, voting_days } = rules;
  return (
    <>
      <SelectField
        label={say('What does it need to pass?')}
        name="class"
        value={voteClass}
        onChange={(event) => setClass(event.currentTarget.value as VoteClass)}
        hint={say(
          'Members read it for {notice, plural, one {1 day} other {# days}}, then vote for {voting, plural, one {1 day} other {# days}}. A change of the by-laws needs two thirds. To end the sacco, or to join it with another one, needs three quarters.',
          { notice: notice_days, voting: voting_days },
        )}
      >
        {DECISION_CLASSES.map((each) => (
          <option key={each} value={each}>
            {classWords(each)}
          </option>
        ))}
      </SelectField>
      <DraftRules rules={rules} kind="resolution" />
    </>
  );
}
