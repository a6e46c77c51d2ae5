import type { LoanFigures } from '@ushirika/contract/loans';
import { useState } from 'react';
import { now } from '../clock.ts';
import { Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { DayDialog } from './day-dialog.tsx';
import { lateSince } from './late-since.ts';

type Day = LoanFigures['days'][number];

/** A week is shown; of more it is enough to know whether they are late. */
const SHOWN = 7;

/** Nairobi is three hours ahead all year. */
const NAIROBI_MS = 3 * 3_600_000;
const todayInNairobi = () => new Date(now() + NAIROBI_MS).toISOString().slice(0, 10);

/** The runs of the last days: what each booked, and those that are late. */
export function DayRuns({ sacco, days }: { sacco: string; days: readonly Day[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const late = lateSince(days, todayInNairobi());
  return (
    <>
      <h2 className="text-lead">{say('Runs of the last days')}</h2>
      <p className="mt-1 mb-2 text-small text-ink-2">
        {say('Each day once: interest, penalties, reminders, classes and what is set aside.')}
      </p>
      {late && <Late {...late} />}
      {days.length === 0 ? (
        <p className="py-2 text-ink-2">{say('No day has been run yet. The first follows the first payout.')}</p>
      ) : (
        <ul className="num">
          {days.slice(0, SHOWN).map((day) => (
            <li key={day.day} className="rule flex items-center justify-between gap-4 py-2.5">
              <span className="min-w-0">
                <button
                  type="button"
                  className="link block min-h-11 cursor-pointer text-left font-semibold"
                  onClick={() => setOpened(day.day)}
                >
                  <LongDate iso={day.day} />
                </button>
                <span className="block text-small text-ink-2">
                  {say('Interest')} <Money shillings={day.accrued} />
                  {day.penalties > 0 && (
                    <>
                      {' · '}
                      {say('penalties')} <Money shillings={day.penalties} />
                    </>
                  )}
                  {day.reminders > 0 && ` · ${remindersWords(day.reminders)}`}
                </span>
              </span>
              <Tag tone={tones[day.state]}>{stateWords(day.state)}</Tag>
            </li>
          ))}
        </ul>
      )}
      {opened && <DayDialog sacco={sacco} day={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function Late({ first, count }: { first: string; count: number }) {
  return (
    <div role="status" className="my-3 flex gap-3 rounded-box bg-clay-tint px-4 py-3 text-clay">
      <Icon name="alert" className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="font-semibold">
          {say('{n, plural, one {The run of one day is late} other {The runs of # days are late}}', { n: count })}
        </p>
        <p className="num mt-0.5 text-small">
          {say(
            'The first is {day}. Interest and notices since then are not booked yet. The days are made up in order, by themselves.',
            {
              day: longDate(first),
            },
          )}
        </p>
      </div>
    </div>
  );
}

const remindersWords = (n: number) => say('{n} {n, plural, one {reminder} other {reminders}}', { n: formatCount(n) });

const tones = { waiting: 'ochre', running: 'indigo', done: 'forest' } as const;

function stateWords(state: Day['state']): string {
  const words = { waiting: say('Waits'), running: say('Running'), done: say('Complete') };
  return words[state];
}
