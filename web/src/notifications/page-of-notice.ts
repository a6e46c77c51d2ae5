import type { Notification } from '@ushirika/contract/notifications';
import type { NoticePage, NoticePages } from '../layouts/notice-page.ts';
import { paths } from '../paths.ts';

const parts = import.meta.glob<NoticePages>('../*/notice-pages.ts', { eager: true, import: 'noticePages' });
const pages = Object.values(parts).flatMap((part) => Object.entries(part));

/** The page that a notification is about: of those whose beginning its name has, the one with the longest. */
export function pageOfNotice({ template }: Pick<Notification, 'template'>): NoticePage | null {
  const fitting = pages.filter(([beginning]) => template.startsWith(beginning));
  return fitting.sort(([one], [other]) => other.length - one.length)[0]?.[1] ?? null;
}

interface Named {
  readonly name: string;
}

/** The sacco that a notification names; of several the one with the longest name. */
export function saccoOfNotice<Sacco extends Named>({ text }: Pick<Notification, 'text'>, saccos: readonly Sacco[]) {
  return saccos.filter(({ name }) => text.includes(name)).sort((one, other) => other.name.length - one.name.length)[0];
}

/**
 * Where the link of a notification leads, and the sacco that is chosen for it.
 * @param named the one of one's own saccos that the notification names; without, the chosen one is meant
 */
export function wayOfNotice<Sacco>(
  page: NoticePage,
  { named, chosen }: { readonly named: Sacco | undefined; readonly chosen: Sacco | null },
): { readonly to: string; readonly sacco: Sacco | null } {
  if (!page.isOfSacco) return { to: page.to(), sacco: null };
  if (!named && page.elsewhere) return { to: page.elsewhere(), sacco: null };
  const sacco = named ?? chosen;
  return { to: sacco ? page.to() : paths.mySaccos(), sacco };
}
