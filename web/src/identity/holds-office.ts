import type { ClientProfile } from '@ushirika/contract/identity';

/** Whether a person is an official of a sacco. */
export function holdsOffice(profile: ClientProfile | undefined, sacco: string | undefined): boolean {
  return (profile?.roles ?? []).some((role) => role.sacco === sacco && role.office);
}
