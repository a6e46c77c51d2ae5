import { Mark } from '../ui/icon.tsx';

/** Before the first page's own code is here. */
export function Splash() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Mark className="size-12" />
    </div>
  );
}
