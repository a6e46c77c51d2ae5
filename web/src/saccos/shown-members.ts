import { DISPLAYED_MEMBER_OFFSET_DEFAULT, displayedMemberCount } from '@ushirika/contract/constants';

/** The number of active members as a screen shows it, by the server's setting, which stands in the page's head. */
export const shownMembers = (members: number): number => displayedMemberCount(members, addedMembers());

/** How much is added to the true number. */
export function addedMembers(): number {
  const setting = document.querySelector<HTMLMetaElement>('meta[name="displayed-member-offset"]')?.content;
  return /^\d+$/.test(setting ?? '') ? Number(setting) : DISPLAYED_MEMBER_OFFSET_DEFAULT;
}
