import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { linesOf } from '../saccos/change-words.ts';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';

/** For every member, before it happens: which rules of the market change, and from when. */
export function ComingRules({ change }: { change: SaccoChange | undefined }) {
  if (change?.state !== 'confirmed' || !change.effective_at) return null;
  return (
    <Card role="status" className="mt-4 flex gap-3.5 border-indigo px-4.5 py-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-[11px] bg-indigo-tint text-indigo">
        <Icon name="clock" />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">
          {say('From {time} the market has new rules', { time: longDateTime(change.effective_at) })}
        </p>
        <ul className="num mt-1 grid gap-0.5 text-small text-ink-2">
          {linesOf(change).map(({ name, before, after }) => (
            <li key={name}>{say('{name}: {after}, now {before}.', { name, before, after })}</li>
          ))}
        </ul>
        <p className="mt-1.5 text-small text-ink-2">
          {say('Your open orders keep their fee. Those that no longer fit will be closed, and you will be told.')}
        </p>
      </div>
    </Card>
  );
}
