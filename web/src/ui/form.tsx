import { amountToSend, plainAmount } from '@ushirika/contract/typed';
import { createContext, type ReactNode, type SubmitEvent, useContext, useEffect, useRef, useState } from 'react';
import { say } from '../words/say.ts';
import { Button, type ButtonLook } from './button.tsx';
import { noteTyped, restoreText, type Typed } from './kept-text.ts';
import { toast } from './toast.ts';

/** What went wrong, for a person: sentences in passing, and sentences beside their fields. */
export interface Explanation {
  toasts: readonly string[];
  fields?: Readonly<Record<string, string>>;
}

interface FormState {
  busy: boolean;
  errors: Readonly<Record<string, string>>;
  forget: (name: string) => void;
}

const FormContext = createContext<FormState>({ busy: false, errors: {}, forget: () => {} });

export function useFormState(): FormState {
  return useContext(FormContext);
}

interface FormProps<Name extends string> {
  /** The names that must not be empty; if one is, `emptyMessage` is shown and nothing is sent. */
  required: readonly Name[];
  emptyMessage: string;
  /** Further checks before anything is sent; null when all is well. */
  check?: (values: Record<Name, string>) => Explanation | null;
  /**
   * Sends it. What it throws is explained by `explain`. The form's own values stay until `form.reset()`; where nothing was sent yet it
   * answers so, and the typed text is kept on.
   */
  submit: (values: Record<Name, string>, form: HTMLFormElement) => Promise<void> | Promise<'unsent' | undefined>;
  explain: (error: unknown) => Explanation;
  /** Where the typed text is kept while the page is loaded again; undefined forgets it. */
  keeping?: { read: () => Typed | undefined; write: (typed?: Typed) => void } | undefined;
  /** Sets the accessible name where no heading does. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/**
 * The one way to do a form: the browser holds the values, one submit at a time, refusals go beside their fields and
 * into toasts, and the first field that needs attention has the focus.
 */
export function Form<Name extends string>(props: FormProps<Name>) {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const sending = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const { keeping } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the form comes
  useEffect(() => {
    if (!element.current) return;
    restoreText(element.current, keeping?.read());
    // Heard also while its dialog leaves the page.
    element.current.addEventListener('reset', () => keeping?.write());
  }, []);

  const refuse = (form: HTMLFormElement, { toasts, fields = {} }: Explanation) => {
    for (const sentence of toasts) toast.error(sentence);
    setErrors(fields);
    const first = [...form.elements].find((element) => nameOf(element) in fields);
    if (first instanceof HTMLElement) first.focus();
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    if (sending.current) return;
    toast.endAll();
    const form = event.currentTarget;
    const values = valuesOf(form) as Record<Name, string>;
    const empty = props.required.filter((name) => !values[name]?.trim());
    if (empty.length > 0) {
      const fields = Object.fromEntries(empty.map((name) => [name, say('Fill in this field.')]));
      return refuse(form, { toasts: [props.emptyMessage], fields });
    }
    const unfit = unreadAmounts(form) ?? props.check?.(values);
    if (unfit) return refuse(form, unfit);
    sending.current = true;
    setBusy(true);
    setErrors({});
    try {
      if ((await props.submit(values, form)) !== 'unsent') keeping?.write();
    } catch (error) {
      refuse(form, props.explain(error));
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  const forget = (name: string) => {
    if (name in errors) setErrors(({ [name]: _, ...rest }) => rest);
  };
  return (
    <FormContext.Provider value={{ busy, errors, forget }}>
      <form
        ref={element}
        noValidate
        aria-label={props.label}
        className={props.className ?? 'grid gap-4'}
        onSubmit={onSubmit}
        onInput={({ currentTarget: form, target }) =>
          keeping?.write(noteTyped(form, keeping.read(), target as HTMLInputElement))
        }
      >
        {props.children}
      </form>
    </FormContext.Provider>
  );
}

/** The form's submit button, with other words while it is being sent. */
export function SubmitButton({
  busyLabel,
  look,
  className = 'w-full',
  disabledReason,
  children,
}: {
  busyLabel: string;
  look?: ButtonLook;
  className?: string;
  disabledReason?: string | null;
  children: ReactNode;
}) {
  const { busy } = useFormState();
  return (
    <Button type="submit" look={look} busy={busy} className={className} disabledReason={disabledReason}>
      {busy ? busyLabel : children}
    </Button>
  );
}

/** The chosen file of a field, or null when none was. */
export function fileOf(form: HTMLFormElement, name: string): File | null {
  const value = new FormData(form).get(name);
  return value instanceof File && value.size > 0 ? value : null;
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value;
  for (const element of form.elements) {
    const { name, inputMode } = element as HTMLInputElement;
    const value = values[name];
    if (value !== undefined && (inputMode === 'decimal' || inputMode === 'numeric')) values[name] = amountToSend(value);
  }
  return values;
}

/** Finds amounts that cannot be read: they stay in their fields, with a sentence. */
function unreadAmounts(form: HTMLFormElement): Explanation | null {
  const unread = ([...form.elements] as HTMLInputElement[]).filter(
    ({ dataset, value }) => dataset.money !== undefined && value?.trim() && plainAmount(value) === null,
  );
  if (unread.length === 0) return null;
  const sentence = say('Write 2500 or 2,500.50.');
  return { toasts: [], fields: Object.fromEntries(unread.map(({ name }) => [name, sentence])) };
}

/** What a person can reach: a control that holds its value in a hidden input carries the name in `data-name`. */
function nameOf(element: Element): string {
  const control = element as HTMLInputElement;
  return control.type === 'hidden' ? '' : (control.dataset.name ?? control.name);
}
