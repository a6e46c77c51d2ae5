import type { Tx } from '../db/tx.ts';
import { createPerson } from '../domains/identity/create-person.ts';
import { joinSacco } from '../domains/membership/join-sacco.ts';
import { noteJoining } from '../domains/referrals/note-joining.ts';
import { noteRegistration } from '../domains/referrals/note-registration.ts';
import { lockSacco } from '../domains/saccos/lock-sacco.ts';
import { depositSavings } from '../domains/savings/deposit-savings.ts';
import { mustBeDone } from './money-acts.ts';
import type { DemoPerson } from './people.ts';
import type { DemoSacco } from './saccos.ts';
import type { Cast, Happening, Scene } from './scene.ts';

/** Signs up; `code` is the referral code of whoever invited. */
export function register(
  scene: Scene,
  cast: Cast,
  person: DemoPerson,
  when: Date,
  code?: (tx: Tx) => Promise<string>,
): Happening {
  return {
    at: when,
    what: `${person.firstName} ${person.lastName} signs up`,
    async act(tx: Tx) {
      const { idNumber, firstName, lastName, phone } = person;
      const email = `${firstName}.${lastName}@example.co.ke`.toLowerCase().replaceAll(/[^a-z.@]/g, '');
      const { passwordHash } = scene;
      const userId = await createPerson(tx, { idNumber, firstName, lastName, phone, email, passwordHash });
      const referralCode = code ? await code(tx) : null;
      await noteRegistration(tx, { userId, phone, idNumber, address: null, referralCode });
      cast.people.set(idNumber, userId);
    },
  };
}

/** Nobody sends M-Pesa an odd amount: up to the next hundred shillings. */
export const roundUp = (cents: number): number => Math.ceil(cents / 100_00) * 100_00;

export async function join(tx: Tx, cast: Cast, sacco: DemoSacco, person: DemoPerson): Promise<void> {
  // As they are shown on that day: members have changed them by a vote.
  const now = await lockSacco(tx, cast.sacco(sacco));
  const [regFeeCents, minShares, shareValueCents] = [now.reg_fee_cents, now.min_shares, now.share_value_cents];
  const terms = { saccoId: now.id, regFeeCents, minShares, shareValueCents, totalCents: regFeeCents };
  await joinSacco(tx, cast.person(person), terms, (joinedTx, { userId }) => noteJoining(joinedTx, [userId]));
}

export async function save(
  tx: Tx,
  cast: Cast,
  sacco: DemoSacco,
  person: DemoPerson,
  amountCents: number,
): Promise<void> {
  const { userId } = cast.person(person);
  mustBeDone(await depositSavings(tx, [{ userId, saccoId: cast.sacco(sacco), amountCents }]));
}
