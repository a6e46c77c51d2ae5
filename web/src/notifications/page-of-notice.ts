import type { Notification } from '@ushirika/contract/notifications';
import type { NoticePage, NoticePages } from '../layouts/notice-page.ts';

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
