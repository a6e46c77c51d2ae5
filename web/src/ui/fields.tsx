import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { say } from '../words/say.ts';
import { useFormState } from './form.tsx';

interface FieldProps {
  label: string;
  name: string;
  hint?: ReactNode;
  /** A star behind the label. The form says what happens when it is empty. */
  required?: boolean;
}

/** Label, hint and error around one control; the control gets the ids that tie them together. */
export function Field({
  label,
  name,
  hint,
  required,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const { errors, forget } = useFormState();
  const error = errors[name];
  const describedBy = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-small font-semibold">
        {label}
        {required && '*'}
      </label>
      {children({
        id,
        name,
        'aria-required': required || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
        onInput: () => forget(name),
      })}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-small font-medium text-clay">
          {error}
        </p>
      )}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-small text-ink-2">
          {hint}
        </div>
      )}
    </div>
  );
}

export interface ControlProps {
  id: string;
  name: string;
  'aria-required': true | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  onInput: () => void;
}

type InputProps = FieldProps & Omit<ComponentProps<'input'>, keyof ControlProps | 'required'>;

export function TextField({ label, name, hint, required, className = '', ...input }: InputProps) {
  return (
    <Field label={label} name={name} hint={hint} required={required}>
      {(control) => <input type="text" {...input} {...control} className={`field-box ${className}`} />}
    </Field>
  );
}

/** A password with a button that shows and hides it. */
export function PasswordField({ label, name, hint, required, ...input }: InputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} name={name} hint={hint} required={required}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className="field-box pr-24"
          />
          <button
            type="button"
            className="absolute inset-y-px right-px min-w-11 cursor-pointer rounded-box px-4 text-small font-semibold text-forest"
            aria-pressed={isShown}
            aria-controls={control.id}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? say('Hide') : say('Show')}
            <span className="sr-only"> {say('what is typed')}</span>
          </button>
        </div>
      )}
    </Field>
  );
}

/** An amount in shillings, entered as text. The form refuses a text that is no amount; the server reads the amount exactly. */
export function MoneyField({ label, name, hint, required, ...input }: InputProps) {
  return (
    <Field label={label} name={name} hint={hint} required={required}>
      {(control) => (
        <div className="relative">
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-4 grid place-items-center text-ink-2"
          >
            Ksh.
          </span>
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            data-money
            {...input}
            {...control}
            className="field-box num pl-14"
          />
        </div>
      )}
    </Field>
  );
}

export function SelectField({
  label,
  name,
  hint,
  required,
  children,
  ...select
}: FieldProps & Omit<ComponentProps<'select'>, keyof ControlProps | 'required'>) {
  return (
    <Field label={label} name={name} hint={hint} required={required}>
      {(control) => (
        <select {...select} {...control} className="field-box">
          {children}
        </select>
      )}
    </Field>
  );
}

export function TextArea({
  label,
  name,
  hint,
  required,
  ...area
}: FieldProps & Omit<ComponentProps<'textarea'>, keyof ControlProps | 'required'>) {
  return (
    <Field label={label} name={name} hint={hint} required={required}>
      {(control) => <textarea rows={3} {...area} {...control} className="field-box" />}
    </Field>
  );
}

/** One file; read it in `submit` with `fileOf(form, name)`. */
export function FileField({ label, name, hint, required, accept }: FieldProps & { accept: string }) {
  const [chosen, setChosen] = useState('');
  return (
    <Field label={label} name={name} hint={hint} required={required}>
      {(control) => (
        <div className="field-box field-box-around relative flex items-center gap-4 overflow-hidden">
          <span
            aria-hidden="true"
            className="-my-1 shrink-0 rounded-small bg-forest-tint px-3 py-1.5 font-semibold text-forest"
          >
            {say('Choose a file')}
          </span>
          <span aria-hidden="true" className={`min-w-0 truncate ${chosen ? '' : 'text-ink-2'}`}>
            {chosen || say('None chosen')}
          </span>
          {/* It lies over the words, unseen: its own are in the language of the browser. */}
          <input
            {...control}
            type="file"
            accept={accept}
            onChange={({ currentTarget }) => setChosen(currentTarget.files?.[0]?.name ?? '')}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </div>
      )}
    </Field>
  );
}
