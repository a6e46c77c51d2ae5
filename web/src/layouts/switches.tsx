import { currentSession } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { chooseTheme, isDark, useTheme } from '../ui/theme.ts';
import { toast } from '../ui/toast.ts';
import { chooseLanguage, type Language, say, useLanguage } from '../words/say.ts';
import { notLoaded } from './later.tsx';

/** SMS and notices of whoever is signed in follow. Where the server hears nothing of it, the pages have changed all the same. */
async function speak(language: Language): Promise<void> {
  try {
    await chooseLanguage(language);
  } catch {
    toast.error(notLoaded());
    return;
  }
  if (!currentSession()) return;
  // A page that a visitor opens first does without what calls the server.
  await import('./keep-language.ts').then(({ keepLanguage }) => keepLanguage(language)).catch(() => {});
}

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
        onClick={() => void speak(language === 'en' ? 'sw' : 'en')}
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
