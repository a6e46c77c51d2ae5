import { daysOfYear } from '@ushirika/contract/dividend-rules';
import { type DividendPayments, type MemberPayment, PAID_PARTS } from '@ushirika/contract/dividends';
import { centsOf, formatShillings } from '@ushirika/contract/format';
import { useState } from 'react';
import { useParams } from 'react-router';
import { CallFailure, wordsFor } from '../../api/failure.ts';
import { dividendPaths } from '../../dividends/dividend-paths.ts';
import { percent } from '../../dividends/dividend-words.ts';
import { allPayments, useDividendPayments } from '../../dividends/dividends.queries.ts';
import { holdsOffice } from '../../identity/holds-office.ts';
import { useProfile } from '../../identity/profile.queries.ts';
import { DeskList } from '../../layouts/list-states.tsx';
import { NotFoundPage } from '../../layouts/not-found-page.tsx';
import { Title } from '../../layouts/title.tsx';
import { useSacco } from '../../session/session.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, EmptyState, Facts, PageHead } from '../../ui/card.tsx';
import { formatCount, LongDate, Money } from '../../ui/figures.tsx';
import { saveCsv } from '../../ui/save-csv.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.ts';
import { say } from '../../words/say.ts';

/** /client/dividends/desk/:year: for officials, what a declared dividend comes to, and what each member got of it. */
export function DividendPaymentsPage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const year = Number(useParams().year);
  if (!sacco || !profile) return null;
  const title = say('Dividend of {year}', { year: String(year) });
  return (
    <>
      <Title>{title}</Title>
      <BackLink to={dividendPaths.desk()}>{say('Dividend desk')}</BackLink>
      {holdsOffice(profile, sacco.id) ? (
        <Payments sacco={sacco.id} year={year} title={title} />
      ) : (
        <>
          <PageHead title={title} />
          <EmptyState title={say('For officials')} next={say('Only officials of the sacco see this page.')} />
        </>
      )}
    </>
  );
}

function Payments({ sacco, year, title }: { sacco: string; year: number; title: string }) {
  const list = useDividendPayments(sacco, year);
  const { error } = list;
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  const first = list.data?.pages[0] as DividendPayments | undefined;
  return (
    <>
      <PageHead title={title} lead={say('Only officials see these details. Views are logged.')}>
        {first && <SaveButton sacco={sacco} year={year} />}
      </PageHead>
      <div className="mt-5 grid gap-5">
        {first && <Totals first={first} />}
        <Card className="min-w-0 px-5 py-3">
          <h2 className="mt-2 text-lead">{say('Members')}</h2>
          {first && <Rules year={year} first={first} />}
          <DeskList pages={list} empty={{ title: say('No members yet'), next: '' }}>
            {(rows) => <Table caption={title} columns={columns()} rows={rows} keyOf={({ id }) => id} />}
          </DeskList>
        </Card>
      </div>
    </>
  );
}

/** Two sums that end in the same amount: what it comes to, and where it went. */
function Totals({ first }: { first: DividendPayments }) {
  const { declared, totals, count } = first;
  if (!totals) return null;
  const { share_rate, savings_rate, share_tax, savings_tax } = declared;
  const net = [say('After tax'), <Money key="net" shillings={totals.net} className="text-lead" />] as const;
  return (
    <div className="grid items-start gap-5 md:grid-cols-2">
      <Card className="min-w-0 p-5">
        <h2 className="text-lead">{say('What it comes to')}</h2>
        <Facts
          facts={[
            [say('Members'), formatCount(count)],
            [say('Dividend on shares at {rate}', { rate: percent(share_rate) }), plain(totals.share_dividend)],
            [taxOfDividend(share_tax, first.share_tax_abroad), less(totals.tax_on_shares)],
            [say('Interest on savings at {rate}', { rate: percent(savings_rate) }), plain(totals.savings_interest)],
            [taxOfInterest(savings_tax, first.savings_tax_abroad), less(totals.tax_on_savings)],
            net,
          ]}
        />
      </Card>
      <Card className="min-w-0 p-5">
        <h2 className="text-lead">{say('Where it went')}</h2>
        <Facts facts={[...wentTo(totals).map(([name, shillings]) => [name, plain(shillings)] as const), net]} />
      </Card>
    </div>
  );
}

const taxOfDividend = (rate: number, abroad: number) =>
  rate === abroad
    ? say('Tax withheld of the dividend, {rate}', { rate: percent(rate) })
    : say('Tax withheld of the dividend, {rate}, abroad {abroad}', { rate: percent(rate), abroad: percent(abroad) });
const taxOfInterest = (rate: number, abroad: number) =>
  rate === abroad
    ? say('Tax withheld of the interest, {rate}', { rate: percent(rate) })
    : say('Tax withheld of the interest, {rate}, abroad {abroad}', { rate: percent(rate), abroad: percent(abroad) });

const plain = (shillings: number) => <Money shillings={shillings} />;
const less = (shillings: number) => <Money shillings={-shillings} sign />;

type Went = Pick<MemberPayment, 'to_loans' | 'to_guarantors' | 'into_shares' | 'into_wallet' | 'waits'>;

const wentTo = ({ to_loans, to_guarantors, into_shares, into_wallet, waits }: Went) =>
  [
    [say('To loans'), to_loans],
    [say('To guarantors and pools'), to_guarantors],
    [say('Into shares'), into_shares],
    [say('To wallets'), into_wallet],
    [say('Not paid yet'), waits],
  ] as const;

/** How a line is reckoned, so that anybody can do it again. */
function Rules({ year, first: { declared, share_value } }: { year: number; first: DividendPayments }) {
  const value = formatShillings(share_value);
  return (
    <p className="mt-1 mb-2 text-small text-ink-2">
      {say('Dividend: shares × days × {value} × {rate} ÷ {days}.', {
        ...{ value, rate: percent(declared.share_rate), days: String(daysOfYear(year)) },
      })}{' '}
      {say('Interest: savings × months × {rate} ÷ 12.', { rate: percent(declared.savings_rate) })}
    </p>
  );
}

function columns(): Column<MemberPayment>[] {
  return [
    { head: say('Member'), title: true, cell: memberCell },
    {
      head: say('Dividend on shares'),
      end: true,
      cell: ({ share_dividend, share_days }) =>
        withReason(share_dividend, say('Shares × days: {n}', { n: formatCount(share_days) })),
    },
    {
      head: say('Interest on savings'),
      end: true,
      cell: ({ savings_interest, savings_months }) =>
        withReason(savings_interest, say('Savings × months: {amount}', { amount: formatShillings(savings_months) })),
    },
    { head: say('Tax'), end: true, cell: (row) => <Money shillings={taxOf(row)} /> },
    { head: say('After tax'), end: true, cell: ({ net }) => <Money shillings={net} className="font-semibold" /> },
    { head: say('Where it went'), end: true, cell: wentCell },
  ];
}

const taxOf = ({ tax_on_shares, tax_on_savings }: MemberPayment) =>
  (centsOf(tax_on_shares) + centsOf(tax_on_savings)) / 100;

const memberCell = ({ name, handle, lives, paid_at }: MemberPayment) => (
  <span className="min-w-0">
    <span className="font-semibold break-words">{name}</span>
    <span className="block text-small text-ink-2">
      {handle && `${handle} · `}
      {lives === 'abroad' && `${say('lives abroad')} · `}
      {paid_at ? <LongDate iso={paid_at} /> : say('Not paid yet')}
    </span>
  </span>
);

function withReason(shillings: number, reason: string) {
  return (
    <span>
      <Money shillings={shillings} />
      {shillings > 0 && <span className="block text-small text-ink-2">{reason}</span>}
    </span>
  );
}

function wentCell(row: MemberPayment) {
  return (
    <span className="inline-grid grid-cols-[auto_auto] gap-x-3 text-small">
      {wentTo(row)
        .filter(([, shillings]) => shillings > 0)
        .map(([name, shillings]) => (
          <span key={name} className="contents">
            <span className="text-ink-2">{name}</span>
            <Money shillings={shillings} />
          </span>
        ))}
    </span>
  );
}

function SaveButton({ sacco, year }: { sacco: string; year: number }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveCsv(`ushirika-dividend-${year}.csv`, linesOf(await allPayments(sacco, year)));
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="line" busy={busy} onClick={() => void save()}>
      {busy ? say('Loading...') : say('Save as CSV')}
    </Button>
  );
}

/** One line for each member, with the figures as numbers. */
function linesOf(rows: readonly MemberPayment[]): string[][] {
  const head = ['member', 'handle', 'lives', 'share_days', 'savings_months', ...PAID_PARTS, 'shares_bought', 'paid_at'];
  const lines = rows.map((row) => [
    row.name,
    row.handle ?? '',
    row.lives,
    String(row.share_days),
    row.savings_months.toFixed(2),
    ...PAID_PARTS.map((part) => row[part].toFixed(2)),
    String(row.shares_bought),
    row.paid_at ?? '',
  ]);
  return [head, ...lines];
}
