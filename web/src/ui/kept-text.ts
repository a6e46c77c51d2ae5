import { openerOf } from './back-closes.ts';

/** Text typed into a dialog that going back closed, by the button or the address that had opened it; never a secret. */
const kept = new WeakMap<object, Typed>();

/** Typed text by the keys of its controls. */
export type Typed = Readonly<Record<string, string>>;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const SECRET = /password|otp|pin|code/i;

/** Keeps the typed text until the same button opens the dialog again. The button of another row opens it empty. */
export function keepText(dialog: HTMLElement): void {
  kept.set(openerOf(dialog), typedIn(controlsIn(dialog)));
}

/**
 * Puts the kept text into a form that has come to a dialog, and into fields and choices that come to it later.
 * @param typed is what the form had before the page was loaded again, as `noteTyped` gives it.
 */
export function restoreText(form: HTMLFormElement, typed: Typed | undefined): void {
  const dialog = form.closest('dialog');
  const values: Record<string, string> = { ...typed, ...(dialog && kept.get(openerOf(dialog))) };
  const restore = () => {
    for (const control of controlsIn(form)) {
      const value = values[keyOf(control)];
      if (value === undefined || !canHold(control, value)) continue;
      delete values[keyOf(control)];
      if (value !== textOf(control)) type(control, value);
    }
    if (Object.keys(values).length === 0) later.disconnect();
  };
  const later = new MutationObserver(restore);
  later.observe(form, { childList: true, subtree: true });
  restore();
}

/** Adds the control that a person has just typed into; of several choices of one name all of them. */
export function noteTyped(form: HTMLFormElement, typed: Typed | undefined, target: Control): Typed {
  return { ...typed, ...typedIn(controlsIn(form).filter((control) => nameOf(control) === nameOf(target))) };
}

/** Forgets the text of a dialog that was closed otherwise: its forms hear of it as of a reset. */
export function forgetText(dialog: HTMLElement): void {
  kept.delete(openerOf(dialog));
  for (const form of dialog.querySelectorAll('form')) form.reset();
}

const typedIn = (controls: readonly Control[]): Typed =>
  Object.fromEntries(controls.map((control) => [keyOf(control), textOf(control)]));

function controlsIn(part: Element): Control[] {
  return [...part.querySelectorAll<Control>('input, textarea, select')].filter(isKept);
}

const isKept = (control: Control): boolean =>
  Boolean(nameOf(control)) && !SECRET.test(nameOf(control)) && !/^(password|file|hidden)$/.test(control.type);

/** Whether a choice is there already: lists come later than their field. */
const canHold = (control: Control, value: string): boolean =>
  !(control instanceof HTMLSelectElement) || [...control.options].some((option) => option.value === value);

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
