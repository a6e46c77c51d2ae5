import type { Referral, ReferralStatus } from '@ushirika/contract/referrals';
import { useSearchParams } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { EmptyState, FailureState, Tag } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { SearchBox, useTypedSearch } from '../ui/search-box.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { REFERRAL_STATUS_WORDS, toneOf } from './referral-status.ts';
import { useReferrals } from './referrals.queries.ts';

/** The Referral List: who came with this person's code, and how far they are. */
export function ReferralList() {
  const { sought, typed, setTyped } = useTypedSearch('referral');
  const { status, choose } = useStatus();
  const list = useReferrals(sought, status);
  return (
    <section aria-labelledby="referral-list" className="card min-w-0 px-5 py-4">
      <h2 id="referral-list" className="text-lead">
        {say('Referral List')}
      </h2>
      <div className="my-3 flex flex-wrap gap-3">
        <SearchBox label={say('Search by name')} typed={typed} onType={setTyped} />
        <select
          aria-label={say('Status')}
          className="field-box min-w-0 grow basis-40 sm:max-w-52"
          value={status ?? ''}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">{say('Every status')}</option>
          {REFERRAL_STATUS_WORDS.map((one) => (
            <option key={one} value={one}>
              {say(one)}
            </option>
          ))}
        </select>
      </div>
      {list.isPending && <Skeletons count={3} label={say('Loading...')} className="mb-3 h-11 rounded-box" />}
      {list.isError && !list.rows && (
        <FailureState words={wordsFor(list.error)} again={say('Try again')} onAgain={() => void list.refetch()} />
      )}
      {list.rows?.length === 0 && <Nobody isNarrowed={Boolean(sought || status)} />}
      {list.rows && list.rows.length > 0 && <Rows rows={list.rows} />}
      <LoadMore list={list} />
    </section>
  );
}

function Rows({ rows }: { rows: readonly Referral[] }) {
  return (
    <Table
      caption={say('Referral List')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: say('Name'),
          title: true,
          cell: ({ user }) => (
            <span className="font-semibold">
              {user.first_name} {user.last_name}
            </span>
          ),
        },
        { head: say('Date'), cell: ({ created_at }) => <LongDate iso={created_at} /> },
        { head: say('Status'), cell: ({ user }) => <Tag tone={toneOf(user.status)}>{say(user.status)}</Tag> },
        { head: say('Reward'), end: true, cell: (row) => <Reward row={row} /> },
      ]}
    />
  );
}

/** A missing reward is 0 (spec 9); one that is due says why it has not come yet. */
function Reward({ row: { reward, reward_state } }: { row: Referral }) {
  return (
    <span>
      <Money shillings={reward ?? 0} />
      {reward_state === 'waiting' && (
        <span className="block text-tiny text-ink-2">
          {say('due: waits for the sacco’s earned fees, or for next month')}
        </span>
      )}
      {reward_state === 'in_review' && <span className="block text-tiny text-ink-2">{say('being checked')}</span>}
    </span>
  );
}

function Nobody({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <EmptyState title={say('Nobody fits')} next={say('Try a shorter part of the name, or choose every status.')} />
  ) : (
    <EmptyState
      title={say('Nobody has come with your code yet')}
      next={say('Friends who join with your link appear here.')}
    />
  );
}

function useStatus() {
  const [search, setSearch] = useSearchParams();
  const given = search.get('status');
  const choose = (next: string) => {
    const changed = new URLSearchParams(search);
    if (next) changed.set('status', next);
    else changed.delete('status');
    setSearch(changed, { replace: true });
  };
  return { status: REFERRAL_STATUS_WORDS.find((one): one is ReferralStatus => one === given), choose };
}
