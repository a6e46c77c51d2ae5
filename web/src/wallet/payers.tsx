import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '@ushirika/contract/route';
import type { endPayer, listPayers } from '@ushirika/contract/wallet';
import { useId, useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { FailureState } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { Section } from '../ui/section.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

const usePayers = () =>
  useQuery({
    queryKey: ['Client', 'payers'],
    queryFn: ({ signal }) => call<typeof listPayers>('GET', '/integrations/mpesa/payers', { signal }),
  });

/** Whose wallets M-Pesa prompts on one's own phone may fill, and which other phones pay into one's own; each can be ended. */
export function Payers() {
  const { data, error, refetch } = usePayers();
  return (
    <Section
      title={say('M-Pesa prompts')}
      lead={say('A prompt comes to a phone only from those who were given a code by its owner, once.')}
    >
      {!data && !error && <Skeletons count={1} label={say('Loading...')} className="h-28" />}
      {error && !data && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {data && <AllAgreed payers={data} />}
    </Section>
  );
}

/** The same on the wallet page, which whoever is in no sacco has too. Without anything agreed there is no card. */
export function PayersCard() {
  const id = useId();
  const { data } = usePayers();
  if (!data || data.wallets.length + data.phones.length === 0) return null;
  return (
    <section aria-labelledby={id} className="card p-5 max-lg:order-last">
      <h2 id={id} className="mb-3 text-lead">
        {say('M-Pesa prompts')}
      </h2>
      <AllAgreed payers={data} />
    </section>
  );
}

function AllAgreed({ payers: { wallets, phones } }: { payers: ReplyOf<typeof listPayers> }) {
  return (
    <div className="grid gap-6">
      <Agreed
        title={say('To your phone')}
        none={say('Only you send prompts to your phone.')}
        rows={wallets.map(({ id, name, account_number, since }) => {
          return { id, since, name, detail: say('Wallet {account}', { account: account_number }) };
        })}
      />
      <Agreed
        title={say('Into your wallet')}
        none={say('Only your own phone pays into your wallet by a prompt.')}
        rows={phones.map(({ id, phone, since }) => ({ id, since, name: `+${phone}`, detail: '' }))}
      />
    </div>
  );
}

interface Row {
  readonly id: string;
  readonly since: string;
  readonly name: string;
  readonly detail: string;
}

function Agreed({ title, none, rows }: { title: string; none: string; rows: readonly Row[] }) {
  return (
    <div>
      <h3 className="text-small font-semibold text-ink-2">{title}</h3>
      {rows.length === 0 ? (
        <p className="mt-1">{none}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <AgreedRow key={row.id} row={row} />
          ))}
        </ul>
      )}
    </div>
  );
}

function AgreedRow({ row: { id, since, name, detail } }: { row: Row }) {
  const [isEnding, setEnding] = useState(false);
  const end = async () => {
    setEnding(true);
    try {
      const answer = await call<typeof endPayer>('DELETE', '/integrations/mpesa/payers/{id}', { params: { id } });
      toast.success(answer.message);
      await refresh(['Client']);
    } catch (error) {
      toast.error(wordsFor(error));
      setEnding(false);
    }
  };
  return (
    <li className="rule flex min-h-14 items-center justify-between gap-4 py-2">
      <span className="min-w-0">
        <span className="num block font-medium">{name}</span>
        <span className="num block text-small text-ink-2">
          {detail && `${detail} · `}
          {say('since')} <LongDate iso={since} />
        </span>
      </span>
      <Button look="line" busy={isEnding} aria-label={say('End it for {name}', { name })} onClick={() => void end()}>
        {say('End it')}
      </Button>
    </li>
  );
}
