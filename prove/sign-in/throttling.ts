import { copyTemplate } from '../../server/db/test-copy.ts';
import type { Database } from '../../server/db/tx.ts';
import type { Binding } from '../../server/http/bind.ts';
import { type Answer, atOnce, PASSWORD, type Person, type Product, startProduct } from '../support/product.ts';
import { passwordsOf, type Scene } from './findings.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const HOME = '41.90.1.2';
const FAILURES_MAX = 10;
/** Ten, and ten more after each of the six locks that end within a day. */
const PATIENT_MAX = 70;

type Guess = (person: Person, from: { address: string; password?: string; browser?: string }) => Promise<Answer>;

/** P13: guessing is stopped however many addresses and moments it comes from, and the owner is never shut out for good. */
export async function proveGuessingIsStopped({ run, findings }: Scene): Promise<void> {
  const database = await copyTemplate(run.serverUrl, { poolSize: 10 });
  const bindings = brokenBindings(database)[run.broken ?? ''];
  const product = await startProduct(
    database,
    {},
    { passwords: passwordsOf(run, database), ...(bindings ? { bindings } : {}) },
  );
  if (run.broken === 'locked-for-good') await lockForGood(product);
  const guess: Guess = (person, { password = 'Wrong#2026', ...from }) =>
    product.call('POST', '/auth/login/', {
      ...from,
      body: { id_number: person.idNumber, password, user_type: 'client' },
    });
  try {
    for (const act of [typeNetworks, guessFromEverywhere]) {
      await act(product, guess, { run, findings });
      if (run.broken && findings.violations.length > 0) return;
    }
    await guessAtOnce(product, guess, { run, findings });
    await guessAcrossWindows(product, guess, { run, findings });
    const patient = await guessPatiently(product, guess, { run, findings });
    await guessForDays(product, guess, { run, findings });
    findings.figures.P13 += `; of 864 guesses in a day, nine each 15 minutes, ${patient} judged`;
    await guessResetCodesFromEverywhere(product, { run, findings });
  } finally {
    await product.close();
  }
}

/**
 * Many addresses take turns at one account, the owner's own among them: together they have ten guesses, and the owner still
 * comes in by the browser of before, on the network that strangers share.
 */
async function guessFromEverywhere(product: Product, guess: Guess, { findings }: Scene): Promise<void> {
  const owner = await product.person('Hunted');
  const home = { address: HOME, password: PASSWORD, browser: 'hunted' };
  findings.expect((await guess(owner, home)).status === 200, () => 'P13: no sign-in');
  let judged = 0;
  for (let address = 0; address < 40; address += 1) {
    const { status } = await guess(owner, { address: `10.50.${address}.1` });
    if (status === 401) judged += 1;
    findings.count('guesses from many addresses');
  }
  findings.expect(
    judged <= FAILURES_MAX,
    () => `P13: 40 addresses had ${judged} guesses at one account within 15 minutes, more than ${FAILURES_MAX}`,
  );
  for (let time = 0; time < FAILURES_MAX; time += 1) {
    if ((await guess(owner, { address: HOME })).status === 401) judged += 1;
    findings.count('guesses from the owner’s own network');
  }
  findings.expect(
    judged <= FAILURES_MAX,
    () => `P13: strangers on the owner’s network had guesses of their own: ${judged}`,
  );
  const abroad = await guess(owner, { address: '10.51.0.1', password: PASSWORD });
  findings.expect(abroad.status === 429, () => `P13: a locked account let a stranger's address in: ${abroad.status}`);
  findings.expect(
    Number(abroad.headers['retry-after']) <= 900,
    () => `P13: the first lock lasts ${abroad.headers['retry-after']} s, longer than 15 minutes`,
  );
  const atHome = await guess(owner, home);
  findings.count('owners who came in during an attack', atHome.status === 200 ? 1 : 0);
  findings.expect(atHome.status === 200, () => `P13: the owner was locked out of a known device: ${atHome.text}`);
}

/**
 * A stranger writes the owner's network and device behind the ID number, in every way that may be how the two are joined.
 */
async function typeNetworks(product: Product, guess: Guess, { findings }: Scene): Promise<void> {
  const owner = await product.person('Named');
  const home = { address: HOME, password: PASSWORD, browser: 'named' };
  findings.expect((await guess(owner, home)).status === 200, () => 'P13: no sign-in');
  cookieOfNamed = product.cookieOf('named');
  const device = cookieOfNamed.split('=')[1] ?? '';
  for (const join of ['@', ' ', ':', '|']) {
    const typed = [
      `${owner.idNumber}${join}${HOME}`,
      `${HOME}${join}${owner.idNumber}`,
      `${owner.idNumber}${join}${device}`,
    ];
    for (const idNumber of typed) {
      for (let time = 0; time < FAILURES_MAX; time += 1) {
        await guess({ ...owner, idNumber }, { address: `10.58.${time}.1` });
        findings.count('guesses with a network or device behind the ID number');
      }
    }
  }
  const atHome = await guess(owner, home);
  findings.expect(
    atHome.status === 200,
    () => `P13: what a stranger typed for an ID number locked the owner out at home: ${atHome.text}`,
  );
}

/** Twenty at once are no more than twenty in turn. */
async function guessAtOnce(product: Product, guess: Guess, { findings }: Scene): Promise<void> {
  const owner = await product.person('Raced');
  const answers = await atOnce(20, (index) => guess(owner, { address: `10.52.${index}.1` }));
  const judged = answers.filter(({ status }) => status === 401).length;
  findings.count('guesses at once', answers.length);
  findings.expect(judged <= FAILURES_MAX, () => `P13: of 20 wrong passwords at once ${judged} were judged`);
  const [row] = await product.database.sql<{ attempts: number }[]>`
    select attempts from throttles where key = ${`login:${owner.idNumber}`}`;
  findings.expect(row?.attempts === FAILURES_MAX, () => `P13: 20 wrong passwords at once counted ${row?.attempts}`);
}

/** One guess, eight a moment before 15 minutes are over, and as many as are let through a moment after. */
async function guessAcrossWindows(product: Product, guess: Guess, { findings }: Scene): Promise<void> {
  const owner = await product.person('Timed');
  let judged = 0;
  for (const [afterMs, times] of [
    [0, 1],
    [15 * MINUTE - 1_000, 8],
    [2_000, 10],
  ] as const) {
    product.database.world.advance(afterMs);
    for (let time = 0; time < times; time += 1) {
      if ((await guess(owner, { address: '10.56.0.1' })).status === 401) judged += 1;
      findings.count('guesses across windows');
    }
  }
  // The very first lies 15 minutes and a second before the last.
  findings.expect(
    judged <= FAILURES_MAX + 1,
    () => `P13: ${judged - 1} guesses were judged within 15 minutes that meet two windows`,
  );
}

/** Nine guesses each quarter of an hour, for a day: never ten in one window, and still no more than locks let through. */
async function guessPatiently(product: Product, guess: Guess, { findings }: Scene): Promise<number> {
  const owner = await product.person('Watched');
  let judged = 0;
  for (let quarter = 0; quarter < 96; quarter += 1) {
    for (let time = 0; time < FAILURES_MAX - 1; time += 1) {
      if ((await guess(owner, { address: '10.57.0.1' })).status === 401) judged += 1;
      findings.count('patient guesses');
    }
    product.database.world.advance(15 * MINUTE);
  }
  findings.expect(judged <= PATIENT_MAX, () => `P13: of 864 patient guesses in a day ${judged} were judged`);
  return judged;
}

/** An attacker who never stops: each lock is twice the one before, a day at most, and after each the owner comes in. */
async function guessForDays(product: Product, guess: Guess, { run, findings }: Scene): Promise<void> {
  const owner = await product.person('Besieged');
  const locks: number[] = [];
  for (let round = 0; round < (run.tier === 'c' ? 9 : 30); round += 1) {
    for (let time = 0; time < FAILURES_MAX; time += 1) await guess(owner, { address: '10.53.0.1' });
    const refused = await guess(owner, { address: '10.53.0.1' });
    const seconds = Number(refused.headers['retry-after']);
    locks.push(seconds);
    findings.count('locks');
    if (!(seconds <= DAY / 1000)) break;
    product.database.world.advance(seconds * 1000);
  }
  const expected = locks.map((_, round) => Math.min(900 * 2 ** round, DAY / 1000));
  findings.expect(
    `${locks}` === `${expected}`,
    () => `P13: the locks of an attack without end lasted ${locks} s, not ${expected} s`,
  );
  const back = await guess(owner, { address: '10.54.0.1', password: PASSWORD });
  findings.count('owners who came in after the lock', back.status === 200 ? 1 : 0);
  findings.expect(back.status === 200, () => `P13: the owner is locked out though the lock has ended: ${back.text}`);
  findings.figures.P13 = `at most 10 of 40 spread and of 20 simultaneous guesses judged; locks of ${[...new Set(locks)].join(', ')} s; the owner came in at home during the attack, and elsewhere after it`;
}

/** Wrong reset codes count by network, and everywhere together. */
async function guessResetCodesFromEverywhere(product: Product, { findings }: Scene): Promise<void> {
  const wrong = (address: string) =>
    product.call('POST', '/auth/reset-password/', {
      address,
      body: { reset_code: 'AAAA-AAAA', password: 'Another#2026' },
    });
  product.database.world.advance(16 * MINUTE);
  await wrong('10.55.0.1');
  await product.database.sql`update throttles set attempts = 95 where key = 'reset:10.55.0.1'`;
  const one = await atOnce(12, () => wrong('10.55.0.1'));
  const judged = one.filter(({ status }) => status === 400).length;
  findings.expect(judged <= 5, () => `P12: one network had ${judged + 95} wrong reset codes judged within 15 minutes`);
  await product.database.sql`update throttles set attempts = 24999 where key = 'reset:everywhere'`;
  const [last, over] = [await wrong('10.55.1.1'), await wrong('10.55.2.1')];
  findings.count('wrong reset codes from everywhere', one.length + 2);
  findings.expect(
    last.status === 400 && over.status === 429,
    () => `P12: past 25,000 wrong codes in ten minutes a fresh network is answered ${last.status}, ${over.status}`,
  );
}

type Rebinding = (ours: Binding[]) => Binding[];

const brokenBindings = (database: Database): Readonly<Record<string, Rebinding>> => ({
  'counted-by-address-only': byAddressOnly(database),
  'owner-locked-out-by-what-is-typed': countedAsTyped,
});

let cookieOfNamed = '';

/** The negative control: what is typed before an @ and behind it is taken for an ID number and its known device. */
function countedAsTyped(ours: Binding[]): Binding[] {
  return ours.map((binding) => {
    if (binding.route.name !== 'login' || binding.how !== 'handler') return binding;
    const handle: typeof binding.handle = async (call) => {
      const [, idNumber] = /^(\w+)@.+$/.exec((call.body as { id_number: string }).id_number) ?? [];
      const headers = idNumber === undefined ? call.headers : { ...call.headers, cookie: cookieOfNamed };
      const body = idNumber === undefined ? call.body : { ...(call.body as object), id_number: idNumber };
      return binding.handle({ ...call, body, headers } as typeof call);
    };
    return { ...binding, handle };
  });
}

/** The negative control: an account's failures are forgotten as soon as another address asks. */
function byAddressOnly(database: Database): Rebinding {
  let latest = '';
  return (ours) =>
    ours.map((binding) => {
      if (binding.route.name !== 'login' || binding.how !== 'handler') return binding;
      const handle: typeof binding.handle = async (call) => {
        if (call.address !== latest) await database.sql`delete from throttles where key like 'login:%'`;
        latest = call.address;
        return binding.handle(call);
      };
      return { ...binding, handle };
    });
}

/** The negative control: whoever is locked stays it. */
async function lockForGood(product: Product): Promise<void> {
  await product.database.owner.unsafe(`
    create function lock_for_good() returns trigger language plpgsql as $$
    begin
      if new.locked_until is not null then new.locked_until := new.locked_until + interval '100 years'; end if;
      return new;
    end $$;
    create trigger lock_for_good before update on throttles for each row execute function lock_for_good();`);
}
