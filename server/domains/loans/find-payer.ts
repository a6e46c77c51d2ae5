import { isGuarded } from '#faults';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import {
  CHECK_OFF_LONG_LISTS_RULE,
  CHECK_OFF_PAYERS_OF_SACCO_RULE,
  CHECK_OFF_PAYERS_RULE,
} from '../identity/throttle.rules.ts';
import { reserveAttempt, reserveDistinct } from '../identity/throttles.ts';
import { shortName } from './check-off.rules.ts';

/** About 10,000 lines. */
const FREE_LIST_BYTES_MAX = 256 * 1_024;

export interface FoundPayer {
  readonly id: string;
  /** `Jane W.` */
  readonly name: string;
}

/**
 * Who is behind a confirmed phone. The phones that an official asks about are counted, and those of all officials of a sacco: they could
 * learn otherwise by whom any phone is used. The same phone again within a day is free: officials mend a list and send it again.
 * Somebody who has paid a list of this sacco before is free, too. Long lists are counted for themselves, whoever pays them: each takes
 * a second to read.
 * @throws Refusal `too_many_requests`
 */
export function findPayer(
  database: Database,
  official: { readonly userId: string; readonly saccoId: string },
  asked: { readonly phone: string; readonly bytesOfList: number },
): Promise<FoundPayer | null> {
  return asSystem(async () => {
    const [found] = await database.sql<{ id: string; first_name: string; last_name: string; is_known: boolean }[]>`
      select u.id, u.first_name, u.last_name,
        exists (select from check_offs c where c.payer_id = u.id and c.sacco_id = ${official.saccoId} and c.received_at is not null)
          as is_known
      from users u where u.phone = ${asked.phone} and u.phone_confirmed_at is not null`;
    // Before the phone is counted: the name is not told with this answer.
    if (asked.bytesOfList > FREE_LIST_BYTES_MAX) {
      await reserveAttempt(database, `check_off_long_list:${official.userId}`, CHECK_OFF_LONG_LISTS_RULE);
    }
    if (!found?.is_known && isGuarded('loans.check_off_payers_searched')) {
      await reserveDistinct(database, `check_off_payer:${official.userId}`, asked.phone, CHECK_OFF_PAYERS_RULE);
      // After the official's own: who is past it takes nothing from the others.
      await reserveDistinct(
        database,
        `check_off_payer_of:${official.saccoId}`,
        asked.phone,
        CHECK_OFF_PAYERS_OF_SACCO_RULE,
      );
    }
    return found ? { id: found.id, name: shortName(found) } : null;
  });
}
