import type { Crowd } from './crowd.ts';
import type { Pools } from './pools.ts';

/** As many shillings as the crowd often asks to pay. */
const SHILLINGS = 150;

/**
 * In each sacco a check-off that waits for its second official, and one that waits for its payer: few draws make a whole list.
 * Written by the owner's hand, since nobody may be asked so often.
 */
export async function raiseCheckOffs(crowd: Crowd, pools: Pools): Promise<void> {
  const { owner, newId, now } = crowd.product.database;
  const idOf = (name: string) => crowd.people.get(name)?.id ?? '';
  const made: string[] = [];
  for (const sacco of crowd.saccos) {
    for (const checker of [null, idOf('secretary')]) {
      const id = newId();
      made.push(id);
      await owner`
        insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, checked_by, checked_at)
        values (${id}, ${sacco}, ${idOf('member')}, 'County of Nakuru', ${SHILLINGS * 100}, 1, ${checker ? 'checked' : 'listed'},
          ${idOf('official')}, ${now()}, ${checker}, ${checker ? now() : null})`;
      await owner`
        insert into check_off_lines (check_off_id, line, member_id, amount_cents)
        values (${id}, 1, ${idOf('neighbour')}, ${SHILLINGS * 100})`;
    }
  }
  pools.keepOnly('check-off', made);
}
