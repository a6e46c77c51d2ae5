import type { ClientProfile } from '@ushirika/contract/identity';
import type { withdrawSaccoChange } from '@ushirika/contract/sacco-changes';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { refreshChanges } from './changes.queries.ts';

/** An official's new name, which another official has to confirm; the person takes it back. */
export function WaitingName({ name }: { name: NonNullable<ClientProfile['waiting_name']> }) {
  const [busy, setBusy] = useState(false);
  const takeBack = async () => {
    setBusy(true);
    try {
      const request = { params: { id: name.change }, saccoId: null };
      const answer = await call<typeof withdrawSaccoChange>('POST', '/sacco/changes/{id}/withdrawal', request);
      toast.success(answer.message);
    } catch (error) {
      toast.error(wordsFor(error));
    }
    setBusy(false);
    await refreshChanges();
  };
  return (
    <section className="my-2 rounded-box bg-ochre-tint px-4 py-3" aria-label={say('Your new name')}>
      <p className="text-small">{say('Your new name')}</p>
      <p className="font-semibold wrap-anywhere">
        {name.first_name} {name.last_name}
      </p>
      <p className="mt-1.5 text-small">
        {say('It takes effect as soon as another official confirms it, by {time} at the latest.', {
          time: longDateTime(name.lapses_at),
        })}
      </p>
      <Button look="line" className="mt-3 w-full" busy={busy} onClick={() => void takeBack()}>
        {busy ? say('processing...') : say('Take it back')}
      </Button>
    </section>
  );
}
