import type { Person } from '../naive-books.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';

/* Phones of people who are not here, whose holders agree by a code that prompts of a member come to them. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** One of a few phones that are nobody's here. */
export const friendsPhone = ({ random }: Simulation) => `25474${random.whole(1_000_000, 1_000_040)}`;

export const hasAgreed = ({ books }: Simulation, person: Person, phone: string) =>
  books.agreements.some((agreed) => agreed.person === person && agreed.phone === phone);

/** Whether that phone has had as many prompts as it gets from others than its owner. */
export function isPromptedOften({ books, now }: Simulation, phone: string): boolean {
  const since = (ms: number) =>
    books.friendsPrompts.filter((each) => each.phone === phone && each.at > now - ms).length;
  return since(10 * MINUTE_MS) >= 3 || since(DAY_MS) >= 10;
}

function planAsk(simulation: Simulation): Planned | null {
  const { books, now, random } = simulation;
  const confirmed = simulation.active.filter(({ isConfirmed, isOperator }) => isConfirmed && !isOperator);
  // Who has no confirmed phone may not ask.
  const person = confirmed.length > 0 && random.chance(0.85) ? random.pick(confirmed) : simulation.someone();
  if (!person) return null;
  const phone = simulation.random.chance(0.1) ? person.phone : friendsPhone(simulation);
  return {
    say: `person ${person.number} asks the holder of ${phone === person.phone ? 'the own phone' : phone}`,
    asking: { route: 'askPayer', token: person.sessions.at(-1)?.token, body: { phone } },
    touches: [[`person ${person.number}`], [`phone ${phone}`]],
    expect() {
      if (!person.isConfirmed) return 'phone_unconfirmed';
      if (phone === person.phone) return 'payer_known';
      if (hasAgreed(simulation, person, phone)) return 'payer_known';
      const today = books.payerCodes.filter(({ at }) => at > now - DAY_MS);
      books.payerCodes = today;
      if (today.filter((code) => code.person === person).length >= 5) return 'too_many_requests';
      if (today.filter((code) => code.phone === phone).length >= 3) return 'too_many_requests';
      today.push({ person, phone, at: now, code: '', tries: 0, isUsed: false });
      return 'ok';
    },
  };
}

function planConfirm(simulation: Simulation): Planned | null {
  const { books, random, now } = simulation;
  const known = books.payerCodes.filter(
    ({ person, code, isUsed, at }) =>
      code !== '' && !isUsed && at > now - 9 * MINUTE_MS && simulation.active.includes(person),
  );
  const picked = known.length > 0 ? random.pick(known) : null;
  const person = picked?.person ?? (random.chance(0.1) ? simulation.someone() : null);
  if (!person) return null;
  const phone = picked?.phone ?? friendsPhone(simulation);
  const isWrong = random.chance(0.15);
  return {
    say: `person ${person.number} enters the code of ${phone}${isWrong ? ', wrongly' : ''}`,
    asking: {
      route: 'confirmPayer',
      token: person.sessions.at(-1)?.token,
      body: { phone, code: isWrong || !picked ? '0000 000' : picked.code },
    },
    touches: [[`person ${person.number}`], [`phone ${phone}`]],
    expect() {
      // The newest code counts, for five tries.
      const newest = books.payerCodes.findLast((code) => code.person === person && code.phone === phone);
      if (!newest || newest.isUsed || newest.at <= now - 10 * MINUTE_MS || newest.tries >= 5)
        return 'phone_code_invalid';
      newest.tries += 1;
      if (newest !== picked || isWrong) return 'phone_code_invalid';
      newest.isUsed = true;
      books.agreements.push({ id: '', person, phone });
      return 'ok';
    },
    async learn() {
      const [row] = await simulation.house.database.owner<{ id: string }[]>`
        select id from prompt_consents
        where user_id = ${person.id} and phone = ${phone} and given_at is not null and ended_at is null`;
      const agreed = books.agreements.find((each) => each.person === person && each.phone === phone);
      if (!row || !agreed) return 'no agreement';
      agreed.id = row.id;
      return;
    },
  };
}

function planEnd(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const known = books.agreements.filter(({ id, person }) => id !== '' && simulation.active.includes(person));
  if (known.length === 0) return null;
  const agreed = random.pick(known);
  const person = random.chance(0.2) ? simulation.someone() : agreed.person;
  if (!person) return null;
  return {
    say: `person ${person.number} ends what person ${agreed.person.number} agreed with ${agreed.phone}`,
    asking: { route: 'endPayer', token: person.sessions.at(-1)?.token, params: { id: agreed.id } },
    touches: [[`person ${person.number}`], [`person ${agreed.person.number}`], [`phone ${agreed.phone}`]],
    expect() {
      if (person !== agreed.person || !books.agreements.includes(agreed)) return 'not_found';
      books.agreements = books.agreements.filter((each) => each !== agreed);
      return 'ok';
    },
  };
}

export const payerActs: readonly Act[] = [
  { name: 'ask a payer', routes: ['askPayer'], weight: 3, leadsTo: 'confirm a payer', plan: planAsk },
  { name: 'confirm a payer', routes: ['confirmPayer'], weight: 4, plan: planConfirm },
  { name: 'end a payer', routes: ['endPayer'], weight: 2, plan: planEnd },
];
