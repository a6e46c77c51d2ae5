import type { listOperatorIdentityChecks, withdrawOperatorIdentityCheck } from '@ushirika/contract/operator';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { Button } from '../ui/button.tsx';
import { say } from '../words/say.ts';
import { IdentityCheckList } from './identity-check-list.tsx';

/** Whose ID card was seen by whom, on the whole platform. It is read only when it is asked for: each look is in the log. */
export function OperatorIdentityChecks() {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="mt-8">
      <h2 className="mb-1 text-title">{say('ID cards seen')}</h2>
      <p className="mb-4 max-w-[62ch] text-ink-2">
        {say('Who recorded whose card, newest first. A record that is not true can be taken back; it stays listed.')}
      </p>
      {isOpen ? (
        <List />
      ) : (
        <Button look="line" onClick={() => setOpen(true)}>
          {say('Show the list')}
        </Button>
      )}
    </section>
  );
}

function List() {
  const checks = usePages(['Client', 'operator', 'identity-checks'], (cursor, signal) =>
    call<typeof listOperatorIdentityChecks>('GET', '/operator/identity-checks', { query: { cursor }, signal }),
  );
  const send = (id: string, reason: string) =>
    call<typeof withdrawOperatorIdentityCheck>('POST', '/operator/identity-checks/{id}/withdrawal', {
      params: { id },
      body: { reason },
    });
  return (
    <DeskList
      pages={checks}
      empty={{
        title: say('No ID card is recorded'),
        next: say('Officials record those of their members, and you those of people who come to you.'),
      }}
    >
      {(rows) => (
        <div className="card px-4 sm:px-5">
          <IdentityCheckList rows={rows} send={send} />
        </div>
      )}
    </DeskList>
  );
}
