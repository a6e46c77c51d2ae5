import { DISPLAYED_MEMBER_OFFSET_DEFAULT, displayedMemberCount } from '@ushirika/contract/constants';

/** The number of active members as a screen shows it, by the server's setting, which stands in the page's head. */
export function shownMembers(members: number): number {
  const setting = document.querySelector<HTMLMetaElement>('meta[name="displayed-member-offset"]')?.content;
  const offset = /^\d+$/.test(setting ?? '') ? Number(setting) : DISPLAYED_MEMBER_OFFSET_DEFAULT;
  return displayedMemberCount(members, offset);
}
