import { randomUUID } from 'node:crypto';
import { guaranteeCode } from './loans.ts';
import { asOwner } from './past.ts';
import {
  activeSacco,
  api,
  buyShares,
  join,
  newPerson,
  type Person,
  register,
  type Sacco,
  type SignedInPerson,
  topUp,
} from './people.ts';

/** A sacco that lends: its officials, and a product whose terms held a month ago. */
export interface Lending {
  readonly sacco: Sacco;
  /** Chair by founding, and treasurer. */
  readonly treasurer: SignedInPerson;
  readonly secretary: SignedInPerson;
  readonly committee: readonly [SignedInPerson, SignedInPerson];
  readonly product: string;
}

export async function lendingSacco(): Promise<Lending> {
  const treasurer = await register(newPerson('Faith', 'Mutua'));
  const [sacco, secretary, first, second] = await Promise.all([
    activeSacco(treasurer),
    register(newPerson('Juma', 'Odhiambo')),
    register(newPerson('Rehema', 'Yusuf')),
    register(newPerson('Kamau', 'Mwangi')),
  ]);
  const product = randomUUID();
  await asOwner(async (owner) => {
    for (const [person, office] of [
      [treasurer, 'treasurer'],
      [secretary, 'secretary'],
      [first, 'credit_committee'],
      [second, 'credit_committee'],
    ] as const) {
      await owner`
        insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
        values (${randomUUID()}, ${sacco.id}, ${person.id}, ${office}, now(), now() + interval '3 years', ${treasurer.id})
        on conflict do nothing`;
    }
    await owner`
      insert into loan_products (id, sacco_id, created_at) values (${product}, ${sacco.id}, now() - interval '30 days')`;
    await owner`
      insert into loan_product_terms (product_id, valid_from, name, method, monthly_rate, fee_rate, penalty_rate,
        min_amount_cents, max_amount_cents, min_months, max_months, multiplier, min_member_days, min_guarantors, is_offered,
        changed_by)
      values (${product}, date_trunc('milliseconds', now() - interval '30 days'), 'Mkopo wa Biashara', 'annuity', 100, 100, 100, 100000, 5000000, 1, 24,
        300, 180, 1, true, ${treasurer.id})`;
  });
  return { sacco, treasurer, secretary, committee: [first, second], product };
}

/** A member for 200 days, with savings as old as that and many shares: a tenth of the sacco's capital is the most that it lends. */
export async function oldMember(
  { sacco }: Lending,
  { saved, shares = 10 }: { readonly saved: number; readonly shares?: number },
  person: Person | SignedInPerson = newPerson(),
): Promise<SignedInPerson> {
  const cost = sacco.reg_fee + shares * sacco.share_value + saved;
  const member = 'token' in person ? person : await register(person);
  await topUp(member, cost);
  await join(member, sacco);
  await buyShares(member, sacco, shares);
  await api('POST', '/sacco/savings/deposit', { token: member.token, body: { sacco: sacco.id, amount: saved } });
  await asOwner((owner) =>
    owner.begin(async (sql) => {
      // What was posted stays as it was: triggers hold that.
      await sql`set local session_replication_role = replica`;
      await sql`
        update memberships set joined_at = joined_at - interval '200 days' where user_id = ${member.id} and sacco_id = ${sacco.id}`;
      await sql`
        update journals set posted_at = posted_at - interval '200 days'
        where kind = 'savings_deposited' and caused_by = ${member.id}`;
    }),
  );
  return member;
}

/** The id of a member in the list of members. */
async function memberIn({ sacco }: Lending, { id }: SignedInPerson): Promise<string> {
  let found = '';
  await asOwner(async (owner) => {
    const [row] = await owner<{ id: string }[]>`
      select id from memberships where sacco_id = ${sacco.id} and user_id = ${id}`;
    found = row?.id ?? '';
  });
  return found;
}

interface LoanNow {
  readonly id: string;
  readonly state: string;
  readonly key_facts: { readonly hash: string };
}

/** An application that is with the committee, its guarantor signed by the code of the SMS. */
export async function submittedLoan(
  lending: Lending,
  borrower: SignedInPerson,
  amount: number,
  guarantor?: { readonly member: SignedInPerson; readonly amount: number },
): Promise<LoanNow> {
  const { sacco, product } = lending;
  const guarantors = guarantor ? [{ member: await memberIn(lending, guarantor.member), amount: guarantor.amount }] : [];
  const { loan } = await api<{ loan: LoanNow }>('POST', '/loans', {
    token: borrower.token,
    sacco: sacco.id,
    body: { product, amount, months: 6, purpose: 'Stock for the market.', net_income: 9_000, guarantors },
  });
  if (guarantor) await signs(lending, guarantor.member);
  const submitted = await api<{ loan: LoanNow }>('POST', `/loans/${loan.id}/submission`, {
    token: borrower.token,
    sacco: sacco.id,
    body: {},
  });
  return submitted.loan;
}

async function signs({ sacco }: Lending, member: SignedInPerson): Promise<void> {
  const { token } = member;
  const { results } = await api<{ results: { id: string; terms_hash: string }[] }>('GET', '/loans/guarantee-requests', {
    token,
    sacco: sacco.id,
  });
  const [{ id, terms_hash } = { id: '', terms_hash: '' }] = results;
  await api('POST', `/loans/guarantees/${id}/code`, { token, sacco: sacco.id, body: { terms_hash } });
  const code = await guaranteeCode(member);
  await api('POST', `/loans/guarantees/${id}/acceptance`, { token, sacco: sacco.id, body: { terms_hash, code } });
}

/** The loan as its borrower reads it now. */
export async function loanNow({ sacco }: Lending, { token }: SignedInPerson, id: string): Promise<LoanNow> {
  return api<LoanNow>('GET', `/loans/${id}`, { token, sacco: sacco.id });
}

/** A voice of the credit committee, without the form. */
export async function approves({ sacco }: Lending, { token }: SignedInPerson, loan: LoanNow): Promise<void> {
  await api('POST', `/sacco/loans/${loan.id}/review`, {
    token,
    sacco: sacco.id,
    body: { decision: 'approve', reason: 'Saves every month.', terms_hash: loan.key_facts.hash },
  });
}
