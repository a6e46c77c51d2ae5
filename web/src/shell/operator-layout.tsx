import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import type { DeskContext } from '../operator/health.rules.ts';
import { usePlatformHealth } from '../operator/operator.queries.ts';
import { deskPlaces, pathOfQueue } from '../pages.tsx';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { FailureState, PageHead } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';

/** The operator's desk: who is none is told so. Its pages have their own addresses. */
export function OperatorLayout() {
  const profile = useProfile();
  if (profile.isPending) {
    return (
      <div className="mt-4 grid gap-4">
        <Skeletons count={3} label={say('Loading...')} className="h-24 rounded-card" />
      </div>
    );
  }
  if (!profile.data) {
    return (
      <FailureState words={wordsFor(profile.error)} again={say('Try again')} onAgain={() => void profile.refetch()} />
    );
  }
  const { roles, second_factor: factor } = profile.data;
  if (!roles.some(({ role }) => role === 'operator')) return <NotAnOperator />;
  return <Desk isWaiting={factor.required && factor.state === 'off'} />;
}

/** `isWaiting`: the office is held, and waits for the authenticator app. */
function Desk({ isWaiting }: { isWaiting: boolean }) {
  const isAtSettings = useLocation().pathname === paths.operatorSettings();
  const head = (
    <PageHead title={say('Operator’s desk')} lead={say('What you do and look at here is kept in the log.')} />
  );
  if (isWaiting && !isAtSettings) {
    return (
      <>
        {head}
        <NeedsSecondFactor />
      </>
    );
  }
  return (
    <>
      {head}
      {!isWaiting && <DeskNavigation />}
      <div className="mt-5">
        <Outlet context={{ pathOfQueue } satisfies DeskContext} />
      </div>
    </>
  );
}

function DeskNavigation() {
  const { data } = usePlatformHealth();
  const navigation = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the place one has gone to comes into view
  useEffect(() => {
    navigation.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  return (
    <nav
      ref={navigation}
      aria-label={say('Operator’s desk')}
      className="relative mt-5 flex gap-1 overflow-x-auto border-b lg:flex-wrap border-line max-lg:-mx-[clamp(16px,4vw,32px)] max-lg:px-[clamp(16px,4vw,32px)]"
    >
      {deskPlaces(data).map(({ path, words, icon, count }) => (
        <NavLink
          key={path}
          to={path}
          end={path === paths.operator()}
          className="flex min-h-12 shrink-0 items-center gap-2 border-b-3 border-transparent px-3 font-semibold text-ink-2 -outline-offset-2 hover:text-ink aria-[current]:border-ochre aria-[current]:text-ink"
        >
          <Icon name={icon} className="size-4.5 lg:hidden" />
          {words}
          {count ? (
            <span className="num rounded-full bg-ochre-tint px-2 py-0.5 text-tiny text-ochre-ink">
              {formatCount(count)}
              <span className="sr-only"> {say('waiting')}</span>
            </span>
          ) : null}
        </NavLink>
      ))}
    </nav>
  );
}

function NeedsSecondFactor() {
  return (
    <Notice
      title={say('Set up your authenticator app first')}
      next={say('The desk opens once a second factor guards your account.')}
    >
      <LinkButton to={paths.operatorSettings()}>{say('Set it up')}</LinkButton>
    </Notice>
  );
}

function NotAnOperator() {
  return (
    <div className="pt-8">
      <Title>{say('Operator’s desk')}</Title>
      <Notice
        heading="h1"
        title={say('This desk is for the platform’s operators')}
        next={say('Your account is not one of theirs. Nothing is wrong with it; your own pages are all here.')}
      >
        <LinkButton to={paths.mySaccos()}>{say('My saccos')}</LinkButton>
        <LinkButton to={paths.profile()} look="line">
          {say('My Profile')}
        </LinkButton>
      </Notice>
    </div>
  );
}

function Notice({
  title,
  next,
  heading: Heading = 'h2',
  children,
}: {
  title: string;
  next: string;
  heading?: 'h1' | 'h2';
  children: ReactNode;
}) {
  return (
    <div className="mx-auto mt-6 grid max-w-xl justify-items-center gap-3 rounded-card bg-sunken px-6 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-ochre-tint text-ochre-ink">
        <Icon name="shield" className="size-7" />
      </span>
      <Heading className="text-title">{title}</Heading>
      <p className="max-w-[46ch] text-ink-2">{next}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">{children}</div>
    </div>
  );
}
