import { Icon } from '../ui/icon.tsx';

/** Why the step is not for whoever reads: said in full, where the form would be or above one that cannot be sent. */
export function Barred({ words }: { words: string | null }) {
  if (!words) return null;
  return (
    <div role="note" className="mt-3 flex gap-3 rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
      <Icon name="info" className="mt-0.5 size-5" />
      <p className="min-w-0 font-semibold">{words}</p>
    </div>
  );
}
