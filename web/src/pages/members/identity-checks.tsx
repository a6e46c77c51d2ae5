import type { listIdentityChecks, withdrawIdentityCheck } from '@ushirika/contract/membership';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { usePages } from '../../api/pages.ts';
import { DeskList } from '../../layouts/list-states.tsx';
import { IdentityCheckList } from '../../operator/identity-check-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { say } from '../../words/say.ts';

/** For officials: which of them recorded whose ID card. The supervisory committee reads it to supervise the others. */
export function IdentityChecks({ sacco }: { sacco: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card className="mt-5 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 max-w-[62ch]">
          <h2 className="text-lead">{say('ID cards seen')}</h2>
          <p className="mt-1 text-small text-ink-2">
            {say(
              'Who recorded whose card, newest first. A record that is not true can be taken back; it stays listed.',
            )}
          </p>
        </div>
        <Button look="line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="max-sm:w-full">
          {isOpen ? say('Hide the list') : say('Show the list')}
        </Button>
      </div>
      {isOpen && (
        <div className="mt-3">
          <List sacco={sacco} />
        </div>
      )}
    </Card>
  );
}

function List({ sacco }: { sacco: string }) {
  const checks = usePages(['Sacco', 'identity-checks', sacco], (cursor, signal) =>
    call<typeof listIdentityChecks>('GET', '/sacco/identity-checks', { query: { cursor }, saccoId: sacco, signal }),
  );
  const send = (id: string, reason: string) =>
    call<typeof withdrawIdentityCheck>('POST', '/sacco/identity-checks/{id}/withdrawal', {
      params: { id },
      body: { reason },
      saccoId: sacco,
    });
  return (
    <DeskList
      pages={checks}
      empty={{
        title: say('No ID card is recorded'),
        next: say('Record one in the list of members, when a member shows it to you.'),
      }}
    >
      {(rows) => <IdentityCheckList rows={rows} send={send} />}
    </DeskList>
  );
}
