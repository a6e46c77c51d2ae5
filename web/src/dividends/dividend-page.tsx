import { withheldOf } from '@ushirika/contract/dividend-rules';
import type { MyDividend } from '@ushirika/contract/dividends';
import { centsOf, formatShillings } from '@ushirika/contract/format';
import { useParams } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { ReceiptPaper } from '../receipts/receipt-paper.tsx';
import { useSacco } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Card, Facts, FailureState, PageHead } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { dividendPaths } from './dividend-paths.ts';
import { dayWords, percent } from './dividend-words.ts';
import { useDividend, useOwnDividend } from './dividends.queries.ts';
import { SavingsReckoning, ShareReckoning } from './reckoning.tsx';

/** /client/dividends/:year: one year, line by line, with the certificate once it is paid. */
export function DividendPage() {
  const { year = '' } = useParams();
  return isYear(year) ? <YearOfSacco year={Number(year)} /> : <NotFoundPage />;
}

function YearOfSacco({ year }: { year: number }) {
  const sacco = useSacco();
  const back = { to: dividendPaths.dividends(), words: say('Dividends') };
  return (
    <OneYear title={say('Year {year}', { year: String(year) })} back={back} dividend={useDividend(sacco?.id, year)} />
  );
}

/** /profile/dividends/:sacco/:year: the same for whoever has left the sacco. */
export function OwnDividendPage() {
  const { sacco = '', year = '' } = useParams();
  return isYear(year) ? <OwnYear sacco={sacco} year={year} /> : <NotFoundPage />;
}

const isYear = (text: string): boolean => /^\d{4}$/.test(text);

function OwnYear({ sacco, year }: { sacco: string; year: string }) {
  const dividend = useOwnDividend(sacco, Number(year));
  const name = dividend.data?.sacco.name;
  const title = name ? `${name}, ${year}` : say('Year {year}', { year: String(year) });
  const back = { to: dividendPaths.own(), words: say('Your dividends') };
  return <OneYear title={title} back={back} dividend={dividend} />;
}

function OneYear({
  title,
  back,
  dividend,
}: {
  title: string;
  back: { readonly to: string; readonly words: string };
  dividend: ReturnType<typeof useDividend>;
}) {
  return (
    <>
      <Title>{title}</Title>
      <BackLink to={back.to}>{back.words}</BackLink>
      <div className="print:hidden">
        <PageHead
          title={title}
          lead={say('Every line can be checked: the same rules reckon it here and on the server.')}
        />
      </div>
      {dividend.data ? (
        <Reckoned dividend={dividend.data} />
      ) : dividend.isError ? (
        <FailureState
          words={wordsFor(dividend.error)}
          again={say('Try again')}
          onAgain={() => void dividend.refetch()}
        />
      ) : (
        <Skeletons count={3} label={say('Loading...')} className="mt-5 h-32 rounded-card" />
      )}
    </>
  );
}

function Reckoned({ dividend }: { dividend: MyDividend }) {
  const { mine, declared } = dividend;
  return (
    <div className="mt-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-5 print:hidden">
        <ShareReckoning dividend={dividend} />
        <SavingsReckoning dividend={dividend} />
      </div>
      {mine && declared ? (
        mine.paid_at === null ? (
          <Coming dividend={dividend} />
        ) : (
          <div className="max-lg:order-first">
            <Certificate dividend={dividend} at={mine.paid_at} />
          </div>
        )
      ) : (
        <Card className="p-5">
          <p className="text-ink-2">
            {declared
              ? say('You had neither shares nor savings in that year.')
              : say(
                  'Members have not voted on a dividend of this year yet. What your shares and savings count for stands here already.',
                )}
          </p>
        </Card>
      )}
    </div>
  );
}

function factsOf({ declared, mine }: MyDividend) {
  if (!declared || !mine) return [];
  return [
    [say('Dividend on shares at {rate}', { rate: percent(declared.share_rate) }), formatShillings(mine.share_dividend)],
    [
      say('Interest on savings at {rate}', { rate: percent(declared.savings_rate) }),
      formatShillings(mine.savings_interest),
    ],
    [
      say('Tax withheld of the dividend, {rate}', { rate: percent(declared.share_tax) }),
      formatShillings(shareTaxOf(mine, declared)),
    ],
    [
      say('Tax withheld of the interest, {rate}', { rate: percent(declared.savings_tax) }),
      formatShillings((centsOf(mine.tax) - centsOf(shareTaxOf(mine, declared))) / 100),
    ],
    [say('After tax'), formatShillings(mine.net)],
  ] as const;
}

type Mine = NonNullable<MyDividend['mine']>;

/** As the server reckons it. */
const shareTaxOf = (mine: Mine, { share_tax }: NonNullable<MyDividend['declared']>): number =>
  withheldOf(centsOf(mine.share_dividend), Math.round(share_tax * 100)) / 100;

/** Where the net amount has gone, line by line. */
function wayOf({ net, paid_arrears: loans, paid_back: back, shares_bought: shares }: Mine) {
  const left = centsOf(net) - centsOf(loans) - centsOf(back);
  return [
    ...(back > 0 ? [[say('Paid back to those who guaranteed your loans'), formatShillings(back)] as const] : []),
    ...(loans > 0 ? [[say('Paid to your loans'), formatShillings(loans)] as const] : []),
    ...(left > 0 ? [[say('Where it went'), restWords(shares, left < centsOf(net))] as const] : []),
  ];
}

function restWords(shares: number, isRest: boolean): string {
  if (shares === 0) return isRest ? say('What was left went to your wallet.') : say('All of it went to your wallet.');
  return `${say('{n, plural, one {1 share was} other {# shares were}} bought.', { n: shares })} ${say('What was left went to your wallet.')}`;
}

/** The same for everybody who asks for it again: the year, the sacco and the member. */
const certificateNumber = (year: number, saccoId: string, userId: string): string =>
  [String(year), saccoId.slice(-6), userId.slice(-6)].join('-').toUpperCase();

function Coming({ dividend }: { dividend: MyDividend }) {
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('You will get')}</h2>
      <p className="text-head font-bold">
        <Money shillings={dividend.mine?.net ?? 0} />
      </p>
      <p className="text-small text-ink-2">
        {say('It is paid on the day after {day}.', { day: dayWords(dividend.declared?.record_date ?? '') })}
      </p>
      <Facts facts={factsOf(dividend)} />
    </Card>
  );
}

/** For the tax return: what was paid and withheld, to keep or to print. */
function Certificate({ dividend, at }: { dividend: MyDividend; at: string }) {
  const { year, sacco, member, mine } = dividend;
  const { data: profile } = useProfile();
  const what = say('Dividend and interest of {year}, {sacco}', { year: String(year), sacco: sacco.name });
  const facts = [
    ...(profile
      ? [[say('Number of the certificate'), certificateNumber(year, sacco.id, profile.user.id)] as const]
      : []),
    [say('Member'), member.name] as const,
    ...(profile ? [[say('ID Number'), profile.user.id_number] as const] : []),
    [say('Sacco'), sacco.name] as const,
    ...(sacco.reg_no ? [[say('Registration number of the sacco'), sacco.reg_no] as const] : []),
    ...factsOf(dividend),
    ...(mine ? wayOf(mine) : []),
  ];
  return (
    <ReceiptPaper
      mark={say('Certificate for the tax return')}
      what={what}
      shillings={mine?.net ?? 0}
      at={at}
      facts={facts}
      text={['Ushirika', what, ...facts.map(([name, value]) => `${name}: ${value}`)].join('\n')}
      fileName={`dividend-${year}`}
    />
  );
}
