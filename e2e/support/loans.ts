import { randomUUID } from 'node:crypto';
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
import { message } from './simulator.ts';

/** A sacco that lends: its officials, of whom none borrows or guarantees unless the journey says so, and its one product. */
export interface Lending {
  readonly sacco: Sacco;
  /** Chair by founding, and treasurer. */
  readonly treasurer: SignedInPerson;
  readonly secretary: SignedInPerson;
  readonly committee: readonly [SignedInPerson, SignedInPerson];
  readonly product: string;
}

/** Somebody more of the credit committee, so that others are left to decide where one of them borrows. */
export async function anotherOfCommittee({ sacco, treasurer }: Lending): Promise<void> {
  const person = await register(newPerson('Njoki', 'Wambui'));
  await asOwner(
    (owner) => owner`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      values (${randomUUID()}, ${sacco.id}, ${person.id}, 'credit_committee', now(), now() + interval '3 years', ${treasurer.id})`,
  );
}

/** The terms of its product held a month ago; it asks for so many guarantors. */
export async function lendingSacco(guarantors = 1): Promise<Lending> {
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
      values (${product}, date_trunc('milliseconds', now() - interval '30 days'), 'Mkopo wa Biashara', 'annuity', 100, 100, 100,
        100000, 10000000, 1, 24, 300, 180, ${guarantors}, true, ${treasurer.id})`;
  });
  return { sacco, treasurer, secretary, committee: [first, second], product };
}

/**
 * A member for 200 days whose ID card was seen, with savings as old as that: nobody waits that long in a journey. All loans of one member are a tenth of
 * the sacco's own capital at most, so that somebody must have many shares.
 */
export async function oldMember(
  { sacco, treasurer }: Lending,
  { saved, shares = 10, wallet = 0 }: { readonly saved: number; readonly shares?: number; readonly wallet?: number },
  person: Person | SignedInPerson = newPerson(),
): Promise<SignedInPerson> {
  const member = 'token' in person ? person : await register(person);
  await topUp(member, sacco.reg_fee + shares * sacco.share_value + saved + wallet);
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
      // Nobody borrows under a name whose ID card was not seen. The list of cards goes by id: this one is older than all.
      await sql`
        insert into identity_checks (id, user_id, seen_by, document, seen_at)
        values (${`00000000${randomUUID().slice(8)}`}, ${member.id}, ${treasurer.id}, 'national_id', now())
        on conflict do nothing`;
    }),
  );
  return member;
}

const at = ({ sacco }: Lending, { token }: SignedInPerson) => ({ token, sacco: sacco.id });

interface LoanNow {
  readonly id: string;
  readonly state: string;
  readonly key_facts: { readonly hash: string };
}

/** The loan as its borrower reads it now. */
export function loanNow(lending: Lending, borrower: SignedInPerson, id: string): Promise<LoanNow> {
  return api<LoanNow>('GET', `/loans/${id}`, at(lending, borrower));
}

/** Who is asked to guarantee how much. */
type Asked = readonly (readonly [SignedInPerson, number])[];

/** An application for six months without the page, its guarantors asked; its id. */
export async function applied(
  lending: Lending,
  borrower: SignedInPerson,
  amount: number,
  asked: Asked = [],
): Promise<string> {
  const guarantors: { member: string; amount: number }[] = [];
  for (const [person, part] of asked) guarantors.push({ member: await memberIn(lending, person), amount: part });
  const body = {
    product: lending.product,
    amount,
    months: 6,
    purpose: 'Stock for the market.',
    net_income: 30_000,
    guarantors,
  };
  const { loan } = await api<{ loan: LoanNow }>('POST', '/loans', { ...at(lending, borrower), body });
  return loan.id;
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

interface Request {
  readonly id: string;
  readonly terms_hash: string;
}

/** The guarantor's newest request. */
export async function requestOf(lending: Lending, guarantor: SignedInPerson): Promise<Request> {
  const path = '/loans/guarantee-requests?status=asked';
  const { results } = await api<{ results: Request[] }>('GET', path, at(lending, guarantor));
  const [newest] = results;
  if (!newest) throw new Error('Nothing is asked of this guarantor.');
  return newest;
}

/** The code of the SMS that signs a guarantee. */
export async function guaranteeCode(member: SignedInPerson): Promise<string> {
  const { text } = await message(member.phone_number, /signs your guarantee/);
  return /Ushirika: ([\d ]+) signs/.exec(text)?.[1]?.trim() ?? '';
}

/** The code of the SMS that agrees to a new schedule. */
export async function scheduleCode(member: SignedInPerson): Promise<string> {
  const { text } = await message(member.phone_number, /agrees to a new schedule/);
  return /Ushirika: ([\d ]+) agrees/.exec(text)?.[1]?.trim() ?? '';
}

/** A guarantor signs, with the code of the SMS. */
export async function sign(lending: Lending, guarantor: SignedInPerson): Promise<void> {
  const options = at(lending, guarantor);
  const { id, terms_hash } = await requestOf(lending, guarantor);
  await api('POST', `/loans/guarantees/${id}/code`, { ...options, body: { terms_hash } });
  const code = await guaranteeCode(guarantor);
  await api('POST', `/loans/guarantees/${id}/acceptance`, { ...options, body: { terms_hash, code } });
}

/** An application that is with the sacco, its guarantors signed. */
export async function submittedLoan(
  lending: Lending,
  borrower: SignedInPerson,
  amount: number,
  asked: Asked = [],
): Promise<LoanNow> {
  const id = await applied(lending, borrower, amount, asked);
  for (const [guarantor] of asked) await sign(lending, guarantor);
  const path = `/loans/${id}/submission`;
  return (await api<{ loan: LoanNow }>('POST', path, { ...at(lending, borrower), body: {} })).loan;
}

/** An official's act on the desk without its page, over the terms as they stand. */
export async function act(
  lending: Lending,
  official: SignedInPerson,
  loan: string,
  name: 'review' | 'disbursement' | 'disbursement-check',
  body: Record<string, unknown> = {},
): Promise<void> {
  const options = at(lending, official);
  const { key_facts } = await api<LoanNow>('GET', `/sacco/loans/${loan}`, options);
  await api('POST', `/sacco/loans/${loan}/${name}`, { ...options, body: { terms_hash: key_facts.hash, ...body } });
}

/** One voice for it. */
export const approves = (lending: Lending, official: SignedInPerson, loan: string): Promise<void> =>
  act(lending, official, loan, 'review', { decision: 'approve', reason: 'Saves every month.' });

/** The committee approves with two voices. */
export async function approve(lending: Lending, loan: string): Promise<void> {
  for (const member of lending.committee) await approves(lending, member, loan);
}

/** The borrower accepts the key facts. */
export async function accept(lending: Lending, borrower: SignedInPerson, loan: string): Promise<void> {
  const { key_facts } = await loanNow(lending, borrower, loan);
  const body = { terms_hash: key_facts.hash, pay_to: 'wallet' };
  await api('POST', `/loans/${loan}/acceptance`, { ...at(lending, borrower), body });
}

/** The treasurer orders the payment, and the secretary checks it. */
export async function payOut(lending: Lending, loan: string): Promise<void> {
  await act(lending, lending.treasurer, loan, 'disbursement');
  await act(lending, lending.secretary, loan, 'disbursement-check', { decision: 'pay' });
}

/** A loan that is paid out; its id. */
export async function paidOutLoan(
  lending: Lending,
  borrower: SignedInPerson,
  amount: number,
  asked: Asked,
): Promise<string> {
  const { id } = await submittedLoan(lending, borrower, amount, asked);
  await approve(lending, id);
  await accept(lending, borrower, id);
  await payOut(lending, id);
  return id;
}

/** What of a person's savings may be pledged. */
export async function freeSavings(lending: Lending, member: SignedInPerson): Promise<number> {
  const path = '/loans/guarantee-requests';
  return (await api<{ free_savings: number }>('GET', path, at(lending, member))).free_savings;
}
