import { decideCheckOff } from '../../server/domains/loans/decide-check-off.ts';
import { makeCheckOff } from '../../server/domains/loans/make-check-off.ts';
import { type Lending, memberId, type Name } from './lenders.ts';

const EMPLOYER = 'Kiambu Works';
const CENTS = 100_00;

/** Lists of what an employer pays for whom, at each step. Nobody has more than three that are open. */
export async function employersLists(lending: Lending): Promise<void> {
  const { pools, sacco, hands, crowd } = lending;
  const phoneOf = async (name: Name) => {
    const [row] = await crowd.product.database.owner<{ phone: string }[]>`
      select phone from users where id = ${hands[name].id}`;
    return row?.phone ?? '';
  };
  const list = {
    employer: EMPLOYER,
    payer_phone: await phoneOf('member'),
    list_text: `${await phoneOf('neighbour')},100`,
  };
  const [decided, withdrawn] = [await listed(lending, 'guest'), await listed(lending, 'guest')];
  const [paid, declined] = [await listed(lending, 'member'), await listed(lending, 'member')];
  const actor = { userId: hands.secretary.id, saccoId: sacco };
  for (const id of [paid, declined]) {
    await crowd.product.database.transaction((tx) => decideCheckOff(tx, actor, { id, decision: 'approve' }));
  }
  for (const as of ['official', 'secretary']) {
    for (const route of ['previewCheckOff', 'makeCheckOff']) pools.ready(route, as, { sacco, ...list });
    for (const route of ['readCheckOff', 'listCheckOffLines']) pools.ready(route, as, { sacco, 'check-off': paid });
  }
  pools.ready('withdrawCheckOff', 'official', { sacco, 'check-off': withdrawn });
  pools.ready('decideCheckOff', 'secretary', { sacco, 'check-off': decided });
  for (const route of ['readMyCheckOff', 'listMyCheckOffLines', 'payCheckOff']) {
    pools.ready(route, 'member', { 'check-off': paid, amount: CENTS / 100 });
  }
  pools.ready('declineCheckOff', 'member', { 'check-off': declined });
}

/** `official` has listed it. */
async function listed(lending: Lending, payer: Name): Promise<string> {
  const { sacco, hands, crowd } = lending;
  const lines = [{ member: await memberId(lending, hands.neighbour), amountCents: CENTS }];
  const input = { employer: EMPLOYER, payerId: hands[payer].id, lines };
  const official = { userId: hands.official.id, saccoId: sacco };
  return crowd.product.database.transaction((tx) => makeCheckOff(tx, official, input));
}
