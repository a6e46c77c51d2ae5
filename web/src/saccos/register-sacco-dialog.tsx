import type { createSacco } from '@ushirika/contract/saccos';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refusedIn } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { SignInLinks } from '../auth/sign-in-links.tsx';
import { useSession } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FileField, MoneyField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { fileOf, SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

const REQUIRED = ['name', 'description', 'reg_no', 'reg_fee', 'min_shares', 'share_value'] as const;
type Field = (typeof REQUIRED)[number] | 'type';

/** Register Your Sacco: sent as a multipart form with the logo; an operator looks at it before it is active. */
export function RegisterSaccoDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();

  const submit = async (values: Record<Field, string>, form: HTMLFormElement) => {
    const logo = fileOf(form, 'logo');
    const { name, description, reg_no, reg_fee, min_shares, share_value } = values;
    const type = values.type as 'sacco' | 'chama' | 'investment_club';
    const created_by = session?.user.id ?? '';
    const answer = await call<typeof createSacco>('POST', '/sacco/create', {
      body: { name, description, reg_no, reg_fee, min_shares, share_value, type, created_by },
      ...(logo ? { file: { field: 'logo', file: logo } } : { multipart: true }),
    });
    const refused = refusedIn(answer);
    if (refused) {
      toast.error(refused);
      return;
    }
    toast.success(say(answer.message));
    onClose();
    await refresh(['Sacco', 'Client']);
  };

  return (
    <Dialog title={say('Register Your Sacco')} onClose={onClose} wide>
      {session ? (
        <ApiForm<Field>
          required={REQUIRED}
          emptyMessage={say('Fields with (*) are required')}
          submit={submit}
          explain={explainFailure}
        >
          <TextField label={say('Name')} name="name" required autoComplete="organization" />
          <TextArea label={say('Description')} name="description" required />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={say('Registration number')} name="reg_no" required autoComplete="off" />
            <SelectField label={say('Kind')} name="type" defaultValue="sacco">
              <option value="sacco">{say('Sacco')}</option>
              <option value="chama">{say('Chama')}</option>
              <option value="investment_club">{say('Investment club')}</option>
            </SelectField>
            <MoneyField label={say('Registration fee')} name="reg_fee" required />
            <MoneyField label={say('Share value')} name="share_value" required />
            <TextField
              label={say('Minimum shares')}
              name="min_shares"
              required
              inputMode="numeric"
              autoComplete="off"
            />
            <FileField
              label={say('Logo')}
              name="logo"
              accept="image/png,image/jpeg,image/webp"
              hint={say('PNG, JPEG or WebP, at most 2 MB. Optional.')}
            />
          </div>
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
