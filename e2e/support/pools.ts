import { asOwner } from './past.ts';
import {
  activeSacco,
  api,
  createPool,
  join,
  newPerson,
  newPoolName,
  operator,
  type Pool,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
} from './people.ts';
import { message } from './simulator.ts';

/** What a pool of the journeys asks: nobody waits for days there. */
const AT_ONCE = { min_member_period: '0' };

/** A member of the sacco with so much in the wallet once the fee is paid. */
export async function memberWith(sacco: Sacco, shillings: number, first = 'Wanjiku'): Promise<SignedInPerson> {
  const member = await registerWithMoney(shillings + sacco.reg_fee, newPerson(first));
  await join(member, sacco);
  return member;
}

/** A pool of a sacco, a new one unless told, whose steward is a member of it; nobody has put money in. */
export async function formingPool(given?: Sacco): Promise<{ pool: Pool; sacco: Sacco; steward: SignedInPerson }> {
  const sacco = given ?? (await activeSacco());
  const steward = await memberWith(sacco, 8_000, 'Steward');
  const pool = await createPool(steward, newPoolName(), { sacco, terms: AT_ONCE });
  return { pool, sacco, steward };
}

/** The terms are read and accepted by their hash, as on the page. */
export async function joinPool({ token }: SignedInPerson, { id }: Pool, amount: number): Promise<void> {
  const { terms_hash } = await api<{ terms_hash: string }>('GET', `/guarantors/pools/${id}/details`, { token });
  await api('POST', '/guarantors/pools/join', {
    token,
    body: { pool: id, amount, accept_terms: true, terms_hash },
  });
}

/**
 * An open pool of five members with 4,000 each: its creator and another member as stewards, a borrower whose ID card was seen, and two
 * more.
 */
export async function openPool(given: { sacco?: Sacco; borrower?: SignedInPerson } = {}) {
  const { pool, sacco, steward } = await formingPool(given.sacco);
  const borrower = given.borrower ?? (await memberWith(sacco, 6_000, 'Borrower'));
  const others = [await memberWith(sacco, 4_000), await memberWith(sacco, 4_000), await memberWith(sacco, 4_000)];
  for (const member of [steward, borrower, ...others]) await joinPool(member, pool, 4_000);
  if (!given.borrower) await cardSeen(borrower);
  const second = others[2] as SignedInPerson;
  // A vote of members would make this member a steward a month later.
  await asOwner(
    (owner) => owner`insert into pool_stewards (pool_id, user_id, since) values (${pool.id}, ${second.id}, now())`,
  );
  return { pool, sacco, steward, second, borrower, others };
}

/** An operator records that the ID card of the person was seen. */
export async function cardSeen({ id, id_number }: SignedInPerson): Promise<void> {
  await api('POST', `/operator/people/${id}/identity-checks`, {
    token: operator().token,
    body: { document: 'national_id', number: id_number },
  });
}

/** Asks for a guarantee and gets its quote. */
export async function quoted(
  { token }: SignedInPerson,
  { id }: Pool,
  amount: number,
  period_months = 12,
): Promise<{ id: string; quote_hash: string }> {
  const body = { pool: id, amount, period_months, purpose: 'Stock for the market of December' };
  const { request } = await api<{ request: { id: string; quote_hash: string } }>(
    'POST',
    '/guarantors/pools/request-guarantee',
    { token, body },
  );
  return request;
}

/** The code of the SMS that signs, which says what is signed. */
export async function signingCode({ phone_number }: SignedInPerson): Promise<string> {
  const { text } = await message(phone_number, /signs for a pool guarantee.*Give this code to nobody/);
  return /(\d{4} \d{4})/.exec(text)?.[1] ?? '';
}

/** Signs a quote as its borrower does; the id of the guarantee, where it is approved at once. */
export async function signed(
  borrower: SignedInPerson,
  { id, quote_hash }: { id: string; quote_hash: string },
): Promise<string | undefined> {
  const { token, first_name, last_name } = borrower;
  const signing = { request: id, quote_hash };
  await api('POST', '/guarantors/pools/guarantee-contract/code', { token, body: signing });
  const body = {
    ...signing,
    accept: true,
    signed_name: `${first_name} ${last_name}`,
    code: await signingCode(borrower),
  };
  const path = '/guarantors/pools/guarantee-contract';
  const { contract } = await api<{ contract: { id: string } | null }>('POST', path, { token, body });
  return contract?.id;
}
