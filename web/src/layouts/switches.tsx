import { Icon } from '../ui/icon.tsx';
import { chooseTheme, isDark, useTheme } from '../ui/theme.ts';
import { say, useLanguage } from '../words/say.ts';
import { keepLanguage } from './keep-language.ts';

/** Language and theme, on every page. Each button says what it switches to. */
export function Switches({ className = 'btn btn-quiet' }: { className?: string }) {
  const language = useLanguage();
  useTheme();
  const dark = isDark();
  const other = language === 'en' ? 'Kiswahili' : 'English';
  return (
    <div className="flex items-center">
      <button
        type="button"
        className={className}
        lang={language === 'en' ? 'sw' : 'en'}
        // Where the server hears nothing of it, the pages have changed all the same: the settings say what SMS follow.
        onClick={() => void keepLanguage(language === 'en' ? 'sw' : 'en').catch(() => {})}
      >
        <Icon name="globe" className="size-4.5" />
        {other}
      </button>
      <button
        type="button"
        className={`${className} min-w-11`}
        aria-label={dark ? say('Light theme') : say('Dark theme')}
        title={dark ? say('Light theme') : say('Dark theme')}
        onClick={() => chooseTheme(dark ? 'light' : 'dark')}
      >
        <Icon name={dark ? 'sun' : 'moon'} className="size-4.5" />
      </button>
    </div>
  );
}
