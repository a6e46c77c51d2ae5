import type { Suspension } from '@ushirika/contract/identity';
import type { ReactNode } from 'react';
import { LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** Told to the owner of a suspended account, at sign-in and on each page after it: since when, what is closed, and whom to turn to. */
export function SuspensionNote({
  since,
  support_phone: phone,
  children,
}: Suspension & {
  readonly children?: ReactNode;
}) {
  return (
    <div role="alert" className="mb-5 grid gap-2 rounded-box bg-clay-tint px-4 py-3.5">
      <p className="font-semibold">{say('Your account is suspended')}</p>
      <p>
        {say('Since')} <LongDate iso={since} time />.{' '}
        {phone !== null
          ? say('Your money and shares stay yours. Call us, and we look at it with you.')
          : say(
              'Your money and shares stay yours. Speak to an official of your sacco: they ask us to look at it with you.',
            )}
      </p>
      {phone !== null && (
        <a className="link inline-flex min-h-11 items-center font-semibold" href={`tel:+${phone}`}>
          +{phone}
        </a>
      )}
      <p>{say('You can still read, vote, complain and pay what you owe. Nothing else works until it ends.')}</p>
      {children}
    </div>
  );
}
