import { openerOf } from './back-closes.ts';

/** Text typed into a dialog that going back closed, by the button or the address that had opened it; never a secret. */
const kept = new WeakMap<object, Map<string, string>>();

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const SECRET = /password|otp|pin|code/i;

/** Keeps the typed text until the same button opens the dialog again. The button of another row opens it empty. */
export function keepText(dialog: HTMLElement): void {
  kept.set(openerOf(dialog), new Map(controlsIn(dialog).map((control) => [keyOf(control), textOf(control)])));
}

/** Puts the kept text into a form that has come to a dialog, and into fields that its choices bring. */
export function restoreText(form: HTMLFormElement): void {
  const dialog = form.closest('dialog');
  const values = new Map(dialog && kept.get(openerOf(dialog)));
  const restore = () => {
    for (const control of controlsIn(form)) {
      const value = values.get(keyOf(control));
      if (value !== undefined && value !== textOf(control)) type(control, value);
      values.delete(keyOf(control));
    }
  };
  restore();
  if (values.size > 0) setTimeout(restore);
}

/** Forgets the text of a dialog that was closed otherwise. */
export function forgetText(dialog: HTMLElement): void {
  kept.delete(openerOf(dialog));
}

function controlsIn(part: Element): Control[] {
  return [...part.querySelectorAll<Control>('input, textarea, select')].filter(
    (control) => nameOf(control) && !SECRET.test(nameOf(control)) && !/^(password|file|hidden)$/.test(control.type),
  );
}

const nameOf = (control: Control): string => control.dataset.name ?? control.name;

/** The key of a control: with its value where several boxes or choices have one name. */
const keyOf = (control: Control): string =>
  isTicked(control) ? `${nameOf(control)}=${control.value}` : nameOf(control);

const isTicked = (control: Control): control is HTMLInputElement => /^(checkbox|radio)$/.test(control.type);

const textOf = (control: Control): string => (isTicked(control) ? String(control.checked) : control.value);

/** Types as a person does, so that React hears of it. */
function type(control: Control, value: string): void {
  if (isTicked(control)) {
    control.click();
    return;
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
