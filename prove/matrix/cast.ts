import { OFFICES, type Office } from '@ushirika/contract/route';
import { fastHash } from '../../server/domains/identity/codes.rules.ts';
import { createPerson } from '../../server/domains/identity/create-person.ts';
import { openSession } from '../../server/domains/identity/open-session.ts';
import { grantOperator, revokeOperator } from '../../server/domains/identity/operators.ts';
import { noteRegistration } from '../../server/domains/referrals/note-registration.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import type { Answer, Person, Product } from '../support/product.ts';

/** Who sends a request: a person with a live session, or credentials that open nothing. */
export interface Identity {
  readonly name: string;
  /** The names by which the policy means this identity together with others. */
  readonly groups: readonly string[];
  readonly person: Member | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Put behind the address. */
  readonly query?: string;
}

/** A person of the cast, with the sacco whose register has them. */
export interface Member extends Person {
  readonly name: string;
  /** Unlike every other text of the product: where it is read, this person is named. */
  readonly firstName: string;
  readonly sacco: 'A' | 'B' | null;
}

export interface Cast {
  readonly identities: readonly Identity[];
  /** Everybody whose data must not be seen, whether or not they ask themselves. */
  readonly people: readonly Member[];
  readonly saccos: Readonly<Record<'A' | 'B', string>>;
  person(name: string): Member;
}

export const TERMS = { reg_fee: 500, min_shares: 10, share_value: 100, total: 500 };

/** Members of A and of B by their roles; the others belong to neither. */
const ROLES: readonly { readonly name: string; readonly sacco: 'A' | 'B' | null; readonly isHidden?: boolean }[] = [
  { name: 'owner', sacco: 'A' },
  { name: 'fellow', sacco: 'A' },
  { name: 'leaver', sacco: 'A' },
  ...OFFICES.map((office) => ({ name: `${office} of A`, sacco: 'A' as const })),
  { name: 'other', sacco: 'B' },
  ...OFFICES.map((office) => ({ name: `${office} of B`, sacco: 'B' as const })),
  { name: 'founder', sacco: null },
  { name: 'former', sacco: null },
  { name: 'stranger', sacco: null },
  { name: 'operator', sacco: null },
  { name: 'former operator', sacco: null },
  // These never ask: they are there to be looked for.
  { name: 'bystander', sacco: 'A', isHidden: true },
  { name: 'founder of B', sacco: null, isHidden: true },
];

export async function raiseCast(product: Product): Promise<Cast> {
  const people: Member[] = [];
  for (const { name, sacco } of ROLES) people.push(await raisePerson(product, name, sacco, people[0]));
  const person = (name: string): Member => {
    const found = people.find((one) => one.name === name);
    if (!found) throw new Error(`Nobody in the cast is called ${name}.`);
    return found;
  };
  const { database } = product;
  await database.transaction((tx) => grantOperator(tx, person('operator').id));
  const founders = { A: person('founder'), B: person('founder of B') };
  const saccos = {
    A: await product.saccos.sacco(founders.A.id, person('operator').id, { name: 'Alizeti Sacco', regNo: 'CS/90001' }),
    B: await product.saccos.sacco(founders.B.id, person('operator').id, { name: 'Bahari Sacco', regNo: 'CS/90002' }),
  };
  for (const one of people) await product.saccos.fund(one.id, 90_000_00);
  await database.owner`update users set phone_confirmed_at = ${database.now()} where id <> ${person('stranger').id}`;
  // Everybody has something to read.
  await database.owner`
    insert into notifications (id, user_id, topic, template, text, created_at)
    select gen_random_uuid(), id, 'security', 'matrix', 'Welcome.', ${database.now()} from users`;
  await joinAll(product, people, saccos);
  await appoint(product, saccos, person);
  const formerOperator = person('former operator');
  await database.transaction((tx) => grantOperator(tx, formerOperator.id));
  await database.transaction((tx) => revokeOperator(tx, formerOperator.id));
  const renewed = people.map((one) => ({ ...one }));
  Object.assign(renewed.find((one) => one.id === formerOperator.id) as object, {
    token: await tokenOf(product, formerOperator),
  });
  const byName = (name: string) => renewed.find((one) => one.name === name) as Member;
  const identities = [...live(renewed), ...(await withoutSession(product, byName('owner')))];
  return { identities, people: renewed, saccos, person: byName };
}

/** The first registers as people do; the others have the same password, whose hash is not made anew for each. */
async function raisePerson(
  product: Product,
  name: string,
  sacco: Member['sacco'],
  first: Member | undefined,
): Promise<Member> {
  const firstName = `Qz${name.replaceAll(/[^A-Za-z]/g, '')}`;
  if (!first) return { ...(await product.person(firstName)), name, firstName, sacco };
  const mark = Number(Buffer.from(firstName).reduce((sum, byte) => (sum * 31 + byte) % 9_000_000, 7)) + 1_000_000;
  const [idNumber, phone] = [`Q${mark}`, `2547${mark}3`];
  const email = `canary-${mark}@${firstName.toLowerCase()}.example`;
  const { database } = product;
  const [row] = await database.owner<{ password_hash: string }[]>`
    select password_hash from users where id = ${first.id}`;
  const passwordHash = row?.password_hash as string;
  const id = await database.transaction(async (tx) => {
    const made = await createPerson(tx, { idNumber, firstName, lastName: 'Attacked', phone, email, passwordHash });
    await noteRegistration(tx, { userId: made, phone, idNumber, address: '127.0.0.1' });
    return made;
  });
  const [issued] = await database.owner<
    { account_number: string }[]
  >`select account_number from users where id = ${id}`;
  const account = issued?.account_number ?? '';
  const person = { id, token: '', idNumber, phone, email, account, name, firstName, sacco };
  return { ...person, token: await tokenOf(product, person) };
}

async function joinAll(product: Product, people: readonly Member[], saccos: Cast['saccos']): Promise<void> {
  const { owner, now } = product.database;
  const joining = people.filter(({ sacco, name }) => sacco !== null || name === 'former');
  for (const one of joining) {
    const body = { sacco: saccos[one.sacco ?? 'A'], ...TERMS };
    await must(product.call('POST', '/sacco/members/join', { as: one, body }));
  }
  const idOf = (name: string) => people.find((one) => one.name === name)?.id as string;
  await must(
    product.call('POST', '/sacco/members/exit', {
      as: people.find(({ name }) => name === 'leaver') as Member,
      body: { sacco: saccos.A },
    }),
  );
  // Has left for good; and is a member of long standing in full rights, who may rate.
  await owner`update memberships set state = 'exited' where user_id = ${idOf('former')}`;
  await owner`update sacco_figures set members = members - 1 where sacco_id = ${saccos.A}`;
  const longAgo = new Date(now().getTime() - 100 * 86_400_000);
  await owner`
    update memberships set joined_at = ${longAgo}, state = 'active', paid_up_at = ${longAgo} where user_id = ${idOf('owner')}`;
}

/** The founders give their chairs to others, and each office is held by a member of its own. */
async function appoint(product: Product, saccos: Cast['saccos'], person: (name: string) => Member): Promise<void> {
  const { database } = product;
  await database.owner`update offices set ended_at = since`;
  for (const side of ['A', 'B'] as const) {
    for (const office of OFFICES as readonly Office[]) {
      const holder = person(`${office} of ${side}`).id;
      const input = { saccoId: saccos[side], userId: holder, office };
      await database.transaction((tx) => openOffice(tx, { userId: holder }, input));
    }
  }
}

function live(people: readonly Member[]): Identity[] {
  return people
    .filter(({ name }) => !ROLES.find((role) => role.name === name)?.isHidden)
    .map((person) => ({
      name: person.name,
      groups: ['signed in', ...groupsOf(person)],
      person,
      headers: { authorization: `Token ${person.token}` },
    }));
}

function groupsOf({ name, sacco }: Member): string[] {
  if (sacco === null) return ['nobody’s member'];
  const isOfficial = OFFICES.some((office) => name.startsWith(`${office} `));
  return [`members of ${sacco}`, ...(isOfficial ? [`officials of ${sacco}`] : [])];
}

/** Every way of coming without a session that lives: each would be the owner if it did. */
async function withoutSession(product: Product, owner: Member): Promise<Identity[]> {
  const { token } = owner;
  const { database } = product;
  const [ended, expired, idle] = [
    await tokenOf(product, owner),
    await tokenOf(product, owner),
    await tokenOf(product, owner),
  ];
  await must(product.call('POST', '/auth/logout/', { token: ended }));
  const before = (hours: number) => new Date(database.now().getTime() - hours * 3_600_000);
  await database.owner`
    update sessions set created_at = ${before(13)}, expires_at = ${before(1)} where token_hash = ${fastHash(expired)}`;
  await database.owner`update sessions set last_seen_at = ${before(1)} where token_hash = ${fastHash(idle)}`;
  const sent = (name: string, group: string, headers: Record<string, string>, query?: string): Identity => ({
    name,
    groups: [group],
    person: null,
    headers,
    ...(query === undefined ? {} : { query }),
  });
  return [
    sent('nobody', 'no session', {}),
    sent('a Bearer token', 'no session', { authorization: `Bearer ${token}` }),
    sent('a token of a lower-case scheme', 'no session', { authorization: `token ${token}` }),
    sent('a token in a cookie', 'no session', { cookie: `token=${token}; sessionid=${token}` }),
    sent('a token in the address', 'no session', {}, `token=${token}`),
    sent('a cut token', 'dead session', { authorization: `Token ${token.slice(0, -1)}` }),
    sent('a lengthened token', 'dead session', { authorization: `Token ${token}=` }),
    sent('a session that was logged out', 'dead session', { authorization: `Token ${ended}` }),
    sent('a session that expired', 'dead session', { authorization: `Token ${expired}` }),
    sent('a session that was idle', 'dead session', { authorization: `Token ${idle}` }),
  ];
}

/** A session more, without the cost of a sign-in. */
export async function tokenOf(product: Product, person: Person): Promise<string> {
  const origin = { address: '127.0.0.1', userAgent: 'matrix' };
  const input = { userId: person.id, origin, hasSecondFactor: false };
  return (await product.database.transaction((tx) => openSession(tx, input))).token;
}

export async function must(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  if (answer.status >= 300) throw new Error(`The cast could not be raised: ${answer.status} ${answer.text}`);
  return answer;
}
