import type { ActivityEntry } from '@ushirika/contract/summary';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CardLink } from '../../ui/card-link.tsx';
import { LongDate, Money } from '../../ui/figures.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { eventWords } from '../../wallet/kinds.ts';
import { say } from '../../words/say.ts';

const SHOWN = 5;

/** The latest movements of the wallet, each with its receipt behind it. */
export function LastActivity({
  entries,
  onReceipt,
  onTopUp,
}: {
  entries: readonly ActivityEntry[] | undefined;
  onReceipt: (journal: string) => void;
  onTopUp: () => void;
}) {
  return (
    <Card className="flex min-w-0 flex-col px-5 py-4.5">
      <h2 className="mb-1 text-lead">{say('Last activity')}</h2>
      {!entries && (
        <div className="mt-2">
          <Skeletons count={3} label={say('Loading...')} className="mb-3 h-12 rounded-box" />
        </div>
      )}
      {entries?.length === 0 && (
        <div className="grid grow place-content-center justify-items-center gap-3 py-6 text-center">
          <p className="text-ink-2">{say('No activity yet. Top up by M-Pesa to get started.')}</p>
          <Button look="soft" onClick={onTopUp}>
            {say('Top Up')}
          </Button>
        </div>
      )}
      {entries && entries.length > 0 && (
        <>
          <ul className="grow">
            {entries.slice(0, SHOWN).map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one journal may move the wallet twice
              <Movement key={`${entry.id}${index}`} entry={entry} onReceipt={() => onReceipt(entry.id)} />
            ))}
          </ul>
          <CardLink to={paths.clientWallet()}>{say('The whole history')}</CardLink>
          <CardLink to={paths.proofs()}>{say('Check my balances')}</CardLink>
        </>
      )}
    </Card>
  );
}

function Movement({ entry, onReceipt }: { entry: ActivityEntry; onReceipt: () => void }) {
  return (
    <li className="rule">
      <button
        type="button"
        className="grid w-full cursor-pointer grid-cols-[1fr_auto] items-baseline gap-x-4 rounded-small py-2.5 text-left hover:bg-sunken"
        onClick={onReceipt}
      >
        <span className="min-w-0">{eventWords(entry.kind, entry.amount)}</span>
        <Money
          shillings={entry.amount}
          sign
          className={`text-right font-semibold ${entry.amount > 0 ? 'text-up' : ''}`}
        />
        <span className="col-span-2 text-small text-ink-2">
          <LongDate iso={entry.at} />
          <span className="sr-only"> · {say('Receipt')}</span>
        </span>
      </button>
    </li>
  );
}
