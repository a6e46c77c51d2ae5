import { GUARANTOR_MEMBER_DAYS } from '@ushirika/contract/loans';
import type { Member } from '@ushirika/contract/membership';
import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { now } from '../clock.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { nameOf } from '../ui/when.tsx';
import { currentLanguage, say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { useMembersNamed } from './loans.queries.ts';
import { usePaused } from './use-paused.ts';

export interface Found {
  readonly id: string;
  readonly name: string;
}

/** `2026-03` as the name of the month with its year. */
const monthWords = (month: string): string =>
  new Intl.DateTimeFormat(currentLanguage() === 'sw' ? 'sw-KE' : 'en', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));

/** What the list says of a member. */
type Listed = Pick<Member, 'joined_month' | 'offices'>;

/** Why a member cannot guarantee: an office, or fewer than 180 days of membership. Null where they can; the server knows more reasons. */
export function mayNotGuarantee({ joined_month: month, offices }: Listed): string | null {
  if (offices.length > 0) return say('Whoever holds an office of the sacco guarantees no loan of it.');
  const isLongAgo = Date.parse(`${month}-01T00:00:00+03:00`) + GUARANTOR_MEMBER_DAYS * 86_400_000 <= now();
  return isLongAgo
    ? null
    : say('A guarantor has been a member for {n} {n, plural, one {day} other {days}}.', { n: GUARANTOR_MEMBER_DAYS });
}

/** Finds members of the sacco by a part of their name, each with the month of joining: two may have one name. Oneself and those who are `taken` left out. */
export function MemberSearch({
  taken,
  act,
  whyNot,
  onChoose,
}: {
  taken: readonly string[];
  /** What choosing somebody is called. */
  act: string;
  /** Why somebody cannot be chosen; null where they can. */
  whyNot: (found: Listed) => string | null;
  onChoose: (member: Found) => void;
}) {
  const [typed, setTyped] = useState('');
  const sought = usePaused(typed.trim());
  const { data, error, isPlaceholderData } = useMembersNamed(sought);
  const rows = data?.results.filter(({ id, is_me }) => !is_me && !taken.includes(id));
  const isKnown = sought.length >= 2 && rows !== undefined && !isPlaceholderData;
  const choose = (member: Found) => {
    setTyped('');
    onChoose(member);
  };
  return (
    <div>
      <SearchBox label={say('Search members by name')} typed={typed} onType={setTyped} />
      <p role="status" className="mt-2 text-small text-ink-2">
        {error && wordsFor(error)}
        {!error && sought.length < 2 && say('Type at least two letters of a name.')}
        {!error && isKnown && rows.length === 0 && say('No other member has that in the name.')}
        {!error && isKnown && data?.next && say('More members have that in their name: type more of it.')}
      </p>
      {sought.length >= 2 && rows && rows.length > 0 && (
        <ul className="mt-1">
          {rows.map(({ id, first_name, last_name, former_name, joined_month, offices }) => (
            <li key={id} className="rule flex items-center gap-3 py-2">
              <Avatar name={nameOf({ first_name, last_name })} />
              <span className="min-w-0 grow">
                <span className="block font-semibold">
                  {trustedName(nameOf({ first_name, last_name }), former_name)}
                </span>
                <span className="num block text-small text-ink-2">
                  {say('Joined in {month}', { month: monthWords(joined_month) })}
                </span>
              </span>
              <Button
                look="soft"
                disabledReason={whyNot({ joined_month, offices })}
                aria-label={`${act}: ${nameOf({ first_name, last_name })}, ${say('Joined in {month}', { month: monthWords(joined_month) })}`}
                onClick={() => choose({ id, name: nameOf({ first_name, last_name }) })}
              >
                {act}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
