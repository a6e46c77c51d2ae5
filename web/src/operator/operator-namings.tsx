import type { OperatorSacco } from '@ushirika/contract/operator';
import type { NamingByOperator, withdrawOfficial } from '@ushirika/contract/saccos';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { FirstNoWords } from '../saccos/first-no.tsx';
import { officeWords } from '../saccos/office-words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** Whom operators name for offices of a sacco and who have not taken them up: whoever named somebody takes it back. */
export function OperatorNamings({ sacco }: { sacco: OperatorSacco }) {
  const [asked, setAsked] = useState<NamingByOperator | null>(null);
  if (sacco.namings.length === 0) return null;
  return (
    <section aria-label={say('Named by operators')}>
      <h3 className="mb-1 text-lead">{say('Named by operators')}</h3>
      <ul>
        {sacco.namings.map((naming) => (
          <li key={naming.id} className="rule py-3">
            <p className="font-semibold break-words">{whoWords(naming)}</p>
            <p className="text-small text-ink-2">
              {say('Open until')} <LongDate iso={naming.expires_at} />.
            </p>
            <FirstNoWords no={naming.first_no} />
            {naming.is_mine && (
              <Button look="line" className="mt-2 max-sm:w-full" onClick={() => setAsked(naming)}>
                {say('Take it back')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && <TakeBackDialog saccoId={sacco.id} naming={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

const whoWords = ({ office, id_number }: NamingByOperator): string =>
  say('{office}: ID number {number}', { office: officeWords(office), number: id_number });

function TakeBackDialog({
  saccoId,
  naming,
  onClose,
}: {
  saccoId: string;
  naming: NamingByOperator;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const takeBack = async () => {
    setBusy(true);
    const body = { id_number: naming.id_number, office: naming.office };
    try {
      const request = { params: { id: saccoId }, body };
      toast.success((await call<typeof withdrawOfficial>('POST', '/sacco/{id}/officials/withdrawal', request)).message);
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={say('Take this naming back?')} onClose={onClose}>
      <p className="text-lead font-semibold">{whoWords(naming)}</p>
      <p className="mt-3 text-small text-ink-2">
        {say('Whoever was asked cannot take the office up any more. The officials of an active sacco are told.')}
      </p>
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button look="clay" busy={busy} onClick={() => void takeBack()}>
          {busy ? say('processing...') : say('Take it back')}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}
