import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import type { Origin } from './identity.types.ts';
import { devicesOf } from './known-devices.ts';

/**
 * Takes a request for a reset code. It writes the same two rows whoever asks for whomever, and looks nobody up: what
 * becomes of it is a job's work, so neither the answer nor its time can tell whether the account exists.
 */
export async function forgotPassword(
  tx: Tx,
  input: { readonly idNumber: string; readonly phone: string },
  origin: Pick<Origin, 'deviceCookie'>,
): Promise<void> {
  const id = tx.newId();
  await tx.sql`
    insert into reset_requests (id, id_number, phone, devices, created_at)
    values (${id}, ${input.idNumber}, ${input.phone}, ${devicesOf(origin)}, ${tx.now})`;
  await enqueue(tx, 'send_reset_code', { id });
}
