import { formatShillings } from '@ushirika/contract/format';
import type { decidePoolRequest, PoolReviewItem } from '@ushirika/contract/pools';
import { useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { DecisionChoice } from './decision-choice.tsx';
import { quoteInWords } from './guarantee-words.ts';
import { refreshPools, usePoolReviews } from './pools.queries.ts';
import { QuoteFacts, WhatStandsAgainst } from './quote-facts.tsx';
import { TrustParts } from './trust-card.tsx';

/** For stewards: requests that wait for their voice. Others see nothing of it. */
export function StewardReviews() {
  const list = usePoolReviews();
  const [asked, setAsked] = useState<string | null>(null);
  const review = list.rows?.find(({ id }) => id === asked);
  if (!list.rows || list.rows.length === 0) return null;
  return (
    <Card className="border-ochre px-5 py-4.5">
      <h2 className="mb-1 text-lead">{say('Requests to decide')}</h2>
      <ul className="num">
        {list.rows.map((each) => (
          <li key={each.id} className="rule flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
            <span className="min-w-0 grow basis-60">
              <span className="block font-semibold">
                {trustedName(each.borrower.name, each.borrower.former_name)} · {quoteInWords(each)}
              </span>
              <span className="block text-small text-ink-2">
                {each.pool.name}
                {each.expires_at && (
                  <>
                    {' · '}
                    {say('until')} <LongDate iso={each.expires_at} time />
                  </>
                )}
              </span>
            </span>
            <Button look="soft" className="max-sm:w-full" onClick={() => setAsked(each.id)}>
              {each.my_voice ? say('Look') : say('Look and decide')}
            </Button>
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
      {review && <ReviewDialog review={review} onClose={() => setAsked(null)} />}
    </Card>
  );
}

function ReviewDialog({ review, onClose }: { review: PoolReviewItem; onClose: () => void }) {
  const { borrower, voices } = review;
  return (
    <Dialog
      title={say('Request of {name}', { name: trustedName(borrower.name, borrower.former_name) })}
      onClose={onClose}
      wide
    >
      <p className="num text-lead font-semibold">{quoteInWords(review)}</p>
      <p className="mb-3 text-ink-2">{review.purpose}</p>
      <QuoteFacts quote={review} isOwn={false} isKept />
      {review.reasons.length > 0 && <WhatStandsAgainst reasons={review.reasons} />}
      <Facts
        facts={[
          [say('In the pool since'), <LongDate key="since" iso={borrower.joined_at} />],
          [say('Their position'), <Money key="position" shillings={borrower.position} />],
          [
            say('Votes so far'),
            say('{yes} for, {no} against; needed: {needed}', {
              yes: voices.approve,
              no: voices.decline,
              needed: voices.needed,
            }),
          ],
        ]}
      />
      <OwnPart mine={review.mine} />
      <details className="mt-2">
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('The trust score of this quote: {n}', { n: review.trust.score })}
        </summary>
        <TrustParts parts={review.trust.parts} isOwn={false} />
      </details>
      {review.my_voice ? (
        <p className="mt-4 rounded-box bg-sunken px-4 py-3 font-medium">
          {review.my_voice === 'approve' ? say('You have said yes.') : say('You have said no.')}
        </p>
      ) : (
        <VoiceForm id={review.id} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** What a yes does to the money of whoever decides: they judge about their own too. */
function OwnPart({ mine: { position, free, would_lock } }: { mine: PoolReviewItem['mine'] }) {
  return (
    <section aria-labelledby="own-part" className="mt-3 rounded-box bg-sunken px-4 py-3">
      <h3 id="own-part" className="text-body font-semibold">
        {say('Your own money in this pool')}
      </h3>
      {position === 0 ? (
        <p className="mt-1 text-small">
          {say('You have none in it: the money of others would stand behind this loan.')}
        </p>
      ) : (
        <>
          <Facts
            facts={[
              [say('Your position'), <Money key="position" shillings={position} />],
              [say('Not locked'), <Money key="free" shillings={free} />],
              ...(would_lock === null
                ? []
                : [[say('Would be locked if it is approved'), <Money key="lock" shillings={would_lock} />] as const]),
            ]}
          />
          {would_lock !== null && would_lock > 0 && (
            <p className="num mt-1 text-small text-ink-2">
              {say('If the loan is not repaid, you can lose up to {amount} of it.', {
                amount: formatShillings(would_lock),
              })}
            </p>
          )}
        </>
      )}
    </section>
  );
}

function VoiceForm({ id, onClose }: { id: string; onClose: () => void }) {
  const submit = async ({ decision, reason }: Record<'decision' | 'reason', string>) => {
    const body = { decision: decision === 'approve' ? ('approve' as const) : ('decline' as const), reason };
    const answer = await withProof(
      () =>
        call<typeof decidePoolRequest>('POST', '/guarantors/pools/requests/{id}/decision', { params: { id }, body }),
      say('You decide about the money of all members. Enter your password once more.'),
    );
    toast.success(answer.message);
    onClose();
    await refreshPools();
  };
  const explain = (error: unknown) => {
    if (error instanceof CallFailure && error.code === 'pool_request_conflict') void refreshPools();
    return explainFailure(error);
  };
  return (
    <ApiForm<'decision' | 'reason'>
      keptAs={`pool request ${id}`}
      label={say('Your decision')}
      className="mt-4 grid gap-4"
      required={['decision', 'reason']}
      emptyMessage={say('Choose yes or no, and write the reason.')}
      submit={submit}
      explain={explain}
    >
      <DecisionChoice
        legend={say('Should the pool stand behind this loan?')}
        ways={[
          ['approve', say('Yes, guarantee it'), say('The locks are taken as soon as enough stewards have said so.')],
          ['decline', say('No, decline it'), say('The borrower reads your reason, without your name.')],
        ]}
      />
      <TextArea label={say('Reason')} name="reason" required maxLength={300} />
      <SubmitButton busyLabel={say('processing...')}>{say('Decide')}</SubmitButton>
    </ApiForm>
  );
}
