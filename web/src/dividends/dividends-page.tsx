import type { chooseDividend, DividendYear, PaidInto } from '@ushirika/contract/dividends';
import { centsOf } from '@ushirika/contract/format';
import { Link } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { holdsOffice } from '../identity/holds-office.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { useSacco } from '../session/session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, EmptyState, Facts, FailureState, PageHead, Tag } from '../ui/card.tsx';
import { SelectField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { dividendPaths } from './dividend-paths.ts';
import { percent, stateWords } from './dividend-words.ts';
import { refreshDividends, useDividends } from './dividends.queries.ts';

/** /client/dividends: what one gets of the sacco's surplus, by year, and where one wants the next. */
export function DividendsPage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const years = useDividends(sacco?.id);
  return (
    <>
      <Title>{say('Dividends')}</Title>
      <PageHead title={say('Dividends')} lead={say('Your part of what the sacco has earned, and how it is reckoned.')}>
        {holdsOffice(profile, sacco?.id) && (
          <LinkButton look="line" to={dividendPaths.desk()}>
            {say('For officials')}
          </LinkButton>
        )}
      </PageHead>
      <div className="mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {years.data ? (
          <Years years={years.data.years} />
        ) : years.isError ? (
          <FailureState words={wordsFor(years.error)} again={say('Try again')} onAgain={() => void years.refetch()} />
        ) : (
          <Skeletons count={2} label={say('Loading...')} className="h-32 rounded-card" />
        )}
        {years.data && <ChoiceCard choice={years.data.choice} />}
      </div>
    </>
  );
}

function Years({ years }: { years: readonly DividendYear[] }) {
  if (years.length === 0) {
    return (
      <EmptyState
        title={say('No year is closed yet')}
        next={say('Two officials close a year once it is over. Then members vote on a dividend.')}
      />
    );
  }
  return (
    <ul className="grid gap-4">
      {years.map((each) => (
        <li key={each.year}>
          <YearCard {...each} />
        </li>
      ))}
    </ul>
  );
}

/** One year; `title` and `to` where it is not of the chosen sacco. */
export function YearCard({
  year,
  state,
  declared,
  mine,
  title = say('Year {year}', { year: String(year) }),
  to = dividendPaths.year(year),
}: DividendYear & { title?: string; to?: string }) {
  const [words, tone] = stateWords[state]();
  return (
    <Card className="p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="min-w-0 text-lead break-words">
          <Link to={to} className="underline-offset-4 hover:underline">
            {title}
          </Link>
        </h2>
        <Tag tone={tone}>{words}</Tag>
      </div>
      {declared && (
        <p className="mt-1 text-small text-ink-2">
          {say('{shares} on shares, {savings} on savings', {
            shares: percent(declared.share_rate),
            savings: percent(declared.savings_rate),
          })}
        </p>
      )}
      {mine ? (
        <Facts
          facts={[
            [say('Dividend on shares'), <Money key="shares" shillings={mine.share_dividend} />],
            [say('Interest on savings'), <Money key="savings" shillings={mine.savings_interest} />],
            [say('Tax withheld'), <Money key="tax" shillings={-mine.tax} sign />],
            ...takenOf(mine),
            [
              state === 'paid' ? say('Paid to you') : say('You will get'),
              <Money key="net" shillings={toMember(mine)} />,
            ],
          ]}
        />
      ) : (
        declared && <p className="mt-2 text-ink-2">{say('You had neither shares nor savings in that year.')}</p>
      )}
      <p className="mt-3">
        <Link to={to} className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4">
          {say('How it is reckoned')}
        </Link>
      </p>
    </Card>
  );
}

/** What of the net amount paid for the member's loans, before they got anything. */
const takenOf = ({ paid_back: back, paid_arrears: loans }: NonNullable<DividendYear['mine']>) => [
  ...(back > 0
    ? [[say('Paid back to those who guaranteed your loans'), <Money key="back" shillings={-back} sign />] as const]
    : []),
  ...(loans > 0 ? [[say('Paid to your loans'), <Money key="loans" shillings={-loans} sign />] as const] : []),
];

const toMember = ({ net, paid_back, paid_arrears }: NonNullable<DividendYear['mine']>): number =>
  (centsOf(net) - centsOf(paid_back) - centsOf(paid_arrears)) / 100;

function ChoiceCard({ choice }: { choice: PaidInto }) {
  const submit = async ({ into }: Record<'into', string>) => {
    const answer = await call<typeof chooseDividend>('PUT', '/dividends/choice', { body: { into: into as PaidInto } });
    toast.success(answer.message);
    await refreshDividends();
  };
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Where it goes')}</h2>
      <p className="mt-1 mb-4 text-small text-ink-2">
        {say(
          'What you owe of late loans, and to those who paid for you, is paid first. Shares are bought whole; the rest is in your wallet.',
        )}
      </p>
      <ApiForm<'into'>
        key={choice}
        label={say('Where it goes')}
        className="grid gap-4"
        required={['into']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
      >
        <SelectField label={say('The next dividend goes')} name="into" defaultValue={choice}>
          <option value="wallet">{say('into my wallet')}</option>
          <option value="shares">{say('into more shares')}</option>
        </SelectField>
        <SubmitButton look="line" busyLabel={say('processing...')}>
          {say('Save')}
        </SubmitButton>
      </ApiForm>
    </Card>
  );
}
