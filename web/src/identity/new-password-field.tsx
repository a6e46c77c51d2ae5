import { passwordSatisfies } from '@ushirika/contract/constants';
import { PasswordField } from '../ui/fields.tsx';
import type { Explanation } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { passwordRules } from './password-rules.ts';

/** A new password, with the rules below it as they are met. Its form's `check` is `checkNewPassword`. */
export function NewPasswordField({
  label,
  required,
  password,
  onType,
}: {
  label: string;
  required?: boolean;
  /** What is typed so far; the form's owner clears it with the form. */
  password: string;
  onType: (password: string) => void;
}) {
  return (
    <PasswordField
      label={label}
      name="password"
      required={required}
      autoComplete="new-password"
      onChange={(event) => onType(event.target.value)}
      hint={<Checklist password={password} />}
    />
  );
}

export function checkNewPassword({ password }: { password: string }): Explanation | null {
  if (passwordSatisfies(password)) return null;
  const sentence = say('Password has not satisfied the required specs');
  return { toasts: [sentence], fields: { password: say('See which rule below is not met yet.') } };
}

function Checklist({ password }: { password: string }) {
  return (
    <ul aria-label={say('Rules for the new secret')} className="mt-2 grid gap-1">
      {passwordRules(password).map(({ words, met }) => (
        <li key={words} className={`flex items-center gap-2 ${met ? 'font-medium text-up' : ''}`}>
          <span
            className={`grid size-4.5 shrink-0 place-items-center rounded-full ${met ? 'bg-forest-tint' : 'border border-edge'}`}
          >
            {met && <Icon name="check" className="size-3.5" />}
          </span>
          {words}
          <span className="sr-only">{met ? say('(met)') : say('(open)')}</span>
        </li>
      ))}
    </ul>
  );
}
