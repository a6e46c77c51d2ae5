import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { toast } from './toast.ts';

/** Copies a text and says so. `what` names it for a screen reader: 'Copy referral code'. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  return (
    <Button look="soft" className="min-w-11 px-3" aria-label={what} title={what} onClick={() => void copy(text)}>
      <Icon name="copy" />
    </Button>
  );
}

/** Puts a text on the clipboard, and says whether that was allowed. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(say('copied to clipboard'));
  } catch {
    toast.error(say('Your browser did not allow copying. Select the text and copy it yourself.'));
  }
}
