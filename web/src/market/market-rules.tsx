import type { MarketTerms, setMarketTerms } from '@ushirika/contract/market';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { paths } from '../paths.ts';
import { closingOf } from '../saccos/changes.queries.ts';
import { ClosingNote } from '../saccos/closing-note.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { refreshMarketTerms } from './market.queries.ts';

/** For officials: members vote on the rules; two officials close the market at once, and open again what they have closed. */
export function MarketRules({
  sacco,
  terms,
  waits,
  changes,
}: {
  sacco: string;
  terms: MarketTerms;
  waits: boolean;
  changes: readonly SaccoChange[] | undefined;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const closing = closingOf(changes, 'market_terms', null);
  const mayOpenAgain = terms.trading === 'closed' && closing !== undefined && closing.vote === null;
  return (
    <Card className="px-4.5 py-4">
      <h2 className="text-body">{say('For officials')}</h2>
      <p className="mt-1 mb-3 text-small text-ink-2">
        {say(
          'Members vote on prices, steps, lots, fees and how long orders wait. Two officials can close the market at once, for 14 days.',
        )}
      </p>
      <div className="grid gap-2">
        <LinkButton look="line" to={paths.clientDraftTerms('market_terms')}>
          {say('Market rules')}
        </LinkButton>
        {(terms.trading === 'open' || mayOpenAgain) && (
          <Button
            look="line"
            disabledReason={waits ? say('Other new rules are already waiting. Decide on those first.') : null}
            onClick={() => setIsAsked(true)}
          >
            {mayOpenAgain ? say('Open again') : say('Close the market')}
          </Button>
        )}
      </div>
      {isAsked && <SwitchDialog sacco={sacco} terms={terms} onClose={() => setIsAsked(false)} />}
    </Card>
  );
}

function SwitchDialog({ sacco, terms, onClose }: { sacco: string; terms: MarketTerms; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const isOpening = terms.trading === 'closed';
  const { share_value, floor, ceiling, fee_percentage, ...rest } = terms;
  const body = {
    ...rest,
    fee_basis_points: Math.round(fee_percentage * 100),
    trading: isOpening ? ('open' as const) : ('closed' as const),
  };
  const propose = async () => {
    setBusy(true);
    try {
      const { message } = await call<typeof setMarketTerms>('PUT', '/sacco/market-terms', { body, saccoId: sacco });
      toast.success(message);
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refreshMarketTerms();
  };
  return (
    <Dialog title={isOpening ? say('Open the market again?') : say('Close the market?')} onClose={onClose}>
      <ul className="grid list-disc gap-1.5 pl-4.5">
        {isOpening ? (
          <li>{say('Another official must confirm it. It opens 24 hours later, with the rules that it had.')}</li>
        ) : (
          <>
            <li>{say('Another official must confirm it. Then no shares are traded between members.')}</li>
            <li>{say('Open orders wait, and can be cancelled.')}</li>
            <li>{say('It opens again after 14 days, unless members decide otherwise by a vote.')}</li>
          </>
        )}
      </ul>
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button look={isOpening ? 'main' : 'clay'} busy={busy} onClick={() => void propose()}>
          {busy ? say('processing...') : say('Propose it')}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}

/** For every member, while the market is closed. */
export function MarketClosed({ changes }: { changes: readonly SaccoChange[] | undefined }) {
  return (
    <Card className="mt-4 grid gap-3 border-clay bg-clay-tint p-4">
      <p role="status">
        <b>{say('The share market is closed.')}</b> {say('You can still cancel your orders.')}
      </p>
      <ClosingNote change={changes?.find(({ kind, undo_at, vote }) => kind === 'market_terms' && (undo_at || vote))} />
    </Card>
  );
}
