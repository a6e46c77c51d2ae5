import { Suspense, useState } from 'react';
import { later } from '../layouts/later.tsx';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/card.tsx';
import { Section } from '../ui/section.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { useProfile } from './profile.queries.ts';

const EnrolDialog = later(() => import('./enrol-dialog.tsx'), 'EnrolDialog');
const RenewCodesDialog = later(() => import('./guarded-dialogs.tsx'), 'RenewCodesDialog');
const RemoveDialog = later(() => import('./guarded-dialogs.tsx'), 'RemoveDialog');

const FEW_CODES = 3;

/** The authenticator app: set up, recovery codes, removal. Operators and officials must have one. */
export function SecondFactor() {
  const factor = useProfile().data?.second_factor;
  const [open, setOpen] = useState<'enrol' | 'renew' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section
      title={say('Authenticator app')}
      lead={say('A second factor: besides the password, a code from an app on your phone.')}
    >
      {!factor && <Skeletons count={1} label={say('Loading...')} className="h-20" />}
      {factor?.state === 'off' && (
        <>
          {factor.required && (
            <p className="mb-4 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
              {say('Your office asks for one: until it is set up, you cannot act in it.')}
            </p>
          )}
          <p className="mb-4 flex flex-wrap items-center gap-2.5">
            <Tag tone="plain">{say('Off')}</Tag>
            {say('Your password alone opens your account.')}
          </p>
          <Button onClick={() => setOpen('enrol')} className="max-sm:w-full">
            {say('Set up an authenticator app')}
          </Button>
        </>
      )}
      {factor?.state === 'on' && (
        <>
          <p className="flex flex-wrap items-center gap-2.5">
            <Tag>{say('On')}</Tag>
            {factor.recovery_codes_left === 1
              ? say('1 recovery code is left.')
              : say('{n} recovery {n, plural, one {code is} other {codes are}} left.', {
                  n: factor.recovery_codes_left,
                })}
          </p>
          {factor.recovery_codes_left < FEW_CODES && (
            <p className="mt-3 text-small font-medium text-clay">
              {say('Make new ones before they run out: they let you in when your phone is lost.')}
            </p>
          )}
          <div className="mt-4 flex flex-wrap gap-3 max-sm:*:w-full">
            <Button look="line" onClick={() => setOpen('renew')}>
              {say('New recovery codes')}
            </Button>
            <Button look="quiet" onClick={() => setOpen('remove')}>
              {say('Remove')}
            </Button>
          </div>
        </>
      )}
      <Suspense>
        {open === 'enrol' && <EnrolDialog onClose={close} />}
        {open === 'renew' && <RenewCodesDialog onClose={close} />}
        {open === 'remove' && <RemoveDialog isRequired={factor?.required ?? false} onClose={close} />}
      </Suspense>
    </Section>
  );
}
