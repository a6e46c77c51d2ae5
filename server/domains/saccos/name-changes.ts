import { OFFICES } from '@ushirika/contract/route';
import type { Tx } from '../../db/tx.ts';
import { setName } from '../identity/set-name.ts';
import type { ChangeExecutor } from './changes.types.ts';

/** How an official's new name comes into force: by another official of one of their saccos, and then at once. */
export const officialNameChange: ChangeExecutor = {
  offices: OFFICES,
  isDelayed: false,
  words: { en: 'the name of an official', sw: 'jina la afisa' },
  current: (tx, { proposedBy }) => nameNow(tx, proposedBy),
  refusalOf: async () => null,
  announce: async () => {},
  async apply(tx, { proposedBy }, payload) {
    const { first_name, last_name } = payload;
    await setName(tx, { userId: proposedBy, firstName: String(first_name), lastName: String(last_name) });
  },
};

async function nameNow(tx: Tx, userId: string): Promise<{ first_name: string; last_name: string }> {
  const [row] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${userId}`;
  return { first_name: row?.first_name ?? '', last_name: row?.last_name ?? '' };
}
