import type { Sacco } from '@ushirika/contract/saccos';
import { Link, useNavigate } from 'react-router';
import { useClosed } from '../../identity/use-closed.ts';
import { paths } from '../../paths.ts';
import { enterSacco } from '../../saccos/enter-sacco.ts';
import { SaccoLogo } from '../../saccos/sacco-logo.tsx';
import { shownMembers } from '../../saccos/shown-members.ts';
import { useSession } from '../../session/session.ts';
import { sharesInWords } from '../../shares/shares-in-words.ts';
import { Button } from '../../ui/button.tsx';
import { Tag } from '../../ui/card.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { say } from '../../words/say.ts';

/** From how many ratings on a score is shown; below that the sacco is new. The contract's RATINGS_SHOWN_MIN. */
const RATINGS_SHOWN_MIN = 10;

/** What one may do with a sacco, each in its dialog. */
export interface SaccoActs {
  join: (sacco: Sacco) => void;
  buyShares: (sacco: Sacco) => void;
  sellShares: (sacco: Sacco) => void;
}

/** A sacco on a list: who they are, what joining costs, and what this person may do. */
export function SaccoCard({ sacco, acts }: { sacco: Sacco; acts: SaccoActs }) {
  return (
    <article
      aria-label={sacco.name}
      className={`card num flex flex-col gap-3 p-4.5 ${isActive(sacco) ? '' : 'bg-sunken shadow-none'}`}
    >
      <div className="flex items-center gap-3">
        <SaccoLogo sacco={sacco} isActive={isActive(sacco)} />
        <div className="min-w-0">
          <h2 className="text-[1.0625rem]">
            <Link to={paths.sacco(sacco.id)} className="hover:underline">
              {sacco.name}
            </Link>
          </h2>
          <p className="flex flex-wrap items-center gap-x-1.5 text-small text-ink-2">
            {sacco.reg_no && <span>{sacco.reg_no} ·</span>} <Rating rating={sacco.rating} />
          </p>
          <p className="text-small text-ink-2">
            {say('{n} Active Members', { n: formatCount(shownMembers(sacco.members)) })}
          </p>
        </div>
      </div>
      <p className="line-clamp-3 text-small text-ink-2">{sacco.description || notLookedAt()}</p>
      <dl className="mt-auto grid grid-cols-[auto_auto_auto] justify-between gap-x-3 border-y border-dashed border-line py-3">
        <Term name={say('To join')}>
          <Money shillings={sacco.reg_fee} />
        </Term>
        <Term name={say('One share')}>
          <Money shillings={sacco.share_value} />
        </Term>
        <Term name={say('At least')}>{sharesInWords(sacco.min_shares)}</Term>
      </dl>
      {isActive(sacco) && (
        <Link to={paths.sacco(sacco.id)} className="link -my-2 inline-flex min-h-11 items-center self-start text-small">
          {say('Loans and terms')}
        </Link>
      )}
      <div className="flex min-h-11 items-center justify-end gap-3 *:grow">
        <SaccoActions sacco={sacco} acts={acts} />
      </div>
    </article>
  );
}

function Term({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-tiny text-ink-3">{name}</dt>
      <dd className="text-small font-semibold whitespace-nowrap">{children}</dd>
    </div>
  );
}

/**
 * What this person may do with the sacco: nothing while it is inactive; enter it, buy and sell its shares as a member;
 * else join it.
 */
export function SaccoActions({
  sacco,
  acts,
  enter = say('Login'),
}: {
  sacco: Sacco;
  acts: SaccoActs;
  /** On a card the spec calls it a login. */
  enter?: string;
}) {
  const session = useSession();
  const navigate = useNavigate();
  const closed = useClosed();
  if (!isActive(sacco)) {
    return (
      <span>
        <Tag tone="clay">{say('Sacco Inactive')}</Tag>
      </span>
    );
  }
  if (!session || !sacco.members_list.includes(session.user.id)) {
    return (
      <Button disabledReason={closed} onClick={() => acts.join(sacco)}>
        {say('Join Sacco')}
      </Button>
    );
  }
  const leaving = sacco.membership === 'leaving' ? say('You have given notice, so you cannot buy or save here.') : null;
  return (
    <div className="grid gap-3">
      <span className="flex items-center justify-between gap-3">
        <Tag>{say('You are a Member')}</Tag>
        <Button look="soft" onClick={() => enterSacco(sacco) && navigate(paths.client())}>
          {enter}
        </Button>
      </span>
      <div className="grid grid-cols-2 gap-2 *:px-2">
        <Button look="line" disabledReason={closed ?? leaving} onClick={() => acts.buyShares(sacco)}>
          {say('Buy Shares')}
        </Button>
        <Button look="line" disabledReason={closed} onClick={() => acts.sellShares(sacco)}>
          {say('Sell Shares')}
        </Button>
      </div>
    </div>
  );
}

/** Stars and how many gave them. */
export function Rating({ rating }: { rating: Sacco['rating'] }) {
  if (rating.count < RATINGS_SHOWN_MIN) return <span>{say('new')}</span>;
  const words = say('Rated {score} of 5 by {n} {n, plural, one {member} other {members}}', {
    score: rating.score.toFixed(1),
    n: formatCount(rating.count),
  });
  return (
    <span role="img" aria-label={words} title={words} className="inline-flex items-center gap-1">
      <Icon name="star" className="size-3.5 fill-ochre text-ochre" />
      {rating.score.toFixed(1)} ({formatCount(rating.count)})
    </span>
  );
}

/** What strangers read of a sacco that waits for its activation, in place of what its founder wrote. */
export function notLookedAt(): string {
  return say('New here: an operator has not looked at it yet. Its description is shown after that.');
}

function isActive(sacco: Sacco): boolean {
  return sacco.status === 'active';
}
