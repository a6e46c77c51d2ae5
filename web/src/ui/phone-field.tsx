import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { useMemo, useState } from 'react';
import { currentLanguage, say } from '../words/say.ts';
import { Field } from './fields.tsx';
import { useFormState } from './form.tsx';
import { countryTyped, hasTooManyDigits, phoneValue } from './phone-value.ts';
import { smsCountries } from './sms-countries.ts';

/**
 * A phone number of any country, Kenya unless chosen otherwise, in any form in which people paste one. The form gets it as `+254712345678`. A
 * number with the code of another country shows that country, as long as it stands there.
 * It carries the numbering plans of all countries, so pages that use it are loaded when they are opened. Where no SMS of ours
 * goes to the chosen country, it says so at once: the server would refuse the number.
 */
export function PhoneField({
  label,
  name,
  required,
  placeholder,
  defaultValue = '',
}: {
  label: string;
  name: string;
  required?: boolean;
  placeholder?: string;
  defaultValue?: string;
}) {
  const [chosen, setChosen] = useState<CountryCode>('KE');
  const [typed, setTyped] = useState(defaultValue);
  const country = countryTyped(typed, chosen);
  const language = currentLanguage();
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const named = getCountries().map((code) => ({ code, name: names.of(code) ?? code }));
    return named.sort((one, other) => one.name.localeCompare(other.name, language));
  }, [language]);
  const reached = smsCountries();
  const named = (code: string) => countries.find((one) => one.code === code)?.name ?? code;
  const isRefused = useFormState().errors[name] !== undefined;
  const notReached = say('{country}: we cannot send SMS there yet. Use a mobile number of {countries}.', {
    country: named(country),
    countries: new Intl.ListFormat(language, { type: 'disjunction' }).format(reached.map(named)),
  });
  return (
    <Field
      label={label}
      name={name}
      required={required}
      hint={
        // What the server refused says the same.
        isRefused ? undefined : hasTooManyDigits(typed) ? (
          <span role="status" className="font-medium text-clay">
            {say('A phone number has 17 digits at most.')}
          </span>
        ) : reached.includes(country) ? (
          forms(country)
        ) : (
          <span role="status" className="font-medium text-clay">
            {notReached}
          </span>
        )
      }
    >
      {({ name: _, ...control }) => (
        <div className="flex gap-2">
          <span className="relative shrink-0 rounded-box focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-[var(--focus)]">
            <span aria-hidden="true" className="field-box num flex h-full items-center gap-2 pr-3 font-medium">
              {country} +{getCountryCallingCode(country)}
              <span className="border-x-4 border-t-5 border-x-transparent border-t-ink-2" />
            </span>
            <select
              aria-label={say('Country')}
              data-name={`${name}-country`}
              value={country}
              onChange={(event) => setChosen(event.target.value as CountryCode)}
              className="absolute inset-0 w-full cursor-pointer opacity-0"
            >
              {countries.map(({ code, name: words }) => (
                <option key={code} value={code}>
                  {words} (+{getCountryCallingCode(code)})
                </option>
              ))}
            </select>
          </span>
          <input
            {...control}
            type="tel"
            data-name={name}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder={placeholder}
            autoComplete="tel-national"
            className="field-box num"
          />
          <input type="hidden" name={name} value={phoneValue(typed, country)} />
        </div>
      )}
    </Field>
  );
}

/** Kenyans write their numbers in two ways, and both are taken. */
function forms(country: CountryCode): string | undefined {
  return country === 'KE' ? say('As 0712345678 or 254712345678.') : undefined;
}
