import type { MyDividend } from '@ushirika/contract/dividends';
import { formatShillings } from '@ushirika/contract/format';
import { Link, useParams } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { ReceiptPaper } from '../receipts/receipt-paper.tsx';
import { useSacco } from '../session/session.ts';
import { Card, Facts, FailureState, PageHead } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { dividendPaths } from './dividend-paths.ts';
import { dayWords, percent } from './dividend-words.ts';
import { useDividend } from './dividends.queries.ts';
import { SavingsReckoning, ShareReckoning } from './reckoning.tsx';

/** /client/dividends/:year: one year, line by line, with the certificate once it is paid. */
export function DividendPage() {
  const sacco = useSacco();
  const year = Number(useParams().year);
  const dividend = useDividend(sacco?.id, year);
  const title = say('Year {year}', { year: String(year) });
  return (
    <>
      <Title>{title}</Title>
      <Link
        to={dividendPaths.dividends()}
        className="mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-2 hover:text-ink print:hidden"
      >
        <Icon name="back" className="size-4.5" />
        {say('Dividends')}
      </Link>
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
      say('Tax withheld ({shares} of dividends, {savings} of interest)', {
        shares: percent(declared.share_tax),
        savings: percent(declared.savings_tax),
      }),
      formatShillings(mine.tax),
    ],
    [say('After tax'), formatShillings(mine.net)],
  ] as const;
}

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
  const what = say('Dividend and interest of {year}, {sacco}', { year: String(year), sacco: sacco.name });
  const facts = [
    [say('Member'), member.name] as const,
    ...factsOf(dividend),
    ...(mine && mine.paid_arrears > 0
      ? [[say('Of this, paid to loans'), formatShillings(mine.paid_arrears)] as const]
      : []),
    ...(mine && mine.shares_bought > 0 ? [[say('Shares bought with it'), String(mine.shares_bought)] as const] : []),
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
