import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { LogFacts, LogTotal, readOwnTotals } from '@ushirika/contract/proofs';
import type { readSummary } from '@ushirika/contract/summary';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { ProofLink } from '../receipts/proof-link.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { accountWords } from '../verify/facts-of.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';

const CENTS = 100;

/** The checks are loaded when somebody presses the button. */
const loaded = () => import('./check-books.ts');

type Answer = { readonly isRight: boolean; readonly words: string; readonly more?: ReactNode };

/** A button that checks something in this browser, and what came of it. */
function Check({ label, look, check }: { label: string; look: 'line' | 'soft'; check: () => Promise<Answer> }) {
  const [state, setState] = useState<Answer | 'busy' | { readonly failure: string } | null>(null);
  const run = async () => {
    setState('busy');
    try {
      setState(await check());
    } catch (error) {
      setState({ failure: wordsFor(error) });
    }
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Button
        look={look}
        busy={state === 'busy'}
        className="max-w-full justify-self-start whitespace-normal"
        onClick={() => void run()}
      >
        <Icon name="shield" />
        {label}
      </Button>
      <Said state={state} />
    </div>
  );
}

function Said({ state }: { state: Answer | 'busy' | { readonly failure: string } | null }): ReactNode {
  if (state === null) return null;
  if (state === 'busy') return <p role="status">{say('Checking...')}</p>;
  if ('failure' in state) return <p role="alert">{state.failure}</p>;
  const { isRight, words, more } = state;
  return (
    <>
      <p role="status" className={`flex gap-2 font-semibold ${isRight ? 'text-up' : 'text-clay'}`}>
        <Icon name={isRight ? 'check' : 'close'} className="mt-0.5 size-5 shrink-0" />
        {words}
      </p>
      {more}
    </>
  );
}

/** Whether the log was changed between the oldest head that is shown and the newest. */
export function CheckHistory({ facts }: { facts: LogFacts }) {
  const check = async (): Promise<Answer> => {
    const { isOneHistory, means, trustedKeys } = await loaded();
    const when = longDateTime(facts.checkpoints.at(-1)?.signed_at ?? facts.started_at);
    return (await isOneHistory(means.crypto, means.logs, { ...facts, keys: [...(await trustedKeys(facts))] }))
      ? { isRight: true, words: say('Signed, and nothing was changed since {when}', { when }) }
      : { isRight: false, words: say('The log does not continue what was signed. Do not trust it.') };
  };
  return <Check label={say('Check')} look="line" check={check} />;
}

/** Whether the signed log after an ended one names its last head. */
export function CheckBeginning({
  origin,
  head,
  next,
}: {
  origin: string;
  head: { readonly size: number; readonly root: string };
  next: LogFacts;
}) {
  const check = async (): Promise<Answer> => {
    const { isBeginningLogged, means, trustedKeys } = await loaded();
    return (await isBeginningLogged(means.crypto, next, { ...head, log: origin }, await trustedKeys(next)))
      ? { isRight: true, words: say('The log after it names this head, and is signed') }
      : { isRight: false, words: say('The log after it does not name this head. Do not trust it.') };
  };
  return <Check label={say('Check')} look="line" check={check} />;
}

export function CheckTotal({ total, facts }: { total: LogTotal; facts: LogFacts }) {
  if (!total.receipt) return <p className="text-small text-ink-2">{say('Being logged')}</p>;
  const check = async (): Promise<Answer> => {
    const { isTotalLogged, means, trustedKeys } = await loaded();
    return (await isTotalLogged(means.crypto, total, await trustedKeys(facts)))
      ? { isRight: true, words: say('These figures are in the signed log') }
      : notLogged();
  };
  return <Check label={say('Check')} look="line" check={check} />;
}

const notLogged = (): Answer => ({
  isRight: false,
  words: say('These figures are not what was logged. Do not trust them.'),
});

/** Whether one's own balance is in a total: the proof, and the balance that the pages show now. */
export function CheckOwn({ total, facts, log }: { total: LogTotal; facts: LogFacts; log: string }) {
  const check = async (): Promise<Answer> => {
    const { ownPart, means, trustedKeys } = await loaded();
    const mine = await call<typeof readOwnTotals>('GET', '/log/totals/own', { query: { log } });
    const part = await ownPart(means.crypto, total, mine.results, await trustedKeys(facts));
    if (part === null) {
      return { isRight: false, words: say('This total can be proven no longer. The next one is taken within a day.') };
    }
    const { amount: own, kinds, isLogged, isProven } = part;
    if (!isLogged) return notLogged();
    const isShares = total.what === 'shares';
    if (!isProven) return { isRight: false, words: say('Your balance is not proven to be in this total.') };
    if (own === 0) return { isRight: true, words: say('You had nothing in this total.') };
    const amount = amountWords(own, isShares);
    const now = await shownNow(total, log);
    const more = <OwnParts kinds={kinds} isShares={isShares} of={[total.what, log]} />;
    if (now === null || now === own) {
      return { isRight: true, words: say('Yes, in this total: {amount}.', { amount }), more };
    }
    const words = say('Yes, in this total: {amount}. Now you have {now}.', {
      amount,
      now: amountWords(now, isShares),
    });
    return { isRight: true, words, more };
  };
  return <Check label={say('Is my balance in this total?')} look="soft" check={check} />;
}

/** One's own part by the kinds of accounts that pages show apart, and the way to its proof. */
function OwnParts({
  kinds,
  isShares,
  of,
}: {
  kinds: ReadonlyMap<string, number>;
  isShares: boolean;
  of: readonly [what: string, log: string];
}) {
  return (
    <div className="grid gap-3">
      <Facts facts={[...kinds].map(([kind, amount]) => [accountWords(kind), amountWords(amount, isShares)] as const)} />
      <div>
        <ProofLink of={of} />
      </div>
    </div>
  );
}

const amountWords = (amount: number, isShares: boolean): string =>
  isShares
    ? say('{n} {n, plural, one {share} other {shares}}', { n: formatCount(amount) })
    : formatShillings(amount / CENTS);

/** The dashboard's figure of it, in cents or shares; null where it has none. A wallet's has no pools in it. */
async function shownNow({ what }: LogTotal, log: string): Promise<number | null> {
  if (what === 'wallets') return null;
  const { saccos } = await call<typeof readSummary>('GET', '/client/summary', {});
  const sacco = saccos.find(({ id }) => id === log);
  if (!sacco) return null;
  return what === 'shares' ? sacco.shares : centsOf(sacco.savings);
}
