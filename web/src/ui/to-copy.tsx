import { CopyButton } from './copy-button.tsx';

/** A text with a button that copies it. */
export function ToCopy({ name, text, what }: { name: string; text: string; what: string }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-small text-ink-2">{name}</p>
        <p className="num font-semibold break-all">{text}</p>
      </div>
      <CopyButton text={text} what={what} />
    </div>
  );
}
