import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { Card } from '../ui/card.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { sendAlert, sendAlertBack, usePriceAlerts } from './market.queries.ts';
import { formatPrice } from './market-words.ts';
import { centsTyped, priceText } from './ticket.rules.ts';
import { refusalBesideField } from './ticket-checks.ts';

/** To be told once when shares are offered at a price or below. */
export function PriceAlerts({ sacco, closed }: { sacco: string; closed: string | null }) {
  const { data } = usePriceAlerts(sacco);
  const alerts = data?.results ?? [];
  const submit = async ({ price }: Record<'price', string>, form: HTMLFormElement) => {
    const answer = await sendAlert({ sacco, price: priceText(centsTyped(price) ?? 0) });
    toast.success(answer.message);
    form.reset();
    await refresh(['Client']);
  };
  const unfit = (price: string) => {
    if (centsTyped(price) !== null) return null;
    return { toasts: [], fields: { price: say('Enter a price in shillings.') } };
  };
  return (
    <Card role="region" aria-label={say('Price alerts')} className="px-4.5 py-4">
      <h2 className="text-body">{say('Price alerts')}</h2>
      <ApiForm<'price'>
        label={say('Price alerts')}
        className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2.5"
        required={['price']}
        emptyMessage={say('Enter a price in shillings.')}
        check={({ price }) => unfit(price)}
        submit={submit}
        explain={refusalBesideField}
      >
        <MoneyField label={say('Tell me when shares are offered at or below')} name="price" />
        <SubmitButton look="soft" className="min-h-11.5" busyLabel={say('processing...')} disabledReason={closed}>
          {say('Tell me')}
        </SubmitButton>
      </ApiForm>
      {alerts.length > 0 && (
        <ul aria-label={say('Alerts that wait')} className="mt-3">
          {alerts.map(({ id, price }) => (
            <Alert key={id} id={id} price={price} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Alert({ id, price }: { id: string; price: number }) {
  const [busy, setBusy] = useState(false);
  const takeBack = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const answer = await sendAlertBack(id);
      toast.success(answer.message);
    } catch (error) {
      toast.error(wordsFor(error));
    }
    await refresh(['Client']);
    setBusy(false);
  };
  return (
    <li className="rule flex items-center justify-between gap-3">
      <span className="flex items-center gap-2 text-small">
        <Icon name="bell" className="size-4 text-ink-2" />
        <Money shillings={price} className="font-semibold" />
      </span>
      <button
        type="button"
        className="btn btn-quiet -mr-2.5 text-small"
        aria-disabled={busy || undefined}
        onClick={() => void takeBack()}
      >
        {say('Take back')}
        <span className="sr-only"> {formatPrice(price)}</span>
      </button>
    </li>
  );
}
