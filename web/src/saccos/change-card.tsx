import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { useEffect, useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { type KindsOf, linesOf, meaningOf, titleOfChange } from './change-words.ts';
import { decideChange, refreshChanges } from './changes.queries.ts';

/** Seconds that an official has to read before the answer can be given. */
const READING_SECONDS = 5;

/** A change that two officials make: old and new side by side, who asks, from when; and the buttons of whoever may decide. */
export function ChangeCard({
  change,
  sacco,
  effect,
}: {
  change: SaccoChange;
  sacco: string;
  /** What it does to orders that wait, as the proposer was told; read before the yes. */
  effect?: string;
}) {
  const [asked, setAsked] = useState<'confirm' | 'refuse' | 'withdraw' | null>(null);
  const isConfirmed = change.state === 'confirmed';
  return (
    <Card role="region" aria-label={titleOfChange(change)} className="border-ochre px-4.5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <h2 className="text-body break-words">{titleOfChange(change)}</h2>
        <Tag tone={isConfirmed ? 'indigo' : 'ochre'}>
          {isConfirmed ? say('Confirmed by two') : say('Waits for a second official')}
        </Tag>
      </div>
      <p className="mt-1.5 text-small text-ink-2">{whenWords(change)}</p>
      <OldAndNew change={change} />
      <p className="mt-2 text-small text-ink-2">{byWords(change)}</p>
      {change.second_account && <p className="mt-2 text-small">{change.second_account}</p>}
      {change.may.length > 0 && (
        <div className="mt-3 grid gap-2">
          {change.may.includes('confirm') && (
            <Button onClick={() => setAsked('confirm')}>{say('Read and confirm')}</Button>
          )}
          {change.may.includes('refuse') && (
            <Button look="line" onClick={() => setAsked('refuse')}>
              {say('Refuse')}
            </Button>
          )}
          {change.may.includes('withdraw') && (
            <Button look="line" onClick={() => setAsked('withdraw')}>
              {say('Take it back')}
            </Button>
          )}
        </div>
      )}
      {asked && (
        <DecideDialog change={change} sacco={sacco} effect={effect} what={asked} onClose={() => setAsked(null)} />
      )}
    </Card>
  );
}

function whenWords({ state, at_once, effective_at, lapses_at }: SaccoChange): string {
  if (state === 'confirmed' && effective_at) return say('From {time} on.', { time: longDateTime(effective_at) });
  const values = { time: lapses_at ? longDateTime(lapses_at) : '' };
  if (at_once) return say('It takes effect as soon as another official confirms it, by {time} at the latest.', values);
  return say('It takes effect 24 hours after another official confirms it. Otherwise it ends on {time}.', values);
}

function byWords({ proposed_by, confirmed_by, proposed_at }: SaccoChange): string {
  const proposed = say('Proposed by {name}, {time}.', { name: proposed_by.name, time: longDateTime(proposed_at) });
  return confirmed_by ? `${proposed} ${say('Confirmed by {name}.', { name: confirmed_by.name })}` : proposed;
}

/** Each value on a line of its own: its name, what it is now, and what it will be. */
/** What the contract says where nothing holds yet. */
const NOTHING = '–';

export function OldAndNew({
  change,
  kinds,
}: {
  change: Pick<SaccoChange, 'kind' | 'before' | 'after'>;
  kinds?: KindsOf;
}) {
  return (
    <dl className="num mt-3">
      {linesOf(change, kinds).map(({ name, before, after }) => (
        <div key={name} className="rule py-2.5">
          <dt className="text-small text-ink-2">{name}</dt>
          <dd className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
            {before !== NOTHING && (
              <>
                <span className="sr-only">{say('now')}</span>
                <s className="text-ink-2">{before}</s>
                <Icon name="arrow" className="size-4 shrink-0 self-center text-ink-2" />
                <span className="sr-only">{say('then')}</span>
              </>
            )}
            <b>{after}</b>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const titles = {
  confirm: () => say('Confirm this change?'),
  refuse: () => say('Refuse this change?'),
  withdraw: () => say('Take this change back?'),
};

function DecideDialog({
  change,
  sacco,
  effect,
  what,
  onClose,
}: {
  change: SaccoChange;
  sacco: string;
  effect: string | undefined;
  what: keyof typeof titles;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const left = useReading(what === 'confirm');
  const decide = async () => {
    setBusy(true);
    try {
      toast.success(await decideChange(sacco, change.id, what));
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refreshChanges();
  };
  const words = { confirm: say('Confirm'), refuse: say('Refuse'), withdraw: say('Take it back') };
  return (
    <Dialog title={titles[what]()} onClose={onClose}>
      <p className="text-lead font-semibold break-words">{titleOfChange(change)}</p>
      <OldAndNew change={change} />
      {what === 'confirm' ? (
        <Meaning change={change} effect={effect} />
      ) : (
        <p className="mt-3 text-small">
          {what === 'withdraw' && change.state === 'proposed'
            ? say('Then everything stays as it is.')
            : say('Then everything stays as it is. The other officials are told.')}
        </p>
      )}
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button
          look={what === 'confirm' ? 'main' : 'clay'}
          busy={busy}
          disabledReason={left > 0 ? say('Read it first: {n} s', { n: left }) : null}
          onClick={() => void decide()}
        >
          {busy ? say('processing...') : left > 0 ? `${words[what]} (${left})` : words[what]}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}

function Meaning({ change, effect }: { change: SaccoChange; effect: string | undefined }) {
  return (
    <div className="mt-4 rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What it means for members')}</p>
      <ul className="num mt-1.5 grid list-disc gap-1.5 pl-4.5">
        {meaningOf(change).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {effect && (
          <li>
            {say('As the order book stands:')} {effect}
          </li>
        )}
        {change.at_once && change.kind !== 'official_name' && change.kind !== 'loan_waiver' && (
          <li>{say('It closes at once, and opens again after 14 days unless members decide otherwise by a vote.')}</li>
        )}
        {!change.at_once && (
          <li>{say('It takes effect 24 hours from now. Until then any official can still refuse it.')}</li>
        )}
      </ul>
    </div>
  );
}

/** Counts down while somebody reads. */
function useReading(isAsked: boolean): number {
  const [left, setLeft] = useState(isAsked ? READING_SECONDS : 0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}
