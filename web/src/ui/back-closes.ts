/**
 * Going back closes the dialog on top, as people on phones expect, and keeps what was typed in it until it is opened
 * again. Each dialog that the address does not name adds a step of the same address to the history. A step whose dialog
 * was closed otherwise is spent: the next dialog takes it over, and going back passes over it.
 */
interface OpenDialog {
  /** Its step in the history; null where the address names the dialog. */
  step: number | null;
  readonly href: string;
  readonly close: () => void;
  readonly keepText: () => void;
}

const open: OpenDialog[] = [];
let lastStep = 0;
let here: number | null = null;

/** Whether an address names an open dialog (`useOpenInAddress`). */
const isOpen = (address: URL): boolean => address.searchParams.has('open');

const stepIn = (state: unknown): number | null => (state as { dialog?: number } | null)?.dialog ?? null;

const nameIn = (href: string): string | null => new URL(href).searchParams.get('open');

/** The dialog of the address that is open again once the present one is closed (`useOpenInAddress`). */
const waitingIn = (href: string): string | null => new URL(href).searchParams.get('then');

/**
 * Says that a dialog is open; call what it returns when it closes. `keepText` is called when going back closes it, and
 * where it waits for another one.
 */
export function closeOnBack(close: () => void, keepText: () => void): () => void {
  const isInAddress = open.length === 0 && isOpen(new URL(location.href));
  const dialog: OpenDialog = { step: null, href: location.href, close, keepText };
  if (!isInAddress) addStep(dialog);
  open.push(dialog);
  return () => {
    if (isInAddress && waitingIn(location.href) === nameIn(dialog.href)) keepText();
    open.splice(open.indexOf(dialog), 1);
  };
}

function addStep(dialog: OpenDialog): void {
  const now = stepIn(history.state);
  const isSpent = now !== null && open.every(({ step }) => step !== now);
  lastStep = Math.max(lastStep, now ?? 0) + 1;
  dialog.step = lastStep;
  const state = { ...history.state, dialog: lastStep };
  if (isSpent) history.replaceState(state, '');
  else history.pushState(state, '');
  here = lastStep;
}

function onPop(event: PopStateEvent): void {
  const left = here;
  here = stepIn(event.state);
  const isBack = left !== null && (here === null || here < left);
  const isSamePlace = location.href === hrefBefore;
  const top = open.at(-1);
  // The router closes a dialog of the address.
  if (isBack && !isSamePlace) top?.keepText();
  if (top?.step && top.href === location.href) {
    event.stopImmediatePropagation();
    if (!isBack) return;
    top.keepText();
    top.close();
    // A dialog that does not close now can be closed by going back later.
    setTimeout(() => open.includes(top) && addStep(top), 100);
  } else if (!top?.step && isBack && isSamePlace) {
    event.stopImmediatePropagation();
    // Within the event a browser may leave it out.
    setTimeout(() => history.back());
  }
}

/** Where the page was before the browser went back or forward. */
let hrefBefore = '';

/**
 * Follows the steps that the router adds, so that it is known which one is left; one for a dialog of the address is marked
 * as ours are. The entry loads this file, so that it listens before the router does.
 */
function follow(): void {
  const { pushState, replaceState } = history;
  const note = () => {
    here = stepIn(history.state);
    hrefBefore = location.href;
  };
  history.pushState = function (state, unused, url) {
    const opens = isOpen(new URL(url ?? '', location.href));
    if (opens) lastStep = Math.max(lastStep, here ?? 0) + 1;
    pushState.call(this, opens ? { ...state, dialog: lastStep } : state, unused, url);
    note();
  };
  history.replaceState = function (state, unused, url) {
    replaceState.call(this, here === null ? state : { dialog: here, ...state }, unused, url);
    note();
  };
  note();
  const pop = (event: PopStateEvent) => {
    onPop(event);
    hrefBefore = location.href;
  };
  addEventListener('popstate', pop);
}

/** The button or link clicked last: a browser may leave the focus elsewhere. */
let clicked: Element | null = null;
const openers = new WeakMap<HTMLElement, object>();
const addresses = new Map<string, object>();

/** An object for the address that has opened the dialog on top; null where a button did. */
function addressThatOpens(): object | null {
  const top = open.at(-1);
  if (!top || top.step !== null) return null;
  const known = addresses.get(top.href) ?? {};
  addresses.set(top.href, known);
  return known;
}

/** The button or link that opened a dialog, or the stand-in for the address that did; otherwise the dialog itself. */
export function openerOf(dialog: HTMLElement): object {
  const opener = openers.get(dialog) ?? addressThatOpens() ?? clicked ?? dialog;
  openers.set(dialog, opener);
  return opener;
}

function noteClicks(): void {
  const note = ({ target }: MouseEvent) => {
    clicked = target instanceof Element ? target.closest('button, a') : null;
  };
  addEventListener('click', note, true);
}

if (globalThis.history) {
  follow();
  noteClicks();
}
