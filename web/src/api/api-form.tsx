import type { ComponentProps } from 'react';
import { keepTyping, readTyping } from '../session/kept-typing.ts';
import { type Explanation, Form } from '../ui/form.tsx';
import { CallFailure, wordsFor } from './failure.ts';

type ApiFormProps<Name extends string> = Omit<ComponentProps<typeof Form<Name>>, 'explain' | 'keeping'> & {
  explain?: (error: unknown) => Explanation;
  /** From useIdempotencyKey, where the call carries a key: it hears how each try ended. `submit` itself tells a success. */
  settle?: (error: unknown) => void;
  /**
   * Where a person types more than a line: the act and its row. The text typed under this name stays in this tab, also
   * when the page is loaded again. It goes once it is sent, its dialog is closed or somebody signs out.
   */
  keptAs?: string;
};

/** A form whose submit is a call: the refusal's sentences by field go beside the fields, its message into a toast. */
export function ApiForm<Name extends string>({
  explain = explainFailure,
  settle,
  keptAs,
  ...rest
}: ApiFormProps<Name>) {
  return (
    <Form<Name>
      {...rest}
      keeping={keptAs ? { read: () => readTyping(keptAs), write: (typed) => keepTyping(keptAs, typed) } : undefined}
      explain={(error) => {
        settle?.(error);
        return explain(error);
      }}
    />
  );
}

export function explainFailure(error: unknown): Explanation {
  if (error instanceof CallFailure && error.kind === 'aborted') return { toasts: [] };
  return { toasts: [wordsFor(error)], fields: sentencesBesideFields(error) };
}

/** The first sentence for each field of a refusal. */
export function sentencesBesideFields(error: unknown): Record<string, string> {
  if (!(error instanceof CallFailure)) return {};
  return Object.fromEntries(Object.entries(error.errors).map(([field, [first = '']]) => [field, first]));
}
