/** What was typed into a dialog that going back closed, by the page and the dialog's title; never what is secret. */
const kept = new Map<string, Map<string, string>>();

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const SECRET = /password|otp|pin|code/i;

/** The title that the dialog had when it was opened. */
function keyOf(dialog: HTMLElement): string {
  dialog.dataset.kept ??= `${location.pathname} ${dialog.querySelector('h2')?.textContent ?? ''}`;
  return dialog.dataset.kept;
}

/** Keeps what is typed until a dialog of this title is opened again on this page. */
export function keepText(dialog: HTMLElement): void {
  const values = new Map(controlsIn(dialog).map((control) => [nameOf(control), textOf(control)]));
  kept.set(keyOf(dialog), values);
}

/** Puts what was kept into a form that has come to a dialog. */
export function restoreText(form: HTMLFormElement): void {
  const dialog = form.closest('dialog');
  const values = dialog && kept.get(keyOf(dialog));
  if (!values) return;
  for (const control of controlsIn(form)) {
    const value = values.get(nameOf(control));
    if (value !== undefined && value !== textOf(control)) type(control, value);
  }
}

/** After a dialog was closed otherwise, or somebody signed out. */
export function forgetText(dialog?: HTMLElement): void {
  if (dialog) kept.delete(keyOf(dialog));
  else kept.clear();
}

function controlsIn(part: Element): Control[] {
  return [...part.querySelectorAll<Control>('input, textarea, select')].filter(
    (control) =>
      nameOf(control) && !SECRET.test(nameOf(control)) && !/^(password|file|hidden|radio)$/.test(control.type),
  );
}

const nameOf = (control: Control): string => control.dataset.name ?? control.name;

const isTicked = (control: Control): control is HTMLInputElement => control.type === 'checkbox';

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
