import type { endSession, logoutAll, Session } from '@ushirika/contract/identity';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { signOut, useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { FailureState, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { Ago } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { useDevices } from './devices.queries.ts';

/** Where the person is signed in; each device can be signed out, or all at once. */
export function Devices() {
  const { data, error, refetch } = useDevices();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Section title={say('Devices')} lead={say('Where you are signed in. Sign out what you do not know.')}>
      {!data && !error && <Skeletons count={2} label={say('Loading...')} className="mb-3 h-16" />}
      {error && !data && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      <ul>
        {data?.results.map((device) => (
          <Device key={device.id} device={device} />
        ))}
      </ul>
      {data && (
        <Button look="line" className="mt-4 max-sm:w-full" onClick={() => setLeaving(true)}>
          {say('Log out everywhere')}
        </Button>
      )}
      {isLeaving && <LeaveEverywhere onClose={() => setLeaving(false)} />}
    </Section>
  );
}

function Device({ device }: { device: Session }) {
  const [busy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof endSession>('DELETE', '/client/sessions/{id}', { params: { id: device.id } });
      toast.success(answer.message);
    } catch (error) {
      // A device that is gone already is what was asked for.
      if (!(error instanceof CallFailure && error.status === 404)) toast.error(wordsFor(error));
    } finally {
      setBusy(false);
    }
    await refresh(['User']);
  };
  return (
    <li className="rule flex items-center gap-3.5 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-box bg-sunken text-ink-2">
        <Icon name="device" />
      </span>
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2.5 font-medium">
          {device.device}
          {device.current && <Tag>{say('This device')}</Tag>}
        </p>
        <p className="num text-small text-ink-2">
          {device.address} · {say('last seen')} <Ago iso={device.last_seen_at} />
        </p>
      </div>
      {!device.current && (
        <Button look="line" busy={busy} onClick={end} aria-label={say('Sign out {device}', { device: device.device })}>
          {busy ? say('processing...') : say('Sign out')}
        </Button>
      )}
    </li>
  );
}

function LeaveEverywhere({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const submit = async ({ password }: Record<'password', string>) => {
    const body = { id_number: session?.user.id_number ?? '', password };
    await call<typeof logoutAll>('POST', '/auth/logoutall/', { body });
    signOut('asked');
  };
  return (
    <Dialog title={say('Log out everywhere')} onClose={onClose}>
      <ApiForm<'password'> required={['password']} emptyMessage={say('Enter your password.')} submit={submit}>
        <p className="text-ink-2">{say('Every device is signed out, this one too.')}</p>
        <PasswordField label={say('Password')} name="password" autoComplete="current-password" />
        <SubmitButton busyLabel={say('processing...')} look="clay">
          {say('Log out everywhere')}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
