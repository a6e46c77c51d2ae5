import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { officeWords } from '../saccos/office-words.ts';
import { Card, Tag } from '../ui/card.tsx';
import { formatCount, LongDate } from '../ui/figures.tsx';
import { Fold, FoldedPart } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { decisionTones, decisionWords } from './desk-words.ts';
import { UnseenCard } from './unseen-card.tsx';

/** What the rules say of it, each met or not. */
export function FindingsCard({ loan }: { loan: DeskLoanDetail }) {
  const { findings } = loan;
  const met = findings.filter(({ is_met }) => is_met);
  const unmet = findings.filter(({ is_met }) => !is_met);
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lead">{say('What the rules say')}</h2>
        {findings.length > 0 && (
          <Tag tone={unmet.length > 0 ? 'clay' : 'forest'}>
            {unmet.length > 0 ? say('{n} not met', { n: unmet.length }) : say('All are met')}
          </Tag>
        )}
      </div>
      {findings.length === 0 && <p className="mt-2 text-ink-2">{say('There is nothing to check any more.')}</p>}
      {unmet.length > 0 && <FindingList findings={unmet} />}
      {met.length > 0 && (
        <FoldedPart title={say('Met: {n}', { n: formatCount(met.length) })} openWhenWide>
          <FindingList findings={met} />
        </FoldedPart>
      )}
      {findings.length > 0 && <UnseenCard loan={loan} />}
    </Card>
  );
}

function FindingList({ findings }: Pick<DeskLoanDetail, 'findings'>) {
  return (
    <ul className="mt-2">
      {findings.map(({ is_met, text }) => (
        <li key={text} className="rule flex items-start gap-3 py-2.5">
          <span
            className={`mt-0.5 grid size-5.5 shrink-0 place-items-center rounded-full ${is_met ? 'bg-forest-tint text-up' : 'bg-clay-tint text-clay'}`}
          >
            <Icon name={is_met ? 'check' : 'close'} className="size-3.5" />
          </span>
          <span className={`num min-w-0 ${is_met ? '' : 'font-semibold'}`}>
            <span className="sr-only">{is_met ? say('Met:') : say('Not met:')} </span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The votes so far, and whose are still missing. */
export function ReviewsCard({ loan }: { loan: DeskLoanDetail }) {
  const { reviews, state } = loan;
  if (reviews.length === 0 && state !== 'submitted') return null;
  if (state !== 'submitted') {
    return (
      <Fold title={say('Votes so far')} sum={formatCount(reviews.length)}>
        <Reviews loan={loan} />
      </Fold>
    );
  }
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('Votes so far')}</h2>
      <Reviews loan={loan} />
    </Card>
  );
}

function Reviews({ loan: { reviews, approvals, state } }: { loan: DeskLoanDetail }) {
  const missing = Math.max(0, approvals.needed - approvals.committee);
  return (
    <>
      {(state === 'submitted' ? approvals.who : []).map((sentence) => (
        <p key={sentence} className="num mt-1.5 text-small text-ink-2">
          {sentence}
        </p>
      ))}
      <ul className="mt-3 grid gap-1.5">
        {(approvals.manager || approvals.manager_given) && (
          <Needed
            isGiven={approvals.manager_given}
            words={approvals.manager_given ? say('Manager alone: given') : say('Manager alone: not given')}
          />
        )}
        {(!approvals.manager_given || approvals.committee > 0) && (
          <Needed
            isGiven={missing === 0}
            words={say('Credit committee: {n} of {needed}', { n: approvals.committee, needed: approvals.needed })}
          />
        )}
        {approvals.second_tier && (
          <Needed
            isGiven={approvals.second_tier_given}
            words={approvals.second_tier_given ? say('Treasurer or chair: given') : say('Treasurer or chair: missing')}
          />
        )}
      </ul>
      {reviews.length === 0 ? (
        <p className="mt-3 text-ink-2">{say('Nobody has decided yet.')}</p>
      ) : (
        <ol className="mt-3">
          {reviews.map((review) => (
            <li key={`${review.by.id}${review.at}`} className="rule py-3">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-semibold">{review.by.name}</span>
                <Tag tone={decisionTones[review.decision]}>{decisionWords(review.decision)}</Tag>
              </p>
              <p className="num text-small text-ink-2">
                {officeWords(review.office)} · <LongDate iso={review.at} time />
              </p>
              <p className="mt-1 break-words whitespace-pre-line">{review.reason}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Needed({ isGiven, words }: { isGiven: boolean; words: string }) {
  return (
    <li className="flex items-start gap-2.5">
      <span
        className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full ${isGiven ? 'bg-forest-tint text-up' : 'border border-dashed border-edge'}`}
      >
        {isGiven && <Icon name="check" className="size-3" />}
      </span>
      <span className="num">
        {words}
        <span className="sr-only"> {isGiven ? say('(met)') : say('(open)')}</span>
      </span>
    </li>
  );
}
