import { Suspense, useState } from 'react';
import { later } from '../layouts/later.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { useProfile } from './profile.queries.ts';

const ConfirmPhoneDialog = later(() => import('./confirm-phone-dialog.tsx'), 'ConfirmPhoneDialog');

/** Whether the phone number of the profile is confirmed; where it is not, the way to confirm it by SMS. */
export function PhoneConfirmation() {
  const { data: profile } = useProfile();
  const [isOpen, setOpen] = useState(false);
  if (!profile) return null;
  if (profile.verified.phone) {
    return (
      <p className="flex items-center gap-2 font-medium text-up">
        <Icon name="check" className="size-4.5" />
        {say('+{phone} is confirmed.', { phone: profile.phone_number })}
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-box bg-ochre-tint px-4 py-3">
      <p className="min-w-0 grow basis-52 text-ochre-ink">
        {say('+{phone} is not confirmed yet. Top-ups and withdrawals need a confirmed number.', {
          phone: profile.phone_number,
        })}
      </p>
      <Button onClick={() => setOpen(true)} className="max-sm:w-full">
        {say('Confirm by SMS')}
      </Button>
      {isOpen && (
        <Suspense>
          <ConfirmPhoneDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
