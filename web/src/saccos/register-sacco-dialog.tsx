import type { createSacco, Sacco } from '@ushirika/contract/saccos';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refusedIn } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { SignInLinks } from '../identity/sign-in-links.tsx';
import { useSession } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FileField } from '../ui/fields.tsx';
import { fileOf, SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { PARTICULARS_REQUIRED, type Particulars, ParticularsFields } from './particulars.tsx';

/**
 * The dialog "Register Your Sacco". It sends a multipart form with the logo. An operator must activate the new sacco.
 */
export function RegisterSaccoDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();

  const submit = async (values: Particulars, form: HTMLFormElement) => {
    const logo = fileOf(form, 'logo');
    const answer = await call<typeof createSacco>('POST', '/sacco/create', {
      body: { ...values, type: values.type as Sacco['type'], created_by: session?.user.id ?? '' },
      ...(logo ? { file: { field: 'logo', file: logo } } : { multipart: true }),
    });
    const refused = refusedIn(answer);
    if (refused) {
      toast.error(refused);
      return 'unsent';
    }
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client']);
    return undefined;
  };

  return (
    <Dialog title={say('Register Your Sacco')} onClose={onClose} wide>
      {session ? (
        <ApiForm<keyof Particulars>
          keptAs="new sacco"
          required={PARTICULARS_REQUIRED}
          emptyMessage={say('Fields with (*) are required')}
          submit={submit}
        >
          <ParticularsFields>
            <FileField
              label={say('Logo')}
              name="logo"
              accept="image/png,image/jpeg,image/webp"
              hint={say('PNG, JPEG or WebP, at most 2 MB. Optional.')}
            />
          </ParticularsFields>
          <p className="text-small text-ink-2">
            {say('Your sacco is inactive until an operator has looked at its papers. You become its chair.')}
          </p>
          <SubmitButton busyLabel={say('processing...')}>{say('Register Your Sacco')}</SubmitButton>
        </ApiForm>
      ) : (
        <SignInLinks />
      )}
    </Dialog>
  );
}
