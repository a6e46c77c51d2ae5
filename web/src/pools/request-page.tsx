import type { cancelPoolRequest, PoolRequest, PoolRequestEnd } from '@ushirika/contract/pools';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { NotFoundPage } from '../layouts/not-found-page.tsx';
import { Title } from '../layouts/title.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, FailureState, Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { BackToPools } from './back-to-pools.tsx';
import { quoteInWords } from './guarantee-words.ts';
import { usePoolPaths } from './pool-paths.ts';
import { endReasons, endWords, requestTag } from './pool-words.ts';
import { refreshPools, usePoolRequest } from './pools.queries.ts';
import { QuoteFacts, WhatStandsAgainst } from './quote-facts.tsx';
import { SignContract } from './sign-contract.tsx';
import { TrustParts } from './trust-card.tsx';

/** One's own request for a guarantee, outside of the client area. */
export function RequestPage() {
  return (
    <div className="wrap pt-2 pb-8">
      <OneRequest />
    </div>
  );
}

/** The same in the client area. */
export function ClientRequestPage() {
  return <OneRequest />;
}

function OneRequest() {
  const { id = '' } = useParams();
  const { data: request, error, isPending, refetch } = usePoolRequest(id);
  if (error instanceof CallFailure && (error.status === 404 || error.status === 400)) return <NotFoundPage />;
  return (
    <div className="max-w-[860px]">
      <BackToPools />
      {isPending && <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />}
      {error && !request && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {request && <Request request={request} />}
    </div>
  );
}

function Request({ request }: { request: PoolRequest }) {
  const to = usePoolPaths();
  const [tone, words] = requestTag(request.state);
  return (
    <div className="grid gap-4">
      <Title>{say('Request for a guarantee')}</Title>
      <div>
        <h1 className="num text-head">{quoteInWords(request)}</h1>
        <p className="mt-1 text-ink-2">
          {request.pool.name} · {request.purpose}
        </p>
        <p className="mt-2">
          <Tag tone={tone}>{words}</Tag>
        </p>
      </div>
      <NextStep request={request} />
      {request.end && <RequestEnd end={request.end} />}
      {request.contract && (
        <LinkButton to={to.contract(request.contract)} className="sm:justify-self-start">
          {say('Open the guarantee')}
        </LinkButton>
      )}
      <Card className="p-5">
        <h2 className="mb-2 text-lead">{say('The quote')}</h2>
        <QuoteFacts quote={request} isKept />
        {request.end === null && request.reasons.length > 0 && <WhatStandsAgainst reasons={request.reasons} />}
      </Card>
      {request.may.includes('accept') && <SignContract request={request} />}
      {request.may.includes('cancel') && <TakeBack id={request.id} />}
      <details className="card px-5 py-2">
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('The trust score of this quote: {n}', { n: request.trust.score })}
        </summary>
        <TrustParts parts={request.trust.parts} />
      </details>
    </div>
  );
}

/** How a request came to nothing: who decided, when, why, and what one can do next. */
function RequestEnd({ end }: { end: PoolRequestEnd }) {
  const to = usePoolPaths();
  const reasons = endReasons(end);
  return (
    <section
      aria-label={say('How the request ended')}
      className="flex gap-3.5 rounded-card bg-clay-tint px-4.5 py-4 text-clay"
    >
      <Icon name="alert" className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="num font-semibold">
          {endWords(end)}, <LongDate iso={end.at} time />
        </p>
        {reasons.length > 0 && (
          <ul className="mt-1 list-disc pl-4.5 text-small">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        <p className="mt-2 text-small text-ink-2">
          {say(
            'Nothing is locked, and no fee is taken. You can ask another pool, or ask members to guarantee your loan.',
          )}
        </p>
        <Link to={to.list} className="link flex min-h-11 items-center">
          {say('Look at other pools')}
        </Link>
      </div>
    </section>
  );
}

/** What happens next, and until when. */
function NextStep({ request: { state, expires_at, may } }: { request: PoolRequest }) {
  if (!expires_at || (state !== 'QUOTED' && state !== 'IN_REVIEW')) return null;
  const isSignable = may.includes('accept');
  return (
    <div className="flex gap-3.5 rounded-card bg-ochre-tint px-4.5 py-4 text-ochre-ink">
      <Icon name="clock" className="mt-0.5 size-5" />
      <p className="num">
        <b className="block">
          {state === 'IN_REVIEW'
            ? say('The stewards decide by then. You will be told.')
            : isSignable
              ? say('The quote holds until then. Sign it to get the guarantee.')
              : say('It cannot be signed now: read below what stands against it. The quote holds until then.')}
        </b>
        <LongDate iso={expires_at} time />
      </p>
    </div>
  );
}

function TakeBack({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof cancelPoolRequest>('POST', '/guarantors/pools/requests/{id}/cancellation', {
        params: { id },
      });
      toast.success(answer.message);
    } catch (error) {
      toast.error(wordsFor(error));
    }
    await refreshPools();
    setBusy(false);
  };
  return (
    <Button look="line" className="sm:justify-self-start" busy={busy} onClick={() => void cancel()}>
      {busy ? say('processing...') : say('Take the request back')}
    </Button>
  );
}
