import type { LogFacts, LogTotal } from '@ushirika/contract/proofs';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Card, Facts, FailureState, PageHead } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { demonstrationWords, isDemonstrationChain } from '../verify/demonstration-chain.ts';
import { say } from '../words/say.ts';
import { AnchorsList } from './anchors-list.tsx';
import { useBooks } from './books.queries.ts';
import { CheckBeginning, CheckHistory, CheckOwn, CheckTotal } from './books-checks.tsx';
import { ForTools } from './for-tools.tsx';

const CENTS = 100;
/** The totals of shares and of savings. */
const SACCO_TOTALS = 2;

/** /saccos/:id/books and /log: the log of a sacco's books, or of the platform's, for everybody. */
export function BooksPage() {
  const { id } = useParams();
  const session = useSession();
  const { data, error, isPending, refetch } = useBooks(id ?? 'platform');
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  const name = data?.facts.sacco?.name;
  const title = name ? say('The books of {name}', { name }) : say('The platform’s books');
  return (
    <div className="wrap max-w-[960px] pt-2 pb-8">
      <Title>{title}</Title>
      {id ? (
        <BackLink to={paths.sacco(id)}>{name ?? say('The sacco')}</BackLink>
      ) : (
        <BackLink to={paths.home()}>{say('Home')}</BackLink>
      )}
      <PageHead
        title={title}
        lead={say('Each movement is an entry of a log that only grows. Your browser checks it; you need not trust us.')}
      />
      {isPending && <Skeletons count={2} label={say('Loading...')} className="mt-5 h-52 rounded-card" />}
      {error && !data && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {data && (
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2">
          <LogCard facts={data.facts} />
          {data.earlier.map((facts, at) => (
            <EarlierCard key={facts.origin} facts={facts} next={data.earlier[at - 1] ?? data.facts} />
          ))}
          {data.totals.map((total) => (
            <TotalCard key={total.what} total={total} facts={logOf(total, data)} log={id ?? 'platform'} />
          ))}
          {data.totals.length < (id ? SACCO_TOTALS : 1) && (
            <p className="text-ink-2 md:col-span-2">
              {say('No total is taken of fewer than ten accounts: it would say too much of each.')}
            </p>
          )}
          <div className="grid gap-4 md:col-span-2">
            <WhatIsProven />
            {session && (
              <div>
                <LinkButton look="line" to={paths.proofs()}>
                  {say('Check my balances')}
                </LinkButton>
              </div>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** The log that a total is in: an earlier one, until the next total is taken after a log was begun anew. */
const logOf = (total: LogTotal, { facts, earlier }: { facts: LogFacts; earlier: readonly LogFacts[] }): LogFacts =>
  earlier.find(({ origin }) => origin === total.receipt?.entry.log) ?? facts;

function LogCard({ facts }: { facts: LogFacts }) {
  const [newest] = facts.checkpoints;
  const [anchor] = facts.anchors;
  const [since] = facts.key_dates.length > 1 ? facts.key_dates : [];
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-lead">{say('Log of the books')}</h2>
      {facts.halted_at && (
        <p role="alert" className="flex gap-2 rounded-field bg-clay-tint p-3 text-clay">
          <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
          <span>
            {say('Nothing more of this log is signed. It does not continue what was signed or anchored before.')}{' '}
            <LongDate iso={facts.halted_at} time />
          </span>
        </p>
      )}
      <Facts
        facts={[
          [say('Kept since'), <LongDate key="since" iso={facts.started_at} />],
          [say('Entries'), formatCount(facts.size)],
          ...(newest ? [[say('Last signed'), <LongDate key="signed" iso={newest.signed_at} time />] as const] : []),
          ...(anchor
            ? [[say('Last written to the chain'), <LongDate key="anchor" iso={anchor.at} time />] as const]
            : []),
          ...(since ? [[say('Signed by a new key since'), <LongDate key="key" iso={since.since} />] as const] : []),
        ]}
      />
      {newest && anchor && anchor.at > newest.signed_at && (
        <p className="text-small text-ink-2">
          {say('What is signed is written to the chain later. Nothing newer waits.')}
        </p>
      )}
      {facts.chain && isDemonstrationChain(facts.chain.chain_id) && (
        <p className="text-small text-ink-2">{demonstrationWords()}</p>
      )}
      {newest && <CheckHistory facts={facts} />}
      <AnchorsList facts={facts} />
      <ForTools facts={facts} />
    </Card>
  );
}

/** A log that was ended. The one after it names its last head, so that nobody can pretend that it never was. */
function EarlierCard({ facts, next }: { facts: LogFacts; next: LogFacts }) {
  const generation = facts.generations.find(({ origin }) => origin === facts.origin);
  if (!generation?.ended_at) return null;
  const { ended_at, last_head } = generation;
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-lead">{say('The log before')}</h2>
      <p className="text-ink-2">
        {say('It did not continue what was signed, so it was ended. Its last known head stands in the log after it.')}
      </p>
      <Facts
        facts={[
          [say('Ended'), <LongDate key="ended" iso={ended_at} time />],
          ...(last_head ? [[say('Entries in its last head'), formatCount(last_head.size)] as const] : []),
          [say('Entries that are here'), formatCount(facts.checkpoints[0]?.size ?? 0)],
        ]}
      />
      {last_head && next.beginning && <CheckBeginning origin={facts.origin} head={last_head} next={next} />}
    </Card>
  );
}

const titles: Readonly<Record<LogTotal['what'], () => string>> = {
  wallets: () => say('Members’ money and M-Pesa'),
  shares: () => say('Share register'),
  savings: () => say('Members’ savings'),
};

function TotalCard({ total, facts, log }: { total: LogTotal; facts: LogFacts; log: string }) {
  const session = useSession();
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-lead">{titles[total.what]()}</h2>
      <Facts facts={[...figuresOf(total), [say('As of'), <LongDate key="at" iso={total.at} time />]]} />
      <div className="grid gap-3">
        <CheckTotal total={total} facts={facts} />
        {session && <CheckOwn total={total} facts={facts} log={log} />}
      </div>
    </Card>
  );
}

type Fact = readonly [name: ReactNode, value: ReactNode];

const money = (cents: number) => <Money shillings={cents / CENTS} />;

function figuresOf({ what, total, shares_issued, reserves }: LogTotal): Fact[] {
  if (what === 'savings') return [[say('All savings'), money(total)]];
  if (what === 'shares') {
    return [
      [say('Shares that members hold'), formatCount(total)],
      ...(shares_issued === null ? [] : [[say('Shares issued'), formatCount(shares_issued)] as const]),
    ];
  }
  const { compared = null, saccos_cents = 0, other_cents = 0, float_cents = 0 } = reserves ?? {};
  const difference = compared ? compared.mpesa_cents - compared.expected_cents : 0;
  return [
    [say('Wallets and pools of members'), money(total)],
    [say('Money of saccos'), money(saccos_cents)],
    [say('Fees and money not yet credited'), money(other_cents)],
    [say('Together, at M-Pesa'), money(float_cents)],
    ...(compared
      ? ([
          [say('The platform’s own money, and what moved between'), money(compared.expected_cents - float_cents)],
          [say('M-Pesa should have'), money(compared.expected_cents)],
          [say('M-Pesa’s answer'), money(compared.mpesa_cents)],
          [say('M-Pesa beside the books'), difference === 0 ? say('agrees') : money(difference)],
          [say('Compared'), <LongDate key="compared" iso={compared.at} time />],
        ] as const)
      : ([[say('M-Pesa beside the books'), say('not compared yet')]] as const)),
  ];
}

function WhatIsProven() {
  const proven = [
    say('Your browser checks that a movement, a total or a vote is in the log, and that nothing in it was changed.'),
    say('You can check that your balance is in the total. If we leave a member out, that member can show it.'),
    say('We sign the log. If we change what we signed, anybody with an older receipt can show it.'),
  ];
  const unproven = [
    say('M-Pesa tells us each day how much it holds. You have only our word for that answer.'),
    say('The log does not say whether a payment was right. You and your officials judge that.'),
  ];
  return (
    <Fold title={say('What is proven, what is not, and by whom')}>
      <h3 className="mt-1 font-semibold">{say('Proven')}</h3>
      <ul className="list-disc pl-5 text-ink-2">
        {proven.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <h3 className="mt-3 font-semibold">{say('Not proven')}</h3>
      <ul className="list-disc pl-5 text-ink-2">
        {unproven.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </Fold>
  );
}
