import type { ClientProfile, IdentityDocument } from '@ushirika/contract/identity';
import type { listMembers, Member, recordIdentityCheck } from '@ushirika/contract/membership';
import type { Office } from '@ushirika/contract/route';
import { Fragment, useState } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../../api/call.ts';
import { wordsFor } from '../../api/failure.ts';
import { usePages } from '../../api/pages.ts';
import { useResidences } from '../../dividends/dividends.queries.ts';
import { mpesaNameWords } from '../../identity/identity-words.ts';
import { useProfile } from '../../identity/profile.queries.ts';
import { SeenCardDialog } from '../../identity/seen-card-dialog.tsx';
import { Title } from '../../layouts/title.tsx';
import { MembershipTag } from '../../membership/membership-tag.tsx';
import { paths } from '../../paths.ts';
import { useReferralTerms } from '../../referrals/referrals.queries.ts';
import { ChangeCard } from '../../saccos/change-card.tsx';
import { openAll, useSaccoChanges } from '../../saccos/changes.queries.ts';
import { OfficeNamings } from '../../saccos/office-namings.tsx';
import { useHoldsOfficeOnly } from '../../saccos/office-only.tsx';
import { officeWords } from '../../saccos/office-words.ts';
import { useSaccoDetail } from '../../saccos/saccos.queries.ts';
import { useSacco } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Card, EmptyState, Facts, FailureState, PageHead, Tag } from '../../ui/card.tsx';
import { ChoiceBar } from '../../ui/choice-bar.tsx';
import { formatCount, LongDate, Money } from '../../ui/figures.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchBox, useTypedSearch } from '../../ui/search-box.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { say } from '../../words/say.ts';
import { trustedName } from '../../words/trusted-name.ts';
import { IdentityChecks } from './identity-checks.tsx';
import { NoticesToLeave } from './notices-to-leave.tsx';
import { ResidenceDialog } from './residence-dialog.tsx';

/** The officials who read here the reward for a referral, and record where a member lives for the tax. */
const TERMS_READERS: ReadonlySet<Office> = new Set(['chair', 'secretary', 'treasurer']);

/** /client/members: who belongs to the chosen sacco. Officials see particulars, and what the sacco pays for a referral. */
export function MembersPage() {
  const sacco = useSacco();
  const { data: profile } = useProfile();
  const offices = officesIn(profile, sacco?.id);
  const { data: changes } = useSaccoChanges(offices.length > 0 ? sacco?.id : undefined);
  const open = (['referral_terms', 'official_name'] as const).flatMap((kind) => openAll(changes?.results, kind));
  const { sought, typed, setTyped } = useTypedSearch('name');
  const [search] = useSearchParams();
  const isUnseen = offices.length > 0 && search.get('card') === 'unseen';
  const members = useMembers(sacco?.id, sought, isUnseen);
  const held = useHeldOffices(offices.length > 0 ? sacco?.id : undefined);
  const [seen, setSeen] = useState<Member | null>(null);
  const [moved, setMoved] = useState<Member | null>(null);
  const mayMove = offices.some((office) => TERMS_READERS.has(office));
  const isOfficeOnly = useHoldsOfficeOnly();
  const abroad = useAbroad(mayMove ? sacco?.id : undefined);
  const onMove = mayMove ? setMoved : null;
  const areOfficials = members.rows?.some(({ id_number }) => id_number !== undefined) ?? false;
  return (
    <>
      <Title>{say('Members')}</Title>
      <PageHead
        title={say('Members')}
        lead={
          offices.length > 0
            ? say('Only officials see these details. Views are logged.')
            : say('The people who own this sacco together with you.')
        }
      />
      {sacco && offices.length > 0 && open.length > 0 && (
        <div className="mt-5 grid items-start gap-4 md:grid-cols-2">
          {open.map((change) => (
            <ChangeCard key={change.id} change={change} sacco={sacco.id} />
          ))}
        </div>
      )}
      {sacco && offices.length > 0 && !isUnseen && (
        <OfficeNamings sacco={sacco.id} held={held} isChair={offices.includes('chair')} />
      )}
      {mayMove && isOfficeOnly === false && !isUnseen && <ReferralTerms />}
      <div className="mt-5 flex flex-wrap gap-3">
        <SearchBox
          label={offices.length > 0 ? say('Name, ID number or phone') : say('Search by name')}
          typed={typed}
          onType={setTyped}
        />
        {offices.length > 0 && <CardChoice isUnseen={isUnseen} />}
      </div>
      <Card className="mt-4 min-w-0 px-5 py-3">
        {members.isPending && <Skeletons count={5} label={say('Loading...')} className="my-3 h-12 rounded-box" />}
        {members.isError && !members.rows && (
          <FailureState
            words={wordsFor(members.error)}
            again={say('Try again')}
            onAgain={() => void members.refetch()}
          />
        )}
        {members.rows?.length === 0 && sought && (
          <EmptyState title={say('No member has “{name}”', { name: sought })} next={say('Try a shorter part of it.')} />
        )}
        {members.rows?.length === 0 && !sought && isUnseen && (
          <EmptyState title={say('No ID card waits')} next={say('The card of every member was seen.')} />
        )}
        {members.rows?.length === 0 && !sought && !isUnseen && (
          <EmptyState
            title={say('No members yet')}
            next={isOfficeOnly ? say('People join it on its public page.') : say('Invite people under Referrals.')}
          />
        )}
        {areOfficials && !sought && !isUnseen && members.count !== undefined && (
          <p className="num py-2 text-small text-ink-2">
            {say('True number of members: {n}', { n: formatCount(members.count) })}
          </p>
        )}
        {members.rows && members.rows.length > 0 && (
          <Table
            caption={say('Members')}
            rows={members.rows}
            keyOf={({ id }) => id}
            columns={
              areOfficials ? [...columnsForAll(), ...columnsForOfficials(setSeen, onMove, abroad)] : columnsForAll()
            }
          />
        )}
        <LoadMore list={members} />
      </Card>
      {sacco && offices.length > 0 && <NoticesToLeave sacco={sacco.id} />}
      {sacco && offices.length > 0 && <IdentityChecks sacco={sacco.id} />}
      {moved && sacco && (
        <ResidenceDialog
          id={moved.id}
          name={`${moved.first_name} ${moved.last_name}`}
          sacco={sacco.id}
          onClose={() => setMoved(null)}
        />
      )}
      {seen && sacco && (
        <SeenCardDialog
          name={`${seen.first_name} ${seen.last_name}`}
          send={({ document, number }) =>
            call<typeof recordIdentityCheck>('POST', '/sacco/members/{id}/identity-checks', {
              params: { id: seen.id },
              body: { document: document as IdentityDocument, number },
              saccoId: sacco.id,
            })
          }
          onClose={() => setSeen(null)}
        />
      )}
    </>
  );
}

/** For officials: all members, or those whose ID card waits to be seen. */
function CardChoice({ isUnseen }: { isUnseen: boolean }) {
  return (
    <ChoiceBar
      label={say('Which members')}
      choices={[
        { to: paths.clientMembers(), words: say('All members'), isChosen: !isUnseen },
        { to: paths.clientMembers('unseen'), words: say('ID card not seen yet'), isChosen: isUnseen },
      ]}
    />
  );
}

function useMembers(sacco: string | undefined, name: string, isUnseen: boolean) {
  const card = isUnseen ? ('unseen' as const) : undefined;
  return usePages(['Sacco', 'members', sacco, { name, card }], (cursor, signal) =>
    call<typeof listMembers>('GET', '/sacco/members', { query: { name: name || undefined, card, cursor }, signal }),
  );
}

/** The offices of the sacco that somebody holds. */
function useHeldOffices(sacco: string | undefined): readonly Office[] {
  const { data } = useSaccoDetail(sacco);
  return data?.officials.map(({ office }) => office) ?? [];
}

function officesIn(profile: ClientProfile | undefined, sacco: string | undefined): Office[] {
  return (profile?.roles ?? []).flatMap((role) => (role.sacco === sacco && role.office ? [role.office] : []));
}

function columnsForAll(): Column<Member>[] {
  return [
    {
      head: say('Name'),
      title: true,
      cell: ({ first_name, last_name, former_name, offices }) => (
        <span className="flex min-w-0 items-center gap-3 text-left">
          <Avatar name={`${first_name} ${last_name}`} />
          <span className="min-w-0">
            <span className="block font-semibold">{trustedName(`${first_name} ${last_name}`, former_name)}</span>
            {offices.length > 0 && (
              <span className="text-small text-ink-2">{offices.map((office) => officeWords(office)).join(', ')}</span>
            )}
          </span>
        </span>
      ),
    },
  ];
}

/** The ids in the list of members whose last record says that they live abroad. */
function useAbroad(sacco: string | undefined): ReadonlySet<string> {
  const { data } = useResidences(sacco);
  const newest = new Map(data?.results.toReversed().map(({ member, lives }) => [member.id, lives]));
  return new Set([...newest].flatMap(([id, lives]) => (lives === 'abroad' ? [id] : [])));
}

/** An address that breaks behind its signs, and inside a word only on a phone. */
function Email({ address }: { readonly address: string }) {
  return (
    <span className="block text-ink-2 max-sm:wrap-anywhere sm:break-words">
      {address.split(/(?<=[@.])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

function columnsForOfficials(
  onSee: (member: Member) => void,
  onMove: ((member: Member) => void) | null,
  abroad: ReadonlySet<string>,
): Column<Member>[] {
  return [
    { head: say('Handle'), cell: ({ handle }) => <span className="num whitespace-nowrap">{handle}</span> },
    {
      head: say('ID Number'),
      cell: (member) => (
        <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
          <span className="whitespace-nowrap">{member.id_number}</span>
          <CardState member={member} onSee={() => onSee(member)} />
        </span>
      ),
    },
    {
      head: say('Contact'),
      cell: (member) => (
        <span className="text-small">
          <span className="block whitespace-nowrap">{member.phone_number}</span>
          {member.email && <Email address={member.email} />}
          {abroad.has(member.id) && (
            <span className="mt-1 block">
              <Tag tone="indigo">{say('Lives abroad')}</Tag>
            </span>
          )}
          {onMove && (
            <button
              type="button"
              className="link min-h-11 font-semibold sm:min-h-7"
              aria-label={`${say('Residence for tax')} ${member.first_name} ${member.last_name}`}
              onClick={() => onMove(member)}
            >
              {say('Residence for tax')}
            </button>
          )}
        </span>
      ),
    },
    {
      head: say('Member since'),
      cell: ({ joined_at, state }) => (
        <span className="text-small">
          <span className="mb-1 block">
            <LongDate iso={joined_at} />
          </span>
          {state && state !== 'active' && <MembershipTag state={state} />}
        </span>
      ),
    },
    { head: say('Shares'), end: true, cell: ({ shares }) => formatCount(shares ?? 0) },
    { head: say('Savings'), end: true, cell: ({ savings }) => <Money shillings={savings ?? 0} /> },
  ];
}

/** Whether this member's ID card was seen; and the way to record it. */
function CardState({ member: { first_name, last_name, identity }, onSee }: { member: Member; onSee: () => void }) {
  if (!identity) return null;
  const { seen_at, seen_elsewhere, mpesa_name, may_record } = identity;
  return (
    <>
      {seen_at ? (
        <Tag>{say('Card seen')}</Tag>
      ) : seen_elsewhere ? (
        <Tag tone="indigo">{say('Seen elsewhere')}</Tag>
      ) : (
        <Tag tone="ochre">{say('Not seen yet')}</Tag>
      )}
      {mpesa_name && (
        <span className="text-small text-ink-2">
          M-Pesa: <span className="whitespace-nowrap">{mpesaNameWords(mpesa_name)}</span>
        </span>
      )}
      {may_record && (
        <button type="button" className="link min-h-11 text-small font-semibold sm:min-h-7" onClick={onSee}>
          {say('Record it')}
          <span className="sr-only">
            {' '}
            {first_name} {last_name}
          </span>
        </button>
      )}
    </>
  );
}

/** What the sacco pays for a referral; members vote on it. */
function ReferralTerms() {
  const { data: terms } = useReferralTerms();
  return (
    <Card className="mt-5 p-5">
      <h2 className="text-lead">{say('What the sacco pays for a referral')}</h2>
      <p className="mt-1 mb-2 text-small text-ink-2">
        {say(
          'Paid from fees that the sacco has earned, never from savings or shares, for each person who signs up and owns their first shares. 0 means no reward. Members vote on it.',
        )}
      </p>
      {terms ? (
        <Facts
          facts={[
            [say('Reward'), <Money key="reward" shillings={terms.reward} />],
            [say('Maximum a month for one referrer'), formatCount(terms.monthly_rewards_max)],
          ]}
        />
      ) : (
        <Skeletons count={1} label={say('Loading...')} className="h-20 rounded-box" />
      )}
      <LinkButton look="line" className="mt-4" to={paths.clientDraftTerms('referral_terms')}>
        {say('Change it')}
      </LinkButton>
      {terms?.month && <RewardsOfMonth {...terms.month} />}
    </Card>
  );
}

/** What bounds the rewards of this month, in shillings. */
function RewardsOfMonth({ limit, paid }: { limit: number; paid: number }) {
  return (
    <p className="mt-3 text-small text-ink-2">
      {say('This month’s rewards are at most the fees earned last month:')} <Money shillings={limit} />.{' '}
      {say('Paid of it so far:')} <Money shillings={paid} />. {say('Anything above that is paid in the next month.')}
    </p>
  );
}
