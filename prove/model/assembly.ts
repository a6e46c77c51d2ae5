import { hasPublicBallots, recount } from '@ushirika/contract/recount';
import type { PublicVoteDetail } from '@ushirika/contract/voting';
import { asSystem } from '../../server/db/person.ts';
import { openOffice } from '../../server/domains/saccos/offices.ts';
import { testBallotPaper } from '../../server/domains/voting/test-ballot-paper.ts';
import { ballotsFile, issuedFile, rollFile } from '../../server/domains/voting/voting.queries.ts';
import { decideChange, officialsOf } from './acts/changes.ts';
import { proposeClosing } from './acts/dividends.ts';
import { planLogin } from './acts/entrance.ts';
import { planProve } from './acts/profile.ts';
import { takeUp } from './acts/saccos.ts';
import * as acts from './acts/votes.ts';
import { compare } from './compare.ts';
import type { Answered } from './house.ts';
import { gather } from './lend.ts';
import { dayOf, type Person, type Sacco } from './naive-books.ts';
import { mayDeclare, nextYear, type Rates } from './naive-dividends.ts';
import { isProven } from './naive-proof.ts';
import { isOfBoard, rollOf, stateOf, type Vote } from './naive-votes.ts';
import type { Planned, Simulation } from './simulation.ts';
import { ordersLead } from './untied.ts';

/*
 * A vote takes weeks and many people. So once in a while the members of a sacco are called in, and one vote is brought from its draft to its
 * end: the clock stops where something may be done.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PAUSE_MS = 31_000;
const TRIES = 4;
/** Fewer of them hold no vote. */
const LEAST = 4;
const VOTERS_MAX = 12;
const ODD = 0.3;
/** On shares and on savings, in hundredths of a percent. */
const RATES = [
  [800, 500],
  [200, 100],
  [50, 25],
  [10, 5],
  [2, 1],
  [1, 0],
] as const;

interface Scenario {
  readonly kind: Vote['kind'];
  readonly class?: 'ordinary' | 'special';
  readonly isSecret?: boolean;
  /** What most of them want. */
  readonly wish?: 'for' | 'against';
  readonly turn?: 'too few come first' | 'nobody stands' | 'terms change behind it';
}

/** One after the other, so that a short run comes to what matters most. */
const SCENARIOS: readonly Scenario[] = [
  { kind: 'referrals' },
  { kind: 'election' },
  { kind: 'referrals', isSecret: true, turn: 'terms change behind it' },
  { kind: 'resolution', isSecret: true, turn: 'too few come first' },
  { kind: 'referrals', isSecret: true, wish: 'against' },
  { kind: 'election' },
  { kind: 'resolution', isSecret: true, class: 'special' },
  { kind: 'election', turn: 'nobody stands' },
  { kind: 'referrals', isSecret: true },
  { kind: 'resolution', turn: 'too few come first' },
];

export interface Calendar {
  /** Jobs run and messages come, without a jump. */
  settle(): Promise<void>;
  /** The clock jumps, and what time does is done. */
  pass(ms: number): Promise<void>;
}

/** Answers what is wrong, if anything. */
export async function assemble(simulation: Simulation, calendar: Calendar): Promise<string | undefined> {
  const sacco = votersAtHand(simulation);
  return sacco ? new Assembly(simulation, calendar, sacco).hold() : undefined;
}

/** Two officials close a year of the sacco that shares out, and members declare a dividend of it. Answers what is wrong, if anything. */
export async function shareOut(simulation: Simulation, calendar: Calendar): Promise<string | undefined> {
  if (simulation.sharer?.state !== 'active') simulation.sharer = sharerAtHand(simulation);
  const { sharer } = simulation;
  return sharer ? new Assembly(simulation, calendar, sharer).shareOut() : undefined;
}

/** One whose capital the law does not bind, that lends nothing, and that has earned the most. */
function sharerAtHand({ books, lenders }: Simulation): Sacco | null {
  const fit = books.saccos.filter(
    (sacco) => sacco.state === 'active' && sacco.type !== 'sacco' && sacco.regFee > 0 && !lenders.includes(sacco),
  );
  const [best] = fit.sort((one, other) => other.fees - one.fees || one.number - other.number);
  return best ?? null;
}

/** A sacco that lends has enough members of long standing. Its officials have offered its loans before: that would take votes from now on. */
function votersAtHand({ lenders, random, books, now }: Simulation): Sacco | null {
  const ready = lenders.filter((sacco) => sacco.state === 'active' && sacco.lending.products.length >= 3);
  const sacco = ready.length > 0 ? random.pick(ready) : null;
  if (sacco === null) return null;
  const able = books.members.filter(
    (member) =>
      member.sacco === sacco &&
      member.state === 'active' &&
      member.person.isConfirmed &&
      !member.person.isOperator &&
      member.joinedAt <= now - 30 * DAY_MS,
  );
  return able.length < LEAST ? null : sacco;
}

class Assembly {
  readonly #simulation: Simulation;
  readonly #calendar: Calendar;
  readonly #sacco: Sacco;

  constructor(simulation: Simulation, calendar: Calendar, sacco: Sacco) {
    this.#simulation = simulation;
    this.#calendar = calendar;
    this.#sacco = sacco;
  }

  async hold(): Promise<string | undefined> {
    await this.#seeCards();
    const scenario = this.#simulation.inTurn('scenario', SCENARIOS);
    return this.#decide(await this.#publish(scenario), scenario);
  }

  async shareOut(): Promise<string | undefined> {
    await gather(this.#simulation, () => this.#calendar.settle(), this.#sacco);
    await this.#appoint();
    await this.#closeYear();
    const closed = this.#sacco.surplus.closed.at(-1);
    if (!closed?.isReckoned || closed.dividend || this.#sacco.surplus.retained <= 0) return;
    await this.#seeCards();
    const scenario = { kind: 'dividend' } as const;
    const rates = this.#rates(closed);
    const wrong = await this.#decide(await this.#publish(scenario, rates), scenario);
    if (wrong || closed.dividend === null) return wrong;
    await this.#until(Date.parse(`${rates.recordDay}T12:00:00Z`) + DAY_MS);
    this.#simulation.count('dividend paid out');
    return compare(this.#simulation);
  }

  async #decide(vote: Vote | null, scenario: Scenario): Promise<string | undefined> {
    if (!vote) return;
    if (vote.kind === 'election' && scenario.turn !== 'nobody stands') await this.#nominate(vote);
    if (scenario.turn === 'too few come first') {
      const wrong = await this.#round(vote, scenario, 1);
      if (wrong) return wrong;
    }
    const wrong = await this.#round(vote, scenario, VOTERS_MAX);
    if (wrong || !Number.isFinite(vote.eta)) return wrong;
    if (scenario.turn === 'terms change behind it') await this.#changeTerms();
    await this.#until(vote.eta);
    return (await this.#compare(vote)) ?? (await this.#compareOffice(vote));
  }

  /** Two officials who close a year: by the owner's hand, as an operator names them. */
  async #appoint(): Promise<void> {
    const { books, house, now, world } = this.#simulation;
    const led = officialsOf(this.#simulation, this.#sacco, 'year');
    const others = this.#members().filter(
      (person) => !person.isOperator && books.officesOf(person, this.#sacco, now).length === 0,
    );
    for (const office of ['chair', 'secretary', 'treasurer'] as const) {
      const person = others[0];
      if (led.length > 1 || !person || takeUp(this.#sacco, person, office, now) !== 'ok') continue;
      const named = { saccoId: this.#sacco.id, userId: person.id, office };
      await world.doing(`${office} at ${now}`, () =>
        house.database.transaction((tx) => openOffice(tx, { userId: this.#sacco.founder.id }, named)),
      );
      led.push(...others.splice(0, 1));
    }
  }

  async #closeYear(): Promise<void> {
    const { books, now } = this.#simulation;
    const next = nextYear(this.#sacco, now);
    const [one, other] = officialsOf(this.#simulation, this.#sacco, 'year');
    if (!next || !one || !other || !(await this.#call([one, other]))) return;
    await this.#do('close a year', proposeClosing(this.#simulation, this.#sacco, one, next.year));
    const change = books.changes.findLast((each) => each.sacco === this.#sacco && each.kind === 'year');
    if (change?.state !== 'proposed') return;
    await this.#do('decide on a change', decideChange(this.#simulation, change, other, 'confirmSaccoChange'));
    await this.#calendar.pass(DAY_MS + HOUR_MS);
  }

  /** The highest that the surplus allows; now and then more. */
  #rates({ year, at }: { readonly year: number; readonly at: number }): Rates {
    const { books, now, random } = this.#simulation;
    const recordDay = dayOf(Math.max(at + 14 * DAY_MS, now + 20 * DAY_MS));
    const isFromItsMonth = random.chance(0.5);
    const all = RATES.map(([shares, savings]) => ({ year, shares, savings, isFromItsMonth, recordDay }));
    const fit = all.find((rates) => mayDeclare(books, this.#sacco, rates));
    return fit && !random.chance(0.1) ? fit : (all[0] as Rates);
  }

  /** By the owner's hand, as officials do it in membership's own tests. */
  async #seeCards(): Promise<void> {
    const { books, house, now, world } = this.#simulation;
    const members = books.members.filter(
      ({ sacco, state, person }) => sacco === this.#sacco && state === 'active' && !person.isOperator,
    );
    const unseen = members.map(({ person }) => person).filter(({ cardSeenUntil }) => cardSeenUntil <= now);
    const operator = books.people.find(({ isOperator }) => isOperator);
    for (const person of unseen) {
      await house.database.owner`
        insert into identity_checks (id, user_id, seen_by, document, seen_at)
        values (gen_random_uuid(), ${person.id}, ${operator?.id ?? ''}, 'national_id', ${world.now()})`;
      person.cardBefore = person.cardSeenUntil;
      person.cardSeenAt = world.now().getTime();
      person.cardSeenUntil = Number.POSITIVE_INFINITY;
    }
  }

  /** Drafts something, and has it signed until it is published; null where it is not. */
  async #publish(scenario: Scenario, rates: Rates | null = null): Promise<Vote | null> {
    const { books, random } = this.#simulation;
    const roll = this.#able();
    const board = this.#members().filter((person) => isOfBoard(books, person, this.#sacco, this.#simulation.now));
    const isOfTwo = board.length > 1 && random.chance(0.6);
    const signers = isOfTwo ? board.slice(0, 2) : roll.filter((person) => !board.includes(person));
    const [by] = signers;
    if (!by || !(await this.#call(signers.slice(0, 5)))) return null;
    await this.#takeBackOne(by);
    const after = scenario.kind === 'referrals' ? this.#terms() : null;
    const { vote, planned } = acts.draft(this.#simulation, {
      ...{ sacco: this.#sacco, by, kind: scenario.kind, after, rates },
      class: scenario.kind === 'election' ? 'election' : (scenario.class ?? 'ordinary'),
      isSecret: scenario.kind === 'election' || scenario.isSecret === true,
      office: scenario.kind === 'election' ? random.pick(['vice_chair', 'secretary', 'credit_committee']) : null,
    });
    await this.#do('draft a vote', planned);
    if (vote.id === '') return null;
    // Not anybody's to sign; and whoever drafted it has signed it.
    const [odd] = isOfTwo
      ? roll.filter((person) => !board.includes(person))
      : board.filter((person) => !roll.includes(person));
    if (odd && random.chance(ODD) && (await this.#call([odd])))
      await this.#do('sign a vote', acts.sign(this.#simulation, vote, odd));
    for (const person of random.chance(ODD) ? [by, ...signers] : signers.slice(1)) {
      if (vote.roll !== null || !(await this.#call([person]))) continue;
      await this.#do('sign a vote', acts.sign(this.#simulation, vote, person));
    }
    return vote.roll === null ? null : vote;
  }

  /** A draft that is taken back, by another first. */
  async #takeBackOne(by: Person): Promise<void> {
    const { random } = this.#simulation;
    if (!random.chance(this.#simulation.fired['take a vote back done'] === undefined ? 1 : 0.5)) return;
    const asked = {
      sacco: this.#sacco,
      by,
      kind: 'resolution',
      class: 'ordinary',
      isSecret: random.chance(0.5),
    } as const;
    const { vote, planned } = acts.draft(this.#simulation, { ...asked, office: null, after: null, rates: null });
    await this.#do('draft a vote', planned);
    const [other] = this.#able().filter((person) => person !== by && person.sessions.length > 0);
    if (vote.id !== '' && other && vote.isOfBoard === false)
      await this.#do('take a vote back', acts.takeBack(this.#simulation, vote, other));
    if (vote.id !== '') await this.#do('take a vote back', acts.takeBack(this.#simulation, vote, by));
  }

  #terms(): { reward: number; monthlyMax: number } {
    const { random } = this.#simulation;
    return { reward: random.pick([100, 300, 700, 1_250]), monthlyMax: random.whole(1, 4) };
  }

  async #nominate(vote: Vote): Promise<void> {
    const { random } = this.#simulation;
    const people = this.#able().slice(0, random.whole(1, 4));
    for (const person of people) {
      if (!(await this.#call([person]))) continue;
      await this.#do('stand for an election', acts.stand(this.#simulation, vote, person));
    }
    // Too early to vote, and once more in other words.
    const [first] = people;
    if (!first || first.sessions.length === 0) return;
    await this.#do('vote', acts.vote(this.#simulation, vote, first, 'abstain'));
    await this.#do('stand for an election', acts.stand(this.#simulation, vote, first));
  }

  /** From the beginning of a round to its count; so many vote at most. */
  async #round(vote: Vote, scenario: Scenario, most: number): Promise<string | undefined> {
    const { random } = this.#simulation;
    const isLate = random.chance(0.2);
    if (vote.kind === 'election' && vote.candidates.length === 0) await this.#until(vote.nominationsEnd);
    await this.#until(isLate ? vote.closesAt - random.whole(2, 20) * HOUR_MS : vote.opensAt);
    if (stateOf(vote, this.#simulation.now) !== 'open') return this.#compare(vote);
    const wrong = vote.isSecret ? await this.#castAll(vote, scenario, most) : await this.#voteAll(vote, scenario, most);
    if (wrong) return wrong;
    const { round, cast } = vote;
    await this.#until(vote.closesAt);
    const wrongCount = await this.#compare(vote);
    // Nobody can tell any more who stood where on the roll of a round that is followed by another.
    if (wrongCount || !vote.isSecret || vote.round !== round) return wrongCount;
    return ordersLead(this.#simulation, vote, cast);
  }

  async #voteAll(vote: Vote, { wish = 'for' }: Scenario, most: number): Promise<string | undefined> {
    const { random, books, now } = this.#simulation;
    const voters = await this.#voters(vote, most);
    const drawn = () => (random.chance(0.7) ? wish : random.pick(['for', 'against', 'abstain']));
    const all = (people: readonly Person[]) =>
      this.#wave(people.map((person) => ['vote', acts.vote(this.#simulation, vote, person, drawn())] as const));
    const [doubler, ...others] = voters;
    await all(others);
    await all(others.filter(() => random.chance(0.3)));
    const strangers = books.people.filter(
      (person) =>
        person.sessions.length > 0 && !person.isOperator && !vote.roll?.includes(person) && !voters.includes(person),
    );
    const [stranger] = strangers;
    if (stranger && stateOf(vote, now) === 'open')
      await this.#do('vote', acts.vote(this.#simulation, vote, stranger, 'for'));
    return doubler && this.#atOnce(acts.vote(this.#simulation, vote, doubler, drawn()), random.whole(2, 8));
  }

  /** Each has a paper signed, and casts it; some have two papers signed, or cast one many times at once. */
  async #castAll(vote: Vote, { wish = 'for' }: Scenario, most: number): Promise<string | undefined> {
    const { random, world, now } = this.#simulation;
    const asked = await this.#simulation.ask(
      { route: 'readPublicVote', params: { id: vote.id } },
      `key of ${vote.title} ${now}`,
    );
    const key = asked.ok ? asked.reply.keys.find((each: { round: number }) => each.round === vote.round)?.key : null;
    if (!key) return `${vote.title} has no key for round ${vote.round}`;
    const ids = vote.candidates.map(({ id }) => id);
    for (const person of await this.#voters(vote, most)) {
      const serial = world.randomBytes(32).toString('base64url');
      const paper = await testBallotPaper(key, serial);
      let signature = '';
      const take = (given: string) => {
        signature = given;
      };
      await this.#do(
        'ask for a ballot paper',
        acts.askForPaper(this.#simulation, vote, person, { blinded: paper.blinded, take }),
        0,
      );
      if (signature === '') continue;
      const choices = vote.kind === 'election' ? [...ids, 'abstain'] : ['for', 'against', 'abstain', wish, wish];
      const ballot = await paper.ballot(signature, random.pick(choices));
      const cast = () => acts.castSecretly(this.#simulation, vote, person, ballot);
      if (random.chance(ODD)) {
        const wrong = await this.#atOnce(cast(), random.whole(2, 8));
        if (wrong) return wrong;
        await this.#oddBallots(vote, person, {
          ...ballot,
          choice: choices.find((other) => other !== ballot.choice) ?? '',
        });
      } else await this.#do('cast a secret ballot', cast());
      this.#simulation.count('secret ballots');
    }
    return;
  }

  /** Another paper for whoever has one, and another choice under the same number. */
  async #oddBallots(vote: Vote, person: Person, changed: Parameters<typeof acts.castSecretly>[3]): Promise<void> {
    const blinded = `${'A'.repeat(340)}Eg`;
    await this.#do(
      'ask for a ballot paper',
      acts.askForPaper(this.#simulation, vote, person, { blinded, take: () => {} }),
      0,
    );
    await this.#do('cast a secret ballot', acts.castSecretly(this.#simulation, vote, person, changed));
  }

  /** The same many times at once, through several servers: one effect, and the same answer for all. */
  async #atOnce({ say, asking, expect, learn }: Planned, times: number): Promise<string | undefined> {
    const { house, world, acts: number } = this.#simulation;
    const expected = expect();
    const asks = (_: unknown, index: number) =>
      world.doing(`double ${number} ${index}`, () =>
        house.ask(asking, (['racing', 'first', 'second'] as const)[index % 3] ?? 'racing'),
      );
    const answers: readonly Answered[] = await Promise.all(Array.from({ length: times }, asks));
    this.#simulation.acts += times;
    this.#simulation.count('double votes', times - 1);
    this.#simulation.note(`${say} ${times} times ${expected}`);
    const replies = new Set(answers.map((answer) => JSON.stringify(answer)));
    const [first] = answers;
    if (replies.size !== 1 || (first?.ok ? 'ok' : first?.code) !== expected)
      return `${say}, ${times} times at once, had ${[...replies].join(' and ')}; the naive books say ${expected}`;
    const wrong = first?.ok ? await learn?.(first.reply) : undefined;
    return wrong && `${say}, ${times} times at once, had ${wrong}`;
  }

  /** What two officials could not do: by the owner's hand. */
  async #changeTerms(): Promise<void> {
    const { house, now } = this.#simulation;
    const { terms, founder, id } = this.#sacco;
    const { reward, monthlyMax } = { reward: 9_900, monthlyMax: 9 };
    const at = Math.max(now, (terms.at(-1)?.at ?? 0) + 1);
    terms.push({ at, reward, monthlyMax });
    await house.database.owner`
      insert into referral_terms (sacco_id, valid_from, reward_cents, monthly_rewards_max, changed_by)
      values (${id}, ${new Date(at)}, ${reward}, ${monthlyMax}, ${founder.id})`;
    this.#simulation.count('terms changed behind a vote');
  }

  /** What everybody reads of it is what the naive books say. */
  async #compare(vote: Vote): Promise<string | undefined> {
    const { now } = this.#simulation;
    const read = await this.#simulation.ask(
      { route: 'readPublicVote', params: { id: vote.id } },
      `${vote.title} at ${now}`,
    );
    if (!read.ok) return `${vote.title} is not shown: ${read.code}`;
    const { state, round, closes_at, result, election } = read.reply;
    const of = (tally: Vote['tally']) => (tally ? `${tally.for}/${tally.against}/${tally.abstain}` : 'no result');
    const is = `${state} in round ${round} until ${Date.parse(closes_at)}, ${of(result)}, ${election?.elected ?? null}`;
    const said = `${stateOf(vote, now)} in round ${vote.round} until ${vote.closesAt}, ${of(vote.tally)}, ${vote.elected?.id ?? null}`;
    this.#simulation.count(`vote seen ${state}`);
    return is === said ? this.#recount(read.reply) : `${vote.title} is ${is}; in the naive books ${said}`;
  }

  /** Counts a vote again from what everybody may download, with the functions of the page and of `npm run verify-tally`. */
  async #recount(vote: PublicVoteDetail): Promise<string | undefined> {
    if (!hasPublicBallots(vote)) return;
    const { database } = this.#simulation.house;
    const read = (file: typeof rollFile) => asSystem(() => file(database, vote.id));
    const issued = vote.ballot === 'secret' ? await read(issuedFile) : '';
    const files = { roll: await read(rollFile), ballots: await read(ballotsFile), issued };
    const { checks } = await recount(files, { ...vote, roll_size: vote.roll_size ?? 0 }, null);
    this.#simulation.count('vote recounted');
    const wrong = checks.filter(({ isRight }) => !isRight).map(({ name }) => name);
    return wrong.length === 0 ? undefined : `${vote.title}: its recount is wrong in ${wrong.join(', ')}`;
  }

  async #compareOffice({ office }: Vote): Promise<string | undefined> {
    if (office === null) return;
    const { books, house, now, world } = this.#simulation;
    const rows = await house.database.owner<{ user_id: string }[]>`
      select user_id from offices
      where sacco_id = ${this.#sacco.id} and office = ${office} and ended_at is null and until > ${world.now()} order by user_id`;
    const holders = books.people.filter((person) => books.officesOf(person, this.#sacco, now).includes(office));
    const said = holders
      .map(({ id }) => id)
      .sort()
      .join();
    const is = rows.map((row) => row.user_id).join();
    return is === said ? undefined : `${office} of sacco ${this.#sacco.number} is ${is}; in the naive books ${said}`;
  }

  #members(): Person[] {
    const members = this.#simulation.books.members.filter(
      ({ sacco, state }) => sacco === this.#sacco && state === 'active',
    );
    return members.map(({ person }) => person);
  }

  /** Those who could vote, in another order each time. */
  #able(): Person[] {
    const { books, now, random } = this.#simulation;
    const left = rollOf(books, this.#sacco, now);
    const drawn: Person[] = [];
    while (left.length > 0) drawn.push(...left.splice(random.whole(0, left.length - 1), 1));
    return drawn;
  }

  async #voters({ roll }: Vote, most: number): Promise<Person[]> {
    const { books } = this.#simulation;
    const isIn = (person: Person) => (books.memberOf(person, this.#sacco)?.state ?? 'exited') !== 'exited';
    const people = (roll ?? []).filter(isIn).slice(0, most);
    await this.#call(people);
    return people.filter(({ sessions }) => sessions.length > 0);
  }

  /** Whether all of them are signed in, with a password that was entered a short while ago. */
  async #call(people: readonly Person[]): Promise<boolean> {
    this.#simulation.endIdleSessions();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const missing = [...new Set(people)].filter((person) => !isProven(person, this.#simulation.now));
      if (missing.length === 0) return true;
      this.#simulation.world.advance(PAUSE_MS);
      await this.#wave(missing.flatMap((person) => this.#proof(person)));
    }
    return people.every(({ sessions }) => sessions.length > 0);
  }

  #proof(person: Person): [name: string, plan: Planned][] {
    if (person.sessions.length === 0) return [['sign in', planLogin(this.#simulation, person)]];
    const planned = planProve(this.#simulation, person);
    return planned ? [['prove password', planned]] : [];
  }

  async #until(time: number): Promise<void> {
    await this.#calendar.pass(Math.max(1, time - this.#simulation.now));
  }

  async #wave(planned: readonly (readonly [name: string, plan: Planned])[]): Promise<void> {
    if (planned.length === 0) return;
    await this.#simulation.wave(
      planned.map(([, plan]) => plan),
      planned.map(([name]) => name),
    );
    this.#simulation.world.advance(PAUSE_MS);
  }

  async #do(name: string, plan: Planned, pauseMs = PAUSE_MS): Promise<void> {
    await this.#simulation.wave([plan], [name]);
    this.#simulation.world.advance(pauseMs);
  }
}
