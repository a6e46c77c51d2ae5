import type { acceptOffice, OfficeInvitation } from '@ushirika/contract/saccos';
import { CODE_TYPED_MAX } from '@ushirika/contract/typed';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { LongDate } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { useOfficeInvitations } from './namings.queries.ts';
import { officeWords } from './office-words.ts';

/** The offices that one is asked to take up; nothing where there are none. */
export function OfficeInvitations() {
  const { data } = useOfficeInvitations();
  const [accepting, setAccepting] = useState<OfficeInvitation | null>(null);
  return (
    <>
      {data?.results.map((invitation) => (
        <section
          key={invitation.id}
          aria-label={say('You are asked to take up an office')}
          className="mt-5 flex flex-wrap items-center justify-between gap-3 rounded-box bg-ochre-tint px-4 py-3"
        >
          <p className="min-w-0 grow basis-52 text-ochre-ink">
            {say('{sacco} asks you to take up an office: {office}. You can accept until', {
              sacco: invitation.sacco.name,
              office: officeWords(invitation.office),
            })}{' '}
            <LongDate iso={invitation.expires_at} />.
          </p>
          <Button onClick={() => setAccepting(invitation)} className="max-sm:w-full">
            {say('Accept with the SMS code')}
          </Button>
        </section>
      ))}
      {accepting && <AcceptDialog invitation={accepting} onClose={() => setAccepting(null)} />}
    </>
  );
}

function AcceptDialog({ invitation, onClose }: { invitation: OfficeInvitation; onClose: () => void }) {
  const submit = async (body: Record<'code', string>) => {
    const answer = await call<typeof acceptOffice>('POST', '/client/office-invitations/{id}/acceptance', {
      params: { id: invitation.id },
      body,
    });
    toast.success(answer.message);
    onClose();
    await refresh(['Client', 'Sacco']);
  };
  return (
    <Dialog title={say('Take up an office')} onClose={onClose}>
      <ApiForm<'code'> required={['code']} emptyMessage={say('All Fields are required')} submit={submit}>
        <p className="text-ink-2">
          {say('As {office} of {sacco} your name is published. If you know nothing of it, close this and do nothing.', {
            office: officeWords(invitation.office),
            sacco: invitation.sacco.name,
          })}
        </p>
        <TextField
          label={say('Code from the SMS')}
          name="code"
          maxLength={CODE_TYPED_MAX}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Accept')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
