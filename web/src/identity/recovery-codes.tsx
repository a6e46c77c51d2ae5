import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { copy } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { recoveryText } from './recovery-text.ts';

/** Recovery codes, shown this once: to copy, to save as a file, or to write down. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = recoveryText(useSession()?.user.id_number ?? '', codes);
  return (
    <div className="grid gap-4">
      <p>
        {say(
          'Each of these lets you in once when your phone is lost. They are shown only now: keep them somewhere safe.',
        )}
      </p>
      <ul className="num grid gap-x-4 gap-y-1.5 rounded-box bg-sunken p-4 text-center font-semibold whitespace-nowrap select-all xs:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-2 gap-3">
        <Button look="soft" onClick={() => void copy(text)}>
          <Icon name="copy" className="size-4.5" />
          {say('Copy')}
        </Button>
        <a
          className="btn btn-soft"
          download="ushirika-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          <Icon name="book" className="size-4.5" />
          {say('Save')}
        </a>
      </div>
      <Button onClick={onDone}>{say('I have kept them')}</Button>
    </div>
  );
}
