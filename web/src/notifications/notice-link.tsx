import type { Notification } from '@ushirika/contract/notifications';
import type { listSaccos } from '@ushirika/contract/saccos';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { chooseSacco, useSacco, useSession } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { useOwnOffices } from './own-offices.ts';
import { pageOfNotice, saccoOfNotice, wayOfNotice } from './page-of-notice.ts';

/** The way to the page that a notification is about, in the sacco that it names; nothing where there is none. */
export function NoticeLink({ notice, onFollow }: { notice: Notification; onFollow: () => void }) {
  const chosen = useSacco();
  const own = useOwnSaccos();
  const page = pageOfNotice(notice);
  if (!page) return null;
  const { to, sacco } = wayOfNotice(page, { named: saccoOfNotice(notice, own), chosen });
  const follow = () => {
    if (sacco && sacco.id !== chosen?.id) chooseSacco(sacco);
    onFollow();
  };
  return (
    <Link to={to} onClick={follow} className="link inline-flex min-h-11 items-center gap-1.5 text-small font-semibold">
      {page.words()}
      <Icon name="arrow" className="size-4" />
    </Link>
  );
}

/** The saccos of which the person is a member or holds an office, as My saccos has them. */
function useOwnSaccos() {
  const member = useSession()?.user.id;
  const { rows } = usePages(['Sacco', 'list', { name: '', member, viewer: member }], (cursor, signal) =>
    call<typeof listSaccos>('GET', '/sacco/list', { query: { member, cursor }, signal }),
  );
  return [...(rows ?? []), ...(useOwnOffices() ?? [])];
}
