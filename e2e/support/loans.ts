import { randomUUID } from 'node:crypto';
import { asOwner } from './past.ts';
import {
  activeSacco,
  api,
  buyShares,
  join,
  newPerson,
  register,
  registerWithMoney,
  type Sacco,
  type SignedInPerson,
} from './people.ts';
import { message } from './simulator.ts';

/** A sacco that lends, with its officials; none of them borrows or guarantees. */
export interface LendingSacco {
  readonly sacco: Sacco;
  readonly treasurer: SignedInPerson;
  readonly checker: SignedInPerson;
  readonly committee: readonly SignedInPerson[];
}

const PRODUCT = 'Mkopo wa Biashara';

/** A sacco with one product, a treasurer, a secretary who checks, and a credit committee of two. */
export async function lendingSacco(): Promise<LendingSacco> {
  const chair = await register(newPerson('Faith', 'Mutua'));
  const sacco = await activeSacco(chair);
  const treasurer = await register(newPerson('Tabitha', 'Wekesa'));
  const checker = await register(newPerson('Samuel', 'Kiptoo'));
  const committee = [await register(newPerson('Cate', 'Naliaka')), await register(newPerson('Carl', 'Omondi'))];
  await asOwner(async (owner) => {
    const offices = [
      [treasurer, 'treasurer'],
      [checker, 'secretary'],
      ...committee.map((member) => [member, 'credit_committee'] as const),
    ] as const;
    for (const [person, office] of offices) {
      await owner`
        insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
        values (${randomUUID()}, ${sacco.id}, ${person.id}, ${office}, now(), now() + interval '3 years', ${chair.id})`;
    }
    const product = randomUUID();
    await owner`insert into loan_products (id, sacco_id, created_at) values (${product}, ${sacco.id}, now())`;
    await owner`
      insert into loan_product_terms (product_id, valid_from, name, method, monthly_rate, fee_rate, penalty_rate,
        min_amount_cents, max_amount_cents, min_months, max_months, multiplier, min_member_days, min_guarantors,
        is_offered, changed_by)
      values (${product}, date_trunc('milliseconds', now() - interval '1 day'), ${PRODUCT}, 'annuity', 100, 100, 100, 500000, 10000000, 1, 24, 300, 180, 2,
        true, ${chair.id})`;
  });
  return { sacco, treasurer, checker, committee };
}

/** A member of the sacco with so much in savings, 500 shares and Ksh. 5,000 in the wallet. */
export async function saver(sacco: Sacco, savings: number, name: readonly [string, string]): Promise<SignedInPerson> {
  const member = await registerWithMoney(sacco.reg_fee + 500 * sacco.share_value + savings + 5_000, newPerson(...name));
  await join(member, sacco);
  await buyShares(member, sacco, 500);
  const { token } = member;
  await api('POST', '/sacco/savings/deposit', { token, body: { sacco: sacco.id, amount: savings } });
  return member;
}

/** As if everybody had joined and saved 200 days ago: nobody waits that long in a journey. */
export function halfAYearAgo({ id }: Sacco): Promise<void> {
  return asOwner((owner) =>
    owner.begin(async (sql) => {
      // Journals never change: a trigger holds that.
      await sql`set local session_replication_role = replica`;
      await sql`update memberships set joined_at = joined_at - interval '200 days' where sacco_id = ${id}`;
      await sql`
        update journals set posted_at = posted_at - interval '200 days'
        where kind = 'savings_deposited' and id in (
          select t.journal_id from transfers t join accounts a on a.id = t.credit_account_id where a.book_id = ${id})`;
    }),
  );
}

/** The code of the SMS that signs a guarantee. */
export async function guaranteeCode(member: SignedInPerson): Promise<string> {
  const { text } = await message(member.phone_number, /signs your guarantee/);
  return /Ushirika: ([\d ]+) signs/.exec(text)?.[1]?.trim() ?? '';
}

interface DeskLoan {
  readonly state: string;
  readonly key_facts: { readonly hash: string };
}

/** A loan as an official reads it. */
export function deskLoan(official: SignedInPerson, sacco: Sacco, loan: string): Promise<DeskLoan> {
  return api('GET', `/sacco/loans/${loan}`, { token: official.token, sacco: sacco.id });
}

/** An official's act on the desk, over the terms as they stand. */
export async function act(
  official: SignedInPerson,
  sacco: Sacco,
  loan: string,
  name: 'review' | 'disbursement' | 'disbursement-check',
  body: Record<string, unknown> = {},
): Promise<void> {
  const { key_facts } = await deskLoan(official, sacco, loan);
  const { token } = official;
  const terms_hash = key_facts.hash;
  await api('POST', `/sacco/loans/${loan}/${name}`, { token, sacco: sacco.id, body: { terms_hash, ...body } });
}

/** The committee approves with two voices. */
export async function approve({ committee, sacco }: LendingSacco, loan: string): Promise<void> {
  for (const member of committee) {
    await act(member, sacco, loan, 'review', { decision: 'approve', reason: 'Savings and income carry it.' });
  }
}

/** The treasurer orders the payment, and the secretary checks it. */
export async function payOut({ treasurer, checker, sacco }: LendingSacco, loan: string): Promise<void> {
  await act(treasurer, sacco, loan, 'disbursement');
  await act(checker, sacco, loan, 'disbursement-check', { decision: 'pay' });
}

/** An application without the page: 20,000 for six months, with so much asked of each guarantor. */
export async function applied(
  borrower: SignedInPerson,
  sacco: Sacco,
  asked: readonly (readonly [SignedInPerson, number])[],
): Promise<string> {
  const options = { token: borrower.token, sacco: sacco.id };
  const { products } = await api<{ products: { id: string }[] }>('GET', '/loans/products', options);
  const guarantors: { member: string; amount: number }[] = [];
  for (const [person, amount] of asked) guarantors.push({ member: await memberId(borrower, sacco, person), amount });
  const body = {
    product: products[0]?.id,
    amount: 20_000,
    months: 6,
    purpose: 'Stock for the market.',
    net_income: 30_000,
    guarantors,
  };
  const { loan } = await api<{ loan: { id: string } }>('POST', '/loans', { ...options, body });
  return loan.id;
}

/** A member's id in the list of members. */
async function memberId(reader: SignedInPerson, sacco: Sacco, { first_name, last_name }: SignedInPerson) {
  const query = new URLSearchParams({ name: `${first_name} ${last_name}` });
  const { results } = await api<{ results: { id: string }[] }>('GET', `/sacco/members?${query}`, {
    token: reader.token,
    sacco: sacco.id,
  });
  return results[0]?.id ?? '';
}

interface Requests {
  readonly results: { readonly id: string; readonly terms_hash: string }[];
}

/** The guarantor's newest request. */
export async function requestOf(guarantor: SignedInPerson, sacco: Sacco): Promise<Requests['results'][number]> {
  const options = { token: guarantor.token, sacco: sacco.id };
  const { results } = await api<Requests>('GET', '/loans/guarantee-requests?status=asked', options);
  const [newest] = results;
  if (!newest) throw new Error('Nothing is asked of this guarantor.');
  return newest;
}

/** A guarantor signs, with the code of the SMS. */
export async function sign(guarantor: SignedInPerson, sacco: Sacco): Promise<void> {
  const options = { token: guarantor.token, sacco: sacco.id };
  const { id, terms_hash } = await requestOf(guarantor, sacco);
  await api('POST', `/loans/guarantees/${id}/code`, { ...options, body: { terms_hash } });
  const code = await guaranteeCode(guarantor);
  await api('POST', `/loans/guarantees/${id}/acceptance`, { ...options, body: { terms_hash, code } });
}

/** What a person's savings are, and what of them may be pledged. */
export async function freeSavings(member: SignedInPerson, sacco: Sacco): Promise<number> {
  const options = { token: member.token, sacco: sacco.id };
  const answer = await api<{ free_savings: number }>('GET', '/loans/guarantee-requests', options);
  return answer.free_savings;
}

/** A loan that is paid out: two guarantors of 5,000 each, 10,000 of own savings. */
export async function paidOutLoan(
  lending: LendingSacco,
  borrower: SignedInPerson,
  guarantors: readonly SignedInPerson[],
): Promise<string> {
  const { sacco } = lending;
  const options = { token: borrower.token, sacco: sacco.id };
  const loan = await applied(
    borrower,
    sacco,
    guarantors.map((guarantor) => [guarantor, 5_000] as const),
  );
  for (const guarantor of guarantors) await sign(guarantor, sacco);
  await api('POST', `/loans/${loan}/submission`, { ...options, body: {} });
  await approve(lending, loan);
  const { key_facts } = await api<DeskLoan>('GET', `/loans/${loan}`, options);
  await api('POST', `/loans/${loan}/acceptance`, { ...options, body: { terms_hash: key_facts.hash } });
  await payOut(lending, loan);
  return loan;
}
