import { useId } from 'react';

/** One of two or three ways, each with what it means, as radios of a form. None is chosen until somebody chooses. */
export function Choice({
  legend,
  name,
  ways,
}: {
  legend: string;
  name: string;
  ways: readonly { readonly value: string; readonly words: string; readonly more: string }[];
}) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-small font-semibold">{legend}</legend>
      <div className="grid gap-2">
        {ways.map(({ value, words, more }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-edge px-3.5 py-3 has-checked:border-forest has-checked:bg-forest-tint has-focus-visible:outline-3 has-focus-visible:outline-[var(--focus)]"
          >
            <input
              type="radio"
              name={name}
              value={value}
              aria-labelledby={`${id}${value}`}
              aria-describedby={`${id}${value}more`}
              className="mt-0.5 size-5 shrink-0 accent-forest"
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
    </fieldset>
  );
}
