import { CopyButton } from './copy-button.tsx';

/** A text with a button that copies it. `shown` is how it is read, where that is not how it is typed. */
export function ToCopy({
  name,
  text,
  shown = text,
  what,
}: {
  name: string;
  text: string;
  shown?: string;
  what: string;
}) {
  return (
    <div className="flex items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-small text-ink-2">{name}</p>
        <p className="num font-semibold break-all">{shown}</p>
      </div>
      <CopyButton text={text} what={what} />
    </div>
  );
}
