import { toast as hot, type ToastOptions } from 'react-hot-toast/headless';

interface Options extends Pick<ToastOptions, 'id'> {
  /** It is about the way to another page, and is read there: leaving this one does not end it. */
  readonly travels?: boolean;
}

/** What was said of something that did not go well, and whether it outlives its page. Successes pass by themselves. */
const said = new Map<string, { readonly travels: boolean }>();

function note(id: string, { travels = false }: Options): string {
  said.set(id, { travels });
  return id;
}

function end(ids: readonly string[]): void {
  for (const id of ids) {
    said.delete(id);
    hot.dismiss(id);
  }
}

/**
 * The one way to tell a person something in passing. Drawn by ToastList; the headless build injects no styles. What was
 * said of a refusal ends with its cause: with the next try, with a success, and when its page or dialog is left.
 */
export const toast = Object.assign((words: string, options: Options = {}) => note(hot(words, idOf(options)), options), {
  error: (words: string, options: Options = {}) => note(hot.error(words, idOf(options)), options),
  success: (words: string) => {
    toast.endAll();
    return hot.success(words);
  },
  dismiss: (id: string) => end([id]),
  /** Somebody tries again, or it went well. */
  endAll: () => end([...said.keys()]),
  /** Somebody has left the page or the dialog that it was about. */
  endOfPlace: () => end([...said].filter(([, { travels }]) => !travels).map(([id]) => id)),
});

function idOf({ id }: Options): ToastOptions {
  return id === undefined ? {} : { id };
}

/** The one that was said last, of those that a phone has room for: one. */
export function newestOf<One extends { readonly createdAt: number }>(toasts: readonly One[]): One | undefined {
  return toasts.reduce<One | undefined>(
    (newest, one) => (newest === undefined || one.createdAt > newest.createdAt ? one : newest),
    undefined,
  );
}
