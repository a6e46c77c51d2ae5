import { SAVINGS_METHODS, type SavingsMethod } from '@ushirika/contract/dividend-rules';
import type { DividendDesk, DividendSimulation } from '@ushirika/contract/dividends';
import { nairobiDay } from '@ushirika/contract/time';
import type { draftVotingProposal } from '@ushirika/contract/voting';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiForm } from '../../api/api-form.tsx';
import { call } from '../../api/call.ts';
import { wordsFor } from '../../api/failure.ts';
import { methodWords, percent } from '../../dividends/dividend-words.ts';
import { type AskedRates, useSimulation } from '../../dividends/dividends.queries.ts';
import { keepTyping, readTyping } from '../../session/kept-typing.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { SubmitButton } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { asVoter } from '../../voting/as-voter.ts';
import { explainDraft } from '../../voting/explain-vote.ts';
import { refreshVotes } from '../../voting/voting.queries.ts';
import { votingPaths } from '../../voting/voting-paths.ts';
import { say } from '../../words/say.ts';

const DAY_MS = 86_400_000;
/** The record date that is offered: time for the vote, and for members to choose. */
const OFFERED_DAYS = 45;

/** Rates are tried, and what they would cost and bring is shown at once; then they are put to the vote. */
export function SimulationCard({
  desk,
  year,
  closedAt,
  sacco,
}: {
  desk: DividendDesk;
  year: number;
  closedAt: string;
  sacco: string;
}) {
  const keptAs = `dividend ${sacco} ${year}`;
  const [rates, setRates] = useState<AskedRates>(() => ({
    ...{ share_rate: '5', savings_rate: '3', savings_method: 'month_after' },
    ...readTyping<AskedRates>(`${keptAs} rates`),
    year,
  }));
  const asked = useDeferredValue(rates);
  const simulation = useSimulation(sacco, asked);
  const set = (more: Partial<AskedRates>) => {
    setRates({ ...rates, ...more });
    keepTyping(`${keptAs} rates`, { ...rates, ...more });
  };
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Try rates for {year}', { year: String(year) })}</h2>
      <div className="mt-3 grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-4">
          <Rate
            label={say('Dividend on shares')}
            value={rates.share_rate}
            onChange={(share_rate) => set({ share_rate })}
          />
          <Rate
            label={say('Interest on savings')}
            value={rates.savings_rate}
            onChange={(savings_rate) => set({ savings_rate })}
          />
          <SelectField
            label={say('How savings count')}
            name="savings_method"
            value={rates.savings_method}
            onChange={(event) => set({ savings_method: event.currentTarget.value as SavingsMethod })}
          >
            {SAVINGS_METHODS.map((each) => (
              <option key={each} value={each}>
                {methodWords(each)}
              </option>
            ))}
          </SelectField>
        </div>
        <div aria-live="polite">
          {simulation.isError ? (
            <p role="alert">{wordsFor(simulation.error)}</p>
          ) : (
            simulation.data && <Simulated of={simulation.data} />
          )}
        </div>
      </div>
      {simulation.data && simulation.data.why_not === null && !simulation.isError && (
        <PutToVote keptAs={keptAs} desk={desk} rates={rates} closedAt={closedAt} gross={simulation.data.gross} />
      )}
    </Card>
  );
}

/** A percentage to slide or to type. */
function Rate({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-semibold">
        {label} (%)
      </label>
      <div className="flex items-center gap-4">
        <input
          type="range"
          min={0}
          max={20}
          step={0.05}
          value={Number(value) || 0}
          aria-label={say('{what}, to slide', { what: label })}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="h-11 min-w-0 grow accent-forest"
        />
        <input
          id={id}
          type="text"
          inputMode="decimal"
          value={value}
          maxLength={6}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
          className="field-box num max-w-24"
        />
      </div>
    </div>
  );
}

function Simulated({ of }: { of: DividendSimulation }) {
  const { members, ratios } = of;
  const money = (shillings: number) => <Money key="money" shillings={shillings} />;
  const facts: (readonly [ReactNode, ReactNode])[] = [
    [say('Dividends on shares'), money(of.share_dividend)],
    [say('Interest on savings'), money(of.savings_interest)],
    [say('Costs the sacco'), money(of.gross)],
    [say('Of this, tax withheld'), money(of.tax)],
    [say('Stays with the sacco'), money(of.stays)],
    ...(members
      ? [
          [say('Members who get something'), formatCount(members.count)] as const,
          [say('Least, middle, most of one member'), <Spread key="spread" {...members} />] as const,
        ]
      : []),
    [say('You would get'), money(of.mine)],
    ...(['core_to_assets', 'institutional_to_assets', 'core_to_deposits'] as const).map(
      (name) => [ratioWords(name), <Ratio key={name} name={name} ratios={ratios} />] as const,
    ),
  ];
  return (
    <>
      <Facts facts={facts} />
      {ratios.below.length > 0 && !ratios.is_refused && (
        <p className="mt-3 text-small font-semibold text-clay">
          {say('That brings the capital below what saccos must have. For your kind of group it is a warning.')}
        </p>
      )}
      {of.why_not && (
        <p role="alert" className="mt-3 font-semibold text-clay">
          {of.why_not}
        </p>
      )}
    </>
  );
}

function Spread({ least, median, most }: NonNullable<DividendSimulation['members']>) {
  return (
    <>
      <Money shillings={least} /> · <Money shillings={median} /> · <Money shillings={most} />
    </>
  );
}

type RatioName = 'core_to_assets' | 'institutional_to_assets' | 'core_to_deposits';

function ratioWords(name: RatioName): string {
  if (name === 'core_to_assets') return say('Core capital of the assets');
  if (name === 'core_to_deposits') return say('Core capital of the savings');
  return say('Reserves of the assets');
}

function Ratio({ name, ratios }: { name: RatioName; ratios: DividendSimulation['ratios'] }) {
  const [before, after, least] = [ratios.before[name], ratios.after[name], ratios.minimum[name]];
  const shown = (ratio: number | null) => (ratio === null ? '–' : percent(ratio));
  return (
    <span className={ratios.below.includes(name) ? 'text-clay' : ''}>
      {say('{before} → {after}, at least {least}', { before: shown(before), after: shown(after), least: shown(least) })}
    </span>
  );
}

type Field = 'title' | 'text' | 'record_date';

/** Leads to the draft of a vote with these values. Another official of the board signs it. */
function PutToVote({
  keptAs,
  desk,
  rates,
  closedAt,
  gross,
}: {
  keptAs: string;
  desk: DividendDesk;
  rates: AskedRates;
  closedAt: string;
  gross: number;
}) {
  const navigate = useNavigate();
  const submit = async ({ title, text, record_date }: Record<Field, string>) => {
    const { share_tax, savings_tax } = desk;
    const change = { kind: 'dividend', values: { ...rates, record_date, share_tax, savings_tax } } as const;
    const answer = await asVoter(() =>
      call<typeof draftVotingProposal>('POST', '/voting/proposals', {
        body: { title, text, change },
      }),
    );
    toast.success(answer.message);
    await refreshVotes();
    void navigate(votingPaths.vote(answer.proposal.id));
  };
  const offered = nairobiDay(new Date(Date.parse(closedAt) + OFFERED_DAYS * DAY_MS));
  return (
    <div className="mt-6 border-t border-dashed border-line pt-5">
      <h3 className="text-lead">{say('Put it to the vote')}</h3>
      <p className="mt-1 mb-4 max-w-[70ch] text-small text-ink-2">
        {say('Members decide on exactly these rates. What they cost:')} <Money shillings={gross} />
      </p>
      <ApiForm<Field>
        keptAs={keptAs}
        label={say('Put it to the vote')}
        className="grid max-w-[720px] gap-4"
        required={['title', 'text', 'record_date']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        explain={explainDraft}
      >
        <TextField
          label={say('Record date')}
          name="record_date"
          type="date"
          required
          defaultValue={offered}
          hint={say(
            'Until its end members choose wallet or shares. It is paid on the day after, or once it is declared.',
          )}
        />
        <TextField
          label={say('Title')}
          name="title"
          required
          maxLength={120}
          autoComplete="off"
          defaultValue={say('A dividend of {shares}% and {savings}% interest for {year}', {
            shares: rates.share_rate,
            savings: rates.savings_rate,
            year: String(rates.year),
          })}
          key={`${rates.share_rate}/${rates.savings_rate}`}
        />
        <TextArea
          label={say('Text')}
          name="text"
          required
          rows={4}
          maxLength={4_000}
          hint={say('Why these rates, and what stays with the sacco.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Send it for signatures')}</SubmitButton>
      </ApiForm>
    </div>
  );
}
