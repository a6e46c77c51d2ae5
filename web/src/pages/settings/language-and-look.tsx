import { type ReactNode, useId, useState } from 'react';
import { wordsFor } from '../../api/failure.ts';
import { keepLanguage } from '../../layouts/keep-language.ts';
import { Section } from '../../ui/section.tsx';
import { chooseTheme, type Theme, useTheme } from '../../ui/theme.ts';
import { toast } from '../../ui/toast.ts';
import { currentLanguage, type Language, say } from '../../words/say.ts';

/** Language and theme. The page changes at once; the language of SMS follows on the server. */
export function LanguageAndLook() {
  const theme = useTheme();
  // The catalogue of words is on its way for a moment: the choice shows at once.
  const [wanted, setWanted] = useState<Language | null>(null);
  const speak = async (language: Language) => {
    setWanted(language);
    try {
      await keepLanguage(language);
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setWanted(null);
    }
  };
  return (
    <Section title={say('Language and look')} lead={say('On this device. SMS follow your language.')}>
      <div className="grid gap-6 sm:grid-cols-2">
        <Choices
          label={say('Language')}
          chosen={wanted ?? currentLanguage()}
          choices={[
            [
              'en',
              <span key="en" lang="en">
                English
              </span>,
            ],
            [
              'sw',
              <span key="sw" lang="sw">
                Kiswahili
              </span>,
            ],
          ]}
          onChoose={(language) => void speak(language)}
        />
        <Choices<Theme>
          label={say('Theme')}
          chosen={theme}
          choices={[
            ['system', say('As the device')],
            ['light', say('Light')],
            ['dark', say('Dark')],
          ]}
          onChoose={chooseTheme}
        />
      </div>
    </Section>
  );
}

function Choices<Value extends string>({
  label,
  chosen,
  choices,
  onChoose,
}: {
  label: string;
  chosen: Value;
  choices: readonly (readonly [Value, ReactNode])[];
  onChoose: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-small font-semibold">{label}</legend>
      {choices.map(([value, words]) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
            className="size-5 accent-forest"
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
