import type { GuaranteeRequest } from '@ushirika/contract/loans';
import { now } from '../clock.ts';
import { Card } from '../ui/card.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';

type Ahead = NonNullable<GuaranteeRequest['recovery']>;

/** For the guarantor of a loan that is late: what the sacco may do next, and when their own savings may be taken. */
export function GuarantorAhead({ request: { recovery, borrower } }: { request: GuaranteeRequest }) {
  if (!recovery) return null;
  const next = nextWords(recovery);
  return (
    <Card className="border-ochre p-5">
      <h2 className="text-lead">{say('What comes next')}</h2>
      <ul className="num mt-2 grid list-disc gap-2 pl-5">
        {next && <li>{next}</li>}
        <li className="font-semibold">{takenWords(recovery)}</li>
        <li>{say('Talk to {name}: what is paid before then is not taken of you.', { name: borrower })}</li>
      </ul>
    </Card>
  );
}

/** From when on the guarantor's savings may be taken. */
export function takenWords({ taken_from: from }: Ahead): string {
  if (from === null) {
    return say('Your savings may be taken 14 days after a final notice at the earliest. You are told of it too.');
  }
  if (isAhead(from)) {
    return say('Your savings may be taken from {day} on, after the borrower’s.', { day: longDate(from) });
  }
  return say('Your savings may be taken now, after the borrower’s.');
}

function nextWords({ next, next_from: from }: Ahead): string | null {
  if (next === 'default') {
    return from && isAhead(from)
      ? say('From {day} on the officials may declare a default.', { day: longDate(from) })
      : say('The officials may declare a default now.');
  }
  if (next === 'final_notice') return say('A default is declared. The final notice comes next.');
  return null;
}

const isAhead = (at: string) => Date.parse(at) > now();
