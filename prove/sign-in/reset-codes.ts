import { copyTemplate } from '../../server/db/test-copy.ts';
import { type Answer, PASSWORD, type Person, type Product, startProduct } from '../support/product.ts';
import { passwordsOf, resetCodeFor, type Scene, short } from './findings.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HOME = '41.90.3.3';
const NEW = 'Nyingine#2028';
const USED = 'codes used, and used again';
const LATE = 'codes that came too late';
const PESTERED = 'codes asked for in a day';
const HELD = 'withdrawals held after a reset';
const UNPROVEN = 'withdrawals that asked for the password';

/** P12: what a reset code can and cannot do, through the door and with the SMS that the person gets. */
export async function proveResetCodes({ run, findings }: Scene): Promise<void> {
  findings.mustHappen(USED, LATE, PESTERED, HELD, UNPROVEN);
  const database = await copyTemplate(run.serverUrl, { poolSize: 10 });
  const product = await startProduct(database, {}, { passwords: passwordsOf(run, database) });
  try {
    await breakings[run.broken ?? '']?.(product);
    await oneReset(product, { run, findings });
    await tenMinutes(product, { run, findings });
    await tenADay(product, { run, findings });
    await moneyWaits(product, { run, findings });
  } finally {
    await product.close();
  }
}

let networks = 0;
/** Each from a network of its own, so that one's wrong codes do not lock another's out. */
function reset(product: Product, code: string, password = NEW) {
  networks += 1;
  const body = { reset_code: code, password };
  return product.call('POST', '/auth/reset-password/', { body, address: `10.60.${networks % 250}.1` });
}

const signIn = (product: Product, person: Person, password: string) =>
  product.call('POST', '/auth/login/', { body: { id_number: person.idNumber, password, user_type: 'client' } });

async function codeFor(product: Product, person: Person): Promise<string> {
  const code = await resetCodeFor(product, person);
  if (code === null) throw new Error('No reset code came.');
  return code;
}

/** One code resets once: every session ends, nobody is signed in by it, the owner is told, and the table keeps no code. */
async function oneReset(product: Product, { findings }: Scene): Promise<void> {
  const person = await product.person('Forgetful');
  const code = await codeFor(product, person);
  const [row] = await product.database.owner<{ found: number }[]>`
    select (select count(*) from reset_codes c where to_jsonb(c)::text like ${`%${code.replace('-', '')}%`})::int
         + (select count(*) from sms_messages m where to_jsonb(m)::text like ${`%${code}%`})::int as found`;
  findings.expect(row?.found === 0, () => 'P12: the database holds a reset code as it was sent');
  const first = await reset(product, code);
  const again = await reset(product, code, 'Tena#2029');
  findings.count(USED, first.status === 200 ? 1 : 0);
  findings.expect(first.status === 200, () => `P12: a fresh code was refused: ${first.text}`);
  findings.expect(!/token/i.test(first.text), () => 'P12: a reset signs in by itself');
  findings.expect(
    again.status === 400 && again.body.code === 'reset_code_invalid',
    () => `P12: a reset code was accepted a second time: ${again.status}`,
  );
  const old = await product.call('GET', '/client/', { as: person });
  findings.expect(old.status === 401, () => `P12: a session outlived the reset: ${old.status}`);
  findings.expect((await signIn(product, person, PASSWORD)).status === 401, () => 'P12: the old password still opens');
  findings.expect((await signIn(product, person, NEW)).status === 200, () => 'P12: the new password does not open');
  const told = (await product.textsTo(person.phone)).some((text) => text.includes('your password was reset'));
  findings.expect(told, () => 'P12: the owner was not told of the reset');
}

async function tenMinutes(product: Product, { findings }: Scene): Promise<void> {
  const person = await product.person('Slow');
  const [late, early] = [await codeFor(product, person), 10 * MINUTE];
  product.database.world.advance(early);
  const answer = await reset(product, late);
  findings.count(LATE);
  findings.expect(answer.status === 400, () => `P12: a code of ten minutes ago was accepted: ${answer.status}`);
}

/**
 * Ten codes in any day for an account, whoever asks, and no more than five of them for strangers: the owner has the others,
 * on a device of before. Strangers may share the owner's network. As one of them grows old, one more may come.
 */
async function tenADay(product: Product, { findings }: Scene): Promise<void> {
  const person = await product.person('Pestered', undefined, HOME, 'pestered');
  const ask = async (times: number, hoursApart: number, from: { address: string; browser?: string }) => {
    for (let time = 0; time < times; time += 1) {
      await resetCodeFor(product, person, from);
      product.database.world.advance(hoursApart * HOUR);
    }
    findings.count(PESTERED, times);
    const [row] = await product.database.sql<{ sent: number }[]>`
      select count(*)::int as sent from reset_codes where user_id = ${person.id}`;
    return row?.sent ?? 0;
  };
  const [abroad, nextDoor] = [{ address: '10.200.0.1' }, { address: HOME }];
  const atHome = { address: HOME, browser: 'pestered' };
  await ask(4, 1, abroad);
  const byStrangers = await ask(4, 1, nextDoor);
  const inADay = await ask(7, 1, atHome);
  product.database.world.advance(9 * HOUR);
  const aDayLater = await ask(3, 0, abroad);
  findings.expect(
    byStrangers === 5,
    () => `P12: strangers had ${byStrangers} reset codes sent to one account in a day`,
  );
  findings.expect(inADay === 10, () => `P12: ${inADay} reset codes went to one account in a day`);
  findings.expect(
    aDayLater === 11,
    () => `P12: as one of ten codes was a day old, ${aDayLater - 10} more came, not one`,
  );
}

type Take = (token: string) => Promise<Answer>;

/** After a reset no money leaves for 24 hours, and the refusal says until when; before the password is asked for again too. */
async function moneyWaits(product: Product, { findings }: Scene): Promise<void> {
  const person = await product.person('Careful');
  await product.saccos.fund(person.id, 5_000_00);
  await product.confirmPhone(person);
  const take: Take = (token) =>
    product.call('POST', '/integrations/mpesa/withdraw', { token, body: { amount: 100, phone: person.phone } });
  const before = await take(person.token);
  findings.expect(before.status === 202, () => `P12: a withdrawal before the reset was refused: ${before.text}`);
  await reset(product, await codeFor(product, person));
  const { token } = (await signIn(product, person, NEW)).body;
  const until = product.database.now().getTime() + DAY;
  const isHeld = ({ status, body }: Answer) =>
    status === 409 && body.code === 'payout_held' && Date.parse(body.held_until) === until;
  const held = await take(token);
  findings.expect(
    isHeld(held),
    () => `P12: a withdrawal right after a reset was answered ${held.status} ${short(held.text)}`,
  );
  product.database.world.advance(DAY - 1);
  const { token: later } = (await signIn(product, person, NEW)).body;
  findings.expect(isHeld(await take(later)), () => 'P12: the hold ended before 24 hours');
  findings.count(HELD, 2);
  product.database.world.advance(1);
  findings.expect((await take(later)).status === 202, () => 'P12: the hold did not end after 24 hours');
  await passwordOpens(product, later, take, { findings });
}

/** A session of a quarter of an hour ago draws no money until its password was entered in it again. */
async function passwordOpens(
  product: Product,
  token: string,
  take: Take,
  { findings }: Pick<Scene, 'findings'>,
): Promise<void> {
  product.database.world.advance(15 * MINUTE);
  const prove = (password: string) =>
    product.call('POST', '/client/password-proof', { token, body: { current_password: password } });
  const asksForIt = ({ status, body }: Answer) => status === 403 && body.code === 'proof_required';
  const unproven = await take(token);
  findings.expect(
    asksForIt(unproven),
    () => `P12: a session of a quarter of an hour ago drew money without its password: ${unproven.status}`,
  );
  await prove(PASSWORD);
  const wronglyProven = await take(token);
  findings.expect(
    asksForIt(wronglyProven),
    () => `P12: the password of before the reset opened a withdrawal: ${wronglyProven.status}`,
  );
  findings.count(UNPROVEN, 2);
  await prove(NEW);
  findings.expect((await take(token)).status === 202, () => 'P12: the password does not open the withdrawal');
}

/** The negative controls, each by what becomes of a row as it is written. */
const breakings: Readonly<Record<string, (product: Product) => Promise<void>>> = {
  'reset-code-used-again': (product) =>
    onWriting(product, 'update on reset_codes', 'new.used_at := null; new.burnt_at := null;'),
  'money-leaves-after-a-reset': (product) => onWriting(product, 'update on users', 'new.payout_held_until := null;'),
  // Whoever has entered the password once, by signing in, has entered it for good.
  'money-leaves-without-the-password': (product) =>
    onWriting(product, 'insert on sessions', `new.proven_at := new.proven_at + interval '100 years';`),
};

async function onWriting(product: Product, moment: string, assignments: string): Promise<void> {
  await product.database.owner.unsafe(`
    create function break_row() returns trigger language plpgsql as $$ begin ${assignments} return new; end $$;
    create trigger break_row before ${moment} for each row execute function break_row();`);
}
