import type { closeYear, DividendDesk } from '@ushirika/contract/dividends';
import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { Office } from '@ushirika/contract/route';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { wordsFor } from '../../api/failure.ts';
import { dividendPaths } from '../../dividends/dividend-paths.ts';
import { percent, stateWords } from '../../dividends/dividend-words.ts';
import { refreshDividends, useDividendDesk } from '../../dividends/dividends.queries.ts';
import { holdsOffice } from '../../identity/holds-office.ts';
import { useProfile } from '../../identity/profile.queries.ts';
import { Title } from '../../layouts/title.tsx';
import { SureDialog } from '../../loans/sure-dialog.tsx';
import { ChangeCard } from '../../saccos/change-card.tsx';
import { openOf, useSaccoChanges } from '../../saccos/changes.queries.ts';
import { useHoldsOfficeOnly } from '../../saccos/office-only.tsx';
import { useSacco } from '../../session/session.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card, EmptyState, Facts, FailureState, PageHead } from '../../ui/card.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { say } from '../../words/say.ts';
import { ResidencesCard } from './residences-card.tsx';
import { SimulationCard } from './simulation-card.tsx';

/** As the contract has it for `closeYear`. */
const PROPOSERS: ReadonlySet<Office> = new Set(['chair', 'secretary', 'treasurer']);

/** /client/dividends/desk: officials close a year, try rates, and put them to the vote. */
export function DividendsDeskPage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const isOfficial = holdsOffice(profile, sacco?.id);
  const desk = useDividendDesk(isOfficial ? sacco?.id : undefined);
  const { data: changes } = useSaccoChanges(isOfficial ? sacco?.id : undefined);
  const waiting = openOf(changes?.results, 'year_closing');
  const closes =
    profile?.roles.some((role) => role.sacco === sacco?.id && role.office && PROPOSERS.has(role.office)) ?? false;
  const isOfficeOnly = useHoldsOfficeOnly();
  if (!sacco) return null;
  return (
    <>
      <Title>{say('Dividend desk')}</Title>
      <PageHead
        title={say('Dividend desk')}
        lead={say('Two officials close a year. Members decide by vote what is paid of its surplus.')}
      >
        {isOfficeOnly === false && (
          <LinkButton look="line" to={dividendPaths.dividends()}>
            {say('Dividends')}
          </LinkButton>
        )}
      </PageHead>
      <div className="mt-5 grid gap-5">
        {profile && !isOfficial && (
          <EmptyState title={say('For officials')} next={say('Only officials of the sacco see this page.')} />
        )}
        {waiting && <ChangeCard change={waiting} sacco={sacco.id} />}
        {desk.data ? (
          <>
            <NextYear desk={desk.data} isWaiting={waiting !== undefined} mayPropose={closes} />
            <ToVote desk={desk.data} sacco={sacco.id} />
            <Closed desk={desk.data} />
            <ResidencesCard
              sacco={sacco.id}
              taxes={{ shares: desk.data.share_tax_abroad, savings: desk.data.savings_tax_abroad }}
            />
          </>
        ) : desk.isError ? (
          <FailureState words={wordsFor(desk.error)} again={say('Try again')} onAgain={() => void desk.refetch()} />
        ) : (
          isOfficial && <Skeletons count={2} label={say('Loading...')} className="h-40 rounded-card" />
        )}
      </div>
    </>
  );
}

function NextYear({ desk, isWaiting, mayPropose }: { desk: DividendDesk; isWaiting: boolean; mayPropose: boolean }) {
  const { year, figures, why_not: whyNot } = desk.next;
  const [isAsking, setAsking] = useState(false);
  const send = async () => {
    const answer = await call<typeof closeYear>('POST', '/sacco/dividends/years', { body: { year } });
    await refreshDividends();
    return answer;
  };
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Close {year}', { year: String(year) })}</h2>
      {figures ? (
        <>
          <Facts
            facts={[
              [say('Surplus: income less costs'), <Money key="surplus" shillings={figures.surplus} />],
              [say('Reserve by law, one fifth'), <Money key="reserve" shillings={figures.reserve} />],
              [say('May be distributed'), <Money key="rest" shillings={figures.distributable} />],
            ]}
          />
          {mayPropose && (
            <Button
              className="mt-4"
              disabledReason={isWaiting ? say('Another change is already waiting. Decide on that first.') : null}
              onClick={() => setAsking(true)}
            >
              {say('Propose to close the year')}
            </Button>
          )}
        </>
      ) : (
        <p className="mt-1 text-ink-2">{whyNot}</p>
      )}
      {isAsking && (
        <SureDialog
          title={say('Close {year}?', { year: String(year) })}
          act={say('Propose to close the year')}
          send={send}
          onClose={() => setAsking(false)}
        >
          <p>
            {say(
              'One fifth of the surplus goes to the reserve by law; of the rest members may vote a dividend. Another official confirms it, and it holds 24 hours later. A closed year is not opened again.',
            )}
          </p>
        </SureDialog>
      )}
    </Card>
  );
}

/** The last closed year, while nothing is declared of it. */
function ToVote({ desk, sacco }: { desk: DividendDesk; sacco: string }) {
  const [last] = desk.years;
  if (last?.state !== 'closed') return null;
  if (!last.is_reckoned) {
    return (
      <Card className="p-5">
        <p>{say('What each member’s shares and savings count for is being reckoned. Look again in a minute.')}</p>
      </Card>
    );
  }
  return <SimulationCard desk={desk} year={last.year} closedAt={last.closed_at} sacco={sacco} />;
}

type ClosedYear = DividendDesk['years'][number];

/** Once something is declared, the way to who got what. */
function yearCell({ year, declared }: ClosedYear) {
  if (!declared) return year;
  return (
    <Link className="link inline-flex min-h-11 items-center" to={dividendPaths.payments(year)}>
      {year}
    </Link>
  );
}

function afterTax({ gross, tax }: ClosedYear) {
  if (gross === null || tax === null) return '–';
  return (
    <span>
      <Money shillings={shillingsFrom(gross, tax)} className="font-semibold" />
      <span className="block text-small text-ink-2">
        {say('{amount} before tax', { amount: formatShillings(gross) })}
      </span>
    </span>
  );
}

/** Shillings less shillings, to the cent. */
const shillingsFrom = (gross: number, tax: number) => (centsOf(gross) - centsOf(tax)) / 100;

function Closed({ desk }: { desk: DividendDesk }) {
  if (desk.years.length === 0) return null;
  return (
    <Card className="min-w-0 px-5 py-3">
      <h2 className="mt-2 text-lead">{say('Closed years')}</h2>
      <Table
        caption={say('Closed years')}
        columns={[
          { head: say('Year'), cell: yearCell, title: true },
          { head: say('Surplus'), cell: ({ figures }) => <Money shillings={figures.surplus} />, end: true },
          {
            head: say('Reserve by law, one fifth'),
            cell: ({ figures }) => <Money shillings={figures.reserve} />,
            end: true,
          },
          { head: say('Members'), cell: ({ members }) => formatCount(members), end: true },
          {
            head: say('Dividend on shares'),
            cell: ({ declared }) => (declared ? percent(declared.share_rate) : '–'),
            end: true,
          },
          {
            head: say('Interest on savings'),
            cell: ({ declared }) => (declared ? percent(declared.savings_rate) : '–'),
            end: true,
          },
          { head: say('After tax'), cell: afterTax, end: true },
          { head: say('State'), cell: ({ state }) => stateWords[state]()[0] },
        ]}
        rows={desk.years}
        keyOf={({ year }) => String(year)}
      />
    </Card>
  );
}
