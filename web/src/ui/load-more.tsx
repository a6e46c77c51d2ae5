import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** Under a list that comes in pages: a button for the next one. */
export function LoadMore({
  hasMore,
  loading,
  onMore,
  label,
  loadingLabel,
}: {
  hasMore: boolean;
  loading: boolean;
  onMore: () => void;
  label: string;
  loadingLabel: string;
}): ReactNode {
  if (!hasMore) return null;
  return (
    <div className="mt-6 grid justify-items-center">
      <Button look="line" busy={loading} onClick={onMore}>
        {loading ? loadingLabel : label}
      </Button>
    </div>
  );
}
