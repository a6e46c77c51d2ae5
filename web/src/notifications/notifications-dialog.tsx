import type { listNotifications, Notification, readNotifications } from '@ushirika/contract/notifications';
import { topics } from '@ushirika/contract/topics';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate, unbroken } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { NoticeLink } from './notice-link.tsx';

/** What the platform told this person, newest first; each is marked as read by itself or all at once. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const list = usePages(['Client', 'notifications'], (cursor, signal) =>
    call<typeof listNotifications>('GET', '/client/notifications', { query: { cursor }, signal }),
  );
  const { busy, markRead } = useMarkRead();
  const hasUnread = list.rows?.some(({ read_at }) => read_at === null) ?? false;
  return (
    <Dialog title={say('Notifications')} onClose={onClose} wide>
      {list.isPending && <Skeletons count={4} label={say('Loading...')} className="mb-3 h-14 rounded-box" />}
      {list.isError && !list.rows && (
        <FailureState words={wordsFor(list.error)} again={say('Try again')} onAgain={() => void list.refetch()} />
      )}
      {list.rows?.length === 0 && (
        <EmptyState
          title={say('Nothing new')}
          next={say('Payments, decisions of your saccos and security messages are listed here.')}
        />
      )}
      {list.rows && list.rows.length > 0 && (
        <Button
          look="soft"
          className="mb-2 w-full sm:w-auto"
          busy={busy}
          disabledReason={hasUnread ? null : say('All of them are read.')}
          onClick={() => void markRead()}
        >
          {say('Mark all as read')}
        </Button>
      )}
      <ul>
        {list.rows?.map((one) => (
          <NotificationRow
            key={one.id}
            one={one}
            busy={busy}
            onRead={() => void markRead([one.id])}
            onFollow={() => {
              onClose();
              if (one.read_at === null) void markRead([one.id]);
            }}
          />
        ))}
      </ul>
      <LoadMore list={list} />
    </Dialog>
  );
}

interface RowProps {
  readonly one: Notification;
  readonly busy: boolean;
  readonly onRead: () => void;
  readonly onFollow: () => void;
}

function NotificationRow({ one, busy, onRead, onFollow }: RowProps) {
  const isNew = one.read_at === null;
  return (
    <li className="rule flex items-start gap-3 py-3">
      <span
        className={`mt-0.5 grid size-9 shrink-0 place-items-center rounded-box ${isNew ? 'bg-ochre-tint text-ochre-ink' : 'bg-sunken text-ink-2'}`}
      >
        <Icon name={topics[one.topic].icon} />
      </span>
      <div className="min-w-0 grow">
        <p className={isNew ? 'font-semibold' : ''}>
          {isNew && <span className="sr-only">{say('New:')} </span>}
          {unbroken(one.text)}
        </p>
        <p className="text-small text-ink-2">
          <LongDate iso={one.created_at} time />
        </p>
        <NoticeLink notice={one} onFollow={onFollow} />
      </div>
      {isNew && (
        <Button
          look="quiet"
          className="min-w-11 shrink-0"
          aria-label={say('Mark as read')}
          title={say('Mark as read')}
          busy={busy}
          onClick={onRead}
        >
          <Icon name="check" />
        </Button>
      )}
    </li>
  );
}

function useMarkRead() {
  const [busy, setBusy] = useState(false);
  const markRead = async (ids?: string[]) => {
    setBusy(true);
    try {
      await call<typeof readNotifications>('POST', '/client/notifications/read', { body: ids ? { ids } : {} });
      await refresh(['Client']);
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, markRead };
}
