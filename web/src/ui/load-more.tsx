import { say } from '../words/say.ts';
import { Button } from './button.tsx';

/** Under a list that comes in pages: a button for the next one. */
export function LoadMore({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-6 grid justify-items-center">
      <Button look="line" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? say('Loading...') : say('Load more')}
      </Button>
    </div>
  );
}
