import type { Sacco, SaccoDetail } from '@ushirika/contract/saccos';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { wordsFor } from '../../api/failure.ts';
import { dividendPaths } from '../../dividends/dividend-paths.ts';
import { useHasLeftWithDividend } from '../../dividends/dividends.queries.ts';
import { Title } from '../../layouts/title.tsx';
import { checkOffPaths } from '../../loans/check-off-paths.ts';
import { useIsPayer } from '../../loans/check-offs.queries.ts';
import { MembershipTag } from '../../membership/membership-tag.tsx';
import { useOwnOffices } from '../../notifications/own-offices.ts';
import { useIsOperator } from '../../operator/operator.queries.ts';
import { paths } from '../../paths.ts';
import { EnterAsOfficial } from '../../saccos/enter-as-official.tsx';
import { enterSacco } from '../../saccos/enter-sacco.ts';
import { OfficeInvitations } from '../../saccos/office-invitations.tsx';
import { STATE_TONES, stateWords } from '../../saccos/sacco-states.ts';
import { useSaccos } from '../../saccos/saccos.queries.ts';
import { shownMembers } from '../../saccos/shown-members.ts';
import { useSession } from '../../session/session.ts';
import { Monogram } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState, FailureState, PageHead, Tag } from '../../ui/card.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchBox, useTypedSearch } from '../../ui/search-box.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { say } from '../../words/say.ts';

/** /my-saccos: the saccos that the person belongs to; each is entered from here. */
export function MySaccosPage() {
  const session = useSession();
  const isPayer = useIsPayer();
  const hasLeft = useHasLeftWithDividend();
  const { sought, typed, setTyped } = useTypedSearch('name');
  const saccos = useSaccos(sought, session?.user.id);
  const offices = useOfficesOnly(sought);
  const isNone = saccos.rows?.length === 0 && offices?.length === 0;
  const lands = useLocation().state?.from === 'sign-in' && !sought;
  // An operator without a sacco works at the desk.
  if (useIsOperator() && isNone && lands) return <Navigate to={paths.operator()} replace />;
  return (
    <>
      <Title>{say('My saccos')}</Title>
      <PageHead
        title={say('My saccos')}
        lead={say('Welcome, {name}. Choose the sacco that you want to work in.', {
          name: session?.user.first_name ?? '',
        })}
      >
        {isPayer && (
          <LinkButton to={checkOffPaths.profile()} look="line">
            {say('Check-offs that you pay')}
          </LinkButton>
        )}
        {hasLeft && (
          <LinkButton to={dividendPaths.own()} look="line">
            {say('Your dividends')}
          </LinkButton>
        )}
        <LinkButton to={paths.saccos()} look="line">
          {say('Find a sacco')}
        </LinkButton>
      </PageHead>
      <OfficeInvitations />
      <div className="my-5 flex">
        <SearchBox label={say('Search by name')} typed={typed} onType={setTyped} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19.5rem),1fr))] gap-4">
        {saccos.isPending && <Skeletons count={3} label={say('Loading...')} className="h-56 rounded-card" />}
        {saccos.rows?.map((sacco) => (
          <OwnSaccoCard key={sacco.id} sacco={sacco} />
        ))}
        {offices?.map((sacco) => (
          <OfficeCard key={sacco.id} sacco={sacco} />
        ))}
      </div>
      {saccos.isError && !saccos.rows && (
        <FailureState words={wordsFor(saccos.error)} again={say('Try again')} onAgain={() => void saccos.refetch()} />
      )}
      {isNone && <NoneYet name={sought} hasLeft={hasLeft} onAll={() => setTyped('')} />}
      <LoadMore list={saccos} />
    </>
  );
}

function OwnSaccoCard({ sacco }: { sacco: Sacco }) {
  const navigate = useNavigate();
  const access = () => {
    if (!enterSacco(sacco)) return;
    navigate(paths.client());
    toast.success(say('Welcome'));
  };
  const isActive = sacco.status === 'active';
  return (
    <article
      aria-label={sacco.name}
      className={`card num flex flex-col gap-3 p-4.5 ${isActive ? '' : 'bg-sunken shadow-none'}`}
    >
      <div className="flex items-center gap-3">
        <Monogram name={sacco.name} logo={sacco.logo} />
        <div className="min-w-0">
          <h2 className="text-[1.0625rem]">
            <Link to={paths.sacco(sacco.id)} className="hover:underline">
              {sacco.name}
            </Link>
          </h2>
          <p className="text-small text-ink-2">{sacco.reg_no}</p>
          <p className="text-small text-ink-2">
            {say('{n} Active Members', { n: formatCount(shownMembers(sacco.members)) })}
          </p>
        </div>
      </div>
      <dl className="mt-auto flex flex-wrap items-end justify-between gap-x-4 gap-y-2 border-t border-dashed border-line pt-3">
        <div>
          <dt className="text-tiny text-ink-3">{say('One share')}</dt>
          <dd className="text-small font-semibold">
            <Money shillings={sacco.share_value} />
          </dd>
        </div>
        <div>
          <dt className="sr-only">{say('Membership')}</dt>
          <dd>
            <MembershipTag state={sacco.membership} />
          </dd>
        </div>
      </dl>
      {!isActive && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2">
          <Tag tone="clay">{say('Sacco Inactive')}</Tag>
          {say('Buying, saving and new loans have stopped. What you own here stays yours.')}
        </p>
      )}
      <Button onClick={access}>{say('Access Sacco')}</Button>
    </article>
  );
}

/** The saccos in which the person holds an office and is no member, with the sought name. */
function useOfficesOnly(name: string) {
  return useOwnOffices()?.filter(
    (sacco) =>
      (sacco.membership === null || sacco.membership === 'exited') &&
      sacco.name.toLowerCase().includes(name.trim().toLowerCase()),
  );
}

/** A sacco in which the person holds an office: its state, its page, and the way in once it is active. */
function OfficeCard({ sacco }: { sacco: SaccoDetail }) {
  const state = sacco.application?.state;
  return (
    <article aria-label={sacco.name} className="card num flex flex-col gap-3 p-4.5">
      <div className="flex items-center gap-3">
        <Monogram name={sacco.name} logo={sacco.logo} />
        <div className="min-w-0">
          <h2 className="text-[1.0625rem]">{sacco.name}</h2>
          <p className="text-small text-ink-2">{sacco.reg_no}</p>
        </div>
      </div>
      <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-dashed border-line pt-3 text-small text-ink-2">
        {state && (
          <Tag tone={STATE_TONES[state]}>{state === 'pending' ? say('Waits for activation') : stateWords(state)}</Tag>
        )}
        {say('You hold an office here, and are no member.')}
      </p>
      <EnterAsOfficial sacco={sacco} />
      <LinkButton to={paths.sacco(sacco.id)} look="line">
        {say('Open the sacco’s page')}
      </LinkButton>
    </article>
  );
}

function NoneYet({ name, hasLeft, onAll }: { name: string; hasLeft: boolean; onAll: () => void }) {
  if (name) {
    return (
      <EmptyState
        title={say('None of your saccos has “{name}” in its name', { name })}
        next={say('Try a shorter part of the name.')}
      >
        <Button look="line" onClick={onAll}>
          {say('Show all')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={hasLeft ? say('You belong to no sacco now') : say('You have not joined a sacco yet')}
      next={say('Compare their terms and figures, then join the one you trust.')}
    >
      <LinkButton to={paths.saccos()}>{say('Join Saccos')}</LinkButton>
    </EmptyState>
  );
}
