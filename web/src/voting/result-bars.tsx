import { type Choice, type Tally, turnoutOf, type VoteRules } from '@ushirika/contract/voting-rules';
import { useId } from 'react';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { choiceWords, membersWords, votesWords } from './voting-words.ts';

const fills: Readonly<Record<Choice, string>> = {
  for: 'var(--forest)',
  against: 'var(--clay)',
  abstain: 'var(--line-strong)',
};

/** A bar with parts one after the other, of a whole; a dashed line marks what is needed. */
function Bar({
  parts,
  whole,
  mark,
}: {
  parts: readonly (readonly [size: number, fill: string])[];
  whole: number;
  mark: number | null;
}) {
  const id = useId();
  const inBar = (size: number) => (whole === 0 ? 0 : (size / whole) * 100);
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, [size]) => sum + size, 0));
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="block h-6 w-full" aria-hidden="true">
      <clipPath id={id}>
        <rect y="2" width="100" height="6" rx="0.6" />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        <rect width="100" height="10" fill="var(--sunken)" />
        {parts.map(([size, fill], index) => (
          <rect key={fill} x={inBar(starts[index] ?? 0)} width={inBar(size)} height="10" fill={fill} />
        ))}
      </g>
      {mark !== null && <Mark at={Math.min(99.4, Math.max(0.6, inBar(mark)))} />}
    </svg>
  );
}

/** Dashes on a light ground, so that they are seen on every part. */
function Mark({ at }: { at: number }) {
  const line = { d: `M${at} 0v10`, vectorEffect: 'non-scaling-stroke' } as const;
  return (
    <>
      <path {...line} stroke="var(--surface)" strokeWidth="5" />
      <path {...line} stroke="var(--ink)" strokeWidth="2.5" strokeDasharray="3 2" />
    </>
  );
}

/** For and against beside what a majority is, with the counts below. */
export function MajorityBar({ tally, rules: { majority } }: { tally: Tally; rules: VoteRules }) {
  const decided = tally.for + tally.against;
  return (
    <div>
      <Bar
        parts={[
          [tally.for, fills.for],
          [tally.against, fills.against],
        ]}
        whole={decided}
        mark={decided === 0 ? null : decided * (majority ? majority.part / majority.of : 1 / 2)}
      />
      <Counts tally={tally} />
    </div>
  );
}

function Counts({ tally }: { tally: Tally }) {
  return (
    <ul className="num mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-small">
      {(['for', 'against', 'abstain'] as const).map((choice) => (
        <li key={choice} className="inline-flex items-center gap-1.5">
          <svg viewBox="0 0 10 10" className="size-2.5" aria-hidden="true">
            <rect width="10" height="10" rx="3" fill={fills[choice]} />
          </svg>
          {choiceWords(choice)} <b>{formatCount(tally[choice])}</b>
        </li>
      ))}
    </ul>
  );
}

/** The votes of each candidate, and the abstentions. */
export function ElectionBars({
  rows,
  abstentions,
}: {
  rows: readonly { readonly id: string; readonly name: string; readonly votes: number; readonly isElected: boolean }[];
  abstentions: number;
}) {
  // Of all votes, so that a bar shows a share: 13 of 21 is no full bar.
  const all = rows.reduce((sum, { votes }) => sum + votes, abstentions);
  return (
    <ul className="num grid gap-2.5">
      {rows.map(({ id, name, votes, isElected }) => (
        <li key={id}>
          <p className="flex justify-between gap-3 text-small break-words">
            <span className={isElected ? 'font-semibold' : ''}>
              {name}
              {isElected && ` · ${say('Elected')}`}
            </span>
            <b>{formatCount(votes)}</b>
          </p>
          <Bar parts={[[votes, isElected ? 'var(--forest)' : 'var(--indigo)']]} whole={all} mark={null} />
        </li>
      ))}
      <li className="flex justify-between gap-3 text-small text-ink-2">
        {choiceWords('abstain')} <b>{formatCount(abstentions)}</b>
      </li>
    </ul>
  );
}

/** Whether enough voted. */
export function QuorumBar({ cast, quorum, members }: { cast: number; quorum: number | null; members: number }) {
  return (
    <div>
      <p className="num text-small text-ink-2">
        {say('{votes} of {members} on the roll', { votes: votesWords(cast), members: membersWords(members) })}
      </p>
      <Bar parts={[[cast, 'var(--indigo)']]} whole={members} mark={quorum} />
      {quorum !== null && (
        <p className="num mt-1 text-small">
          {cast >= quorum
            ? say('Enough to count: it needed {n}.', { n: formatCount(quorum) })
            : say('Too few to count: it needed {n}.', { n: formatCount(quorum) })}
        </p>
      )}
    </div>
  );
}

/** The result against what it needed: first the quorum, then the majority. */
export function ResultBars({
  tally,
  rules,
  quorum,
  members,
}: {
  tally: Tally;
  rules: VoteRules;
  quorum: number | null;
  members: number | null;
}) {
  const cast = turnoutOf(tally);
  return (
    <div className="grid gap-4">
      {members !== null && <QuorumBar cast={cast} quorum={quorum} members={members} />}
      <div>
        <p className="text-small text-ink-2">
          {rules.majority === null
            ? say('The dashed line is the half: more must be in favour than against.')
            : say('The dashed line marks {part} in {of}: at least so many must be in favour.', rules.majority)}
        </p>
        <MajorityBar tally={tally} rules={rules} />
      </div>
    </div>
  );
}
