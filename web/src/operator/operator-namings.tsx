import type { OperatorSacco } from '@ushirika/contract/operator';
import type { Office } from '@ushirika/contract/route';
import type { NamingByOperator, withdrawOfficial } from '@ushirika/contract/saccos';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { NameOfficialDialog } from '../saccos/name-official-dialog.tsx';
import { firstNoWords, officeWords } from '../saccos/office-words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** An operator may name somebody for each. Those that a sacco lacks most come first. */
const OFFICES_NAMED = [
  'chair',
  'secretary',
  'treasurer',
  'vice_chair',
  'credit_committee',
  'supervisory_committee',
  'manager',
] as const satisfies readonly Office[];

/**
 * The open namings by two operators for offices of a sacco; the operator who named somebody takes it back. Operators name officials of a
 * sacco that has too few: one operator here, a second one under “Two operators”.
 */
export function OperatorNamings({ sacco }: { sacco: OperatorSacco }) {
  const [asked, setAsked] = useState<NamingByOperator | null>(null);
  const [isNaming, setNaming] = useState(false);
  if (sacco.namings.length === 0 && !sacco.officials_too_few) return null;
  return (
    <section aria-label={say('Named by operators')}>
      <h3 className="mb-1 text-lead">{say('Named by operators')}</h3>
      {sacco.officials_too_few && (
        <div className="grid gap-2">
          <p className="text-small text-ink-2">
            {say('It has too few officials to fill an office itself. Name those whom its members have elected.')}
          </p>
          <Button look="soft" onClick={() => setNaming(true)}>
            {say('Name an official')}
          </Button>
        </div>
      )}
      <ul>
        {sacco.namings.map((naming) => (
          <li key={naming.id} className="rule py-3">
            <p className="font-semibold break-words">{namingWords(naming)}</p>
            <p className="text-small text-ink-2">
              {say('Open until')} <LongDate iso={naming.expires_at} />.
            </p>
            {naming.first_no && <p className="text-small break-words">{firstNoWords(naming.first_no)}</p>}
            {naming.is_mine && (
              <Button look="line" className="mt-2 max-sm:w-full" onClick={() => setAsked(naming)}>
                {say('Take it back')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isNaming && (
        <NameOfficialDialog
          saccoId={sacco.id}
          title={say('Name an official of {sacco}', { sacco: sacco.name })}
          note={say(
            'Name only whom the members have elected by the minutes that you have seen. A second operator confirms it. Then the officials are told, and may refuse.',
          )}
          offices={OFFICES_NAMED}
          onClose={() => setNaming(false)}
        />
      )}
      {asked && <TakeBackDialog saccoId={sacco.id} naming={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

/** The office and the number of the person that operators name. */
export const namingWords = ({ office, id_number }: Pick<NamingByOperator, 'office' | 'id_number'>): string =>
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
      <p className="text-lead font-semibold">{namingWords(naming)}</p>
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
