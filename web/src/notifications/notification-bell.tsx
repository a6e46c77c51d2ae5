import { useQuery } from '@tanstack/react-query';
import type { listNotifications } from '@ushirika/contract/notifications';
import { Suspense, useState } from 'react';
import { call } from '../api/call.ts';
import { later } from '../layouts/later.tsx';
import { useSession } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

const NotificationsDialog = later(() => import('./notifications-dialog.tsx'), 'NotificationsDialog');

const ASK_MS = 60_000;

/** The bell in the header: how many notifications are unread, and the list behind it. */
export function NotificationBell() {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['Client', 'unread', session?.user.id],
    queryFn: ({ signal }) =>
      call<typeof listNotifications>('GET', '/client/notifications', { query: { limit: 1 }, signal }),
    enabled: session !== null,
    refetchInterval: ASK_MS,
  });
  const unread = data?.unread ?? 0;
  const count = unread > 99 ? '99+' : String(unread);
  const label = unread > 0 ? say('Notifications, {n} unread', { n: count }) : say('Notifications');
  return (
    <>
      <button
        type="button"
        className="btn btn-quiet relative min-w-11"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="num absolute top-0 right-0 min-w-4.5 rounded-full bg-clay px-1 text-center text-[0.6875rem] leading-4.5 font-bold text-on-clay"
          >
            {count}
          </span>
        )}
      </button>
      {isOpen && (
        <Suspense>
          <NotificationsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
