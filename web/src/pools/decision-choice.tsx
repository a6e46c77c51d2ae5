import { useId } from 'react';
import { useFormState } from '../ui/form.tsx';

/** One of two ways, each with what it means, as radios named `decision`. None is chosen until somebody chooses. */
export function DecisionChoice({
  legend,
  ways,
}: {
  legend: string;
  ways: readonly (readonly [value: string, words: string, more: string])[];
}) {
  const id = useId();
  const { errors, forget } = useFormState();
  const error = errors.decision;
  return (
    <fieldset aria-describedby={error ? `${id}error` : undefined}>
      <legend className="mb-1.5 text-small font-semibold">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {ways.map(([value, words, more]) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-edge px-3.5 py-3 has-checked:border-forest has-checked:bg-forest-tint has-focus-visible:outline-3 has-focus-visible:outline-(--focus)"
          >
            <input
              type="radio"
              name="decision"
              value={value}
              aria-labelledby={`${id}${value}`}
              aria-describedby={`${id}${value}more`}
              className="mt-0.5 size-5 shrink-0 accent-forest"
              onChange={() => forget('decision')}
            />
            <span className="min-w-0 grow">
              <span id={`${id}${value}`} className="block font-semibold">
                {words}
              </span>
              <span id={`${id}${value}more`} className="block text-small text-ink-2">
                {more}
              </span>
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}error`} className="mt-1.5 text-small font-medium text-clay">
          {error}
        </p>
      )}
    </fieldset>
  );
}
