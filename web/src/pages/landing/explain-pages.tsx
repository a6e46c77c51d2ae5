import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Title } from '../../layouts/title.tsx';
import { paths } from '../../paths.ts';
import { rememberPage, useSession } from '../../session/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { say } from '../../words/say.ts';
import { TradingPicture } from './pictures.tsx';
import { FiguresBand, MarketBand } from './public-figures.tsx';
import { ReferralPicture } from './referral-picture.tsx';

/*
 * The public pages of features that need an account: three lines, real figures, and on to sign in.
 */

export function ReferralsExplained() {
  return (
    <Explained
      title={say('Referrals')}
      lines={[
        say('Every member has a code and a link of their own to share.'),
        say('Whoever signs up with it is on your list, from the first visit to the first paid shares.'),
        say('When they are fully paid, your points and your reward are in the books.'),
      ]}
      picture={<ReferralPicture />}
    />
  );
}

export function TradingExplained() {
  return (
    <Explained
      title={say('Share Trading')}
      lines={[
        say('You buy from the sacco itself at its share value, or from a member who asks for less.'),
        say('Members sell to members: best price first, then first come first served.'),
        say('What an order may cost is set aside before it stands, so that every trade is paid.'),
      ]}
      picture={<TradingPicture />}
      figures={<MarketBand />}
    />
  );
}

/** Three lines, a picture, figures, and the way in for whoever is not signed in. `figures` may be whole sections. */
export function Explained({
  title,
  lines,
  more,
  picture,
  figures = <FiguresBand />,
}: {
  title: string;
  lines: readonly string[];
  /** A way on that needs no account. */
  more?: ReactNode;
  picture: ReactNode;
  figures?: ReactNode;
}) {
  const { pathname } = useLocation();
  const session = useSession();
  const remember = () => rememberPage(pathname);
  return (
    <>
      <Title>{title}</Title>
      <section className="wrap grid items-center gap-10 pt-8 pb-14 lg:grid-cols-2 lg:gap-16">
        <div>
          <h1 className="text-head">{title}</h1>
          <ol className="mt-4 grid gap-4 text-lead text-ink-2">
            {lines.map((line, index) => (
              <li key={line} className="flex gap-3.5">
                <span
                  aria-hidden="true"
                  className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-full bg-forest-tint text-small font-bold text-forest"
                >
                  {index + 1}
                </span>
                {line}
              </li>
            ))}
          </ol>
          {session ? (
            <LinkButton to={paths.mySaccos()} className="mt-7">
              {say('My saccos')}
            </LinkButton>
          ) : (
            <div className="mt-7 flex flex-wrap gap-3 max-sm:*:basis-full">
              <LinkButton to={paths.login()} onClick={remember}>
                {say('Sign In')}
              </LinkButton>
              <LinkButton to={paths.register()} look="line" onClick={remember}>
                {say('Sign Up')}
              </LinkButton>
            </div>
          )}
          {more && <div className="mt-3">{more}</div>}
        </div>
        {picture}
      </section>
      {figures}
    </>
  );
}
