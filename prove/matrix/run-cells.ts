import { Random } from '../random.ts';
import type { Answer } from '../support/product.ts';
import type { Examination, Order } from './examine.ts';
import { fieldFaultsOf, leaksOf, twinFaultsOf, verdictOf } from './judge.ts';
import { linesOf } from './policy.ts';
import { type Cell, cellsOf, emptyWordsOf, nameOf, send } from './requests.ts';
import { COUNTED } from './state.ts';

/** Sessions that are read in one turn of the event loop are one statement. */
const AT_ONCE = 32;
const NAMED_MAX = 5;
const BATCH = 250;
/** Of acts upon one's own things, how many people do them alone. */
const ALONE = 2;

/** Every cell of the subjects: first those that are refused, in a mixed order, then what is read, then what is done. */
export async function runCells(examination: Examination, order: Order): Promise<void> {
  const cells = examination.subjects.flatMap((subject) => {
    const all = cellsOf(subject, examination, order.isCrossed);
    return order.isCrossed ? all : oneForItsLikes(all, order.seed);
  });
  const { violations, counts } = examination.findings;
  counts.cells = cells.length;
  violations.push(...examination.subjects.flatMap((subject) => emptyWordsOf(subject, examination)));
  // Where everything stands with everything, each line is met; where one thing varies at a time, some are not.
  if (order.isCrossed) {
    const met = new Set(cells.map(({ subject, expected: found }) => `${subject.route.name} ${found?.line}`));
    for (const { route, policy } of examination.subjects)
      for (const { text } of linesOf(policy.lines))
        if (!met.has(`${route.name} ${text}`)) violations.push(`${route.name}: no request meets the line "${text}"`);
  }
  for (const cell of cells.filter(({ expected: found }) => found === null))
    violations.push(`${nameOf(cell)}: no line of the policy says`);
  const isRefused = (cell: Cell) => (cell.expected?.status ?? 0) >= 400;
  const isRead = ({ subject }: Cell) => subject.route.repetition === 'read';
  const refused = shuffled(cells.filter(isRefused), order.seed);
  const allowed = cells.filter((cell) => cell.expected !== null && !isRefused(cell));
  const answers = await runRefused(examination, refused);
  counts.refused = refused.length;
  for (const [cell, answer] of await runReads(examination, allowed.filter(isRead))) answers.set(cell, answer);
  for (const [cell, answer] of await runActs(
    examination,
    allowed.filter((cell) => !isRead(cell)),
  ))
    answers.set(cell, answer);
  violations.push(...twinFaultsOf(answers, examination));
  counts['foreign compared with nonexistent'] = [...answers.keys()].filter(
    ({ objects, expected: found }) =>
      (found?.status === 403 || found?.status === 404) && Object.values(objects).includes('nonexistent'),
  ).length;
}

/** Groups of identities that differ in nothing but a name: five offices of a sacco, five ways to come without a session. */
const LIKES = /^(officials of [AB]|no session|dead session)$/;

/**
 * At each commit, of identities of one such group to whom the policy of a route says the same everywhere, one is asked for
 * everything. The others are asked for the first thing alone. Which one it is differs from route to route.
 */
function oneForItsLikes(cells: readonly Cell[], seed: number): Cell[] {
  const byIdentity = [...Map.groupBy(cells, ({ identity }) => identity.name).values()];
  const likes = Map.groupBy(byIdentity, (own) => {
    const { name, groups } = (own[0] as Cell).identity;
    const group = groups.find((one) => LIKES.test(one)) ?? name;
    return JSON.stringify([group, own.map(({ expected: found }) => found?.line)]);
  });
  return [...likes.values()].flatMap((alike, number) => {
    const name = alike[0]?.[0]?.subject.route.name ?? '';
    const chosen = new Random(seed + number + Buffer.from(name).reduce((sum, byte) => sum * 31 + byte, 7)).pick(alike);
    return alike.flatMap((own) => (own === chosen ? own : own.slice(0, 1)));
  });
}

/** Refused requests change nothing: the whole database is hashed around each batch; a batch that differs is halved. */
async function runRefused(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const counting = Map.groupBy(cells, ({ subject }) => (subject.policy.counts ? subject.route.name : ''));
  const answers = new Map<Cell, Answer>();
  for (const [name, group] of counting) {
    for (let from = 0; from < group.length; from += BATCH) {
      const batch = group.slice(from, from + BATCH);
      for (const [cell, answer] of await refuse(examination, batch)) answers.set(cell, answer);
      if (name !== '') await examination.state.restore();
    }
  }
  return answers;
}

async function refuse(examination: Examination, batch: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const answers = await sendAll(examination, batch);
  const changed = await changesBut(examination, batch);
  if (changed.length > 0) await nameChangers(examination, batch, changed);
  for (const [cell, answer] of answers) judge(examination, cell, answer);
  return answers;
}

function changesBut({ state }: Examination, batch: readonly Cell[]): Promise<string[]> {
  return state.changes(batch[0]?.subject.policy.counts ? COUNTED : []);
}

/** Goes back and sends halves of the batch, until single requests are found that change something. */
async function nameChangers(
  examination: Examination,
  batch: readonly Cell[],
  changed: readonly string[],
): Promise<void> {
  const { state, findings } = examination;
  await state.restore();
  // A handful of names is enough to look for the cause.
  if (findings.violations.length >= NAMED_MAX) return;
  if (batch.length === 1) {
    findings.violations.push(`${nameOf(batch[0] as Cell)}: was refused, and changed ${changed.join(', ')}`);
    return;
  }
  const before = findings.violations.length;
  for (const half of [batch.slice(0, batch.length / 2), batch.slice(batch.length / 2)]) {
    await sendAll(examination, half);
    const still = await changesBut(examination, half);
    if (still.length > 0) await nameChangers(examination, half, still);
  }
  if (findings.violations.length === before) {
    findings.violations.push(
      `${batch.length} refused requests together changed ${changed.join(', ')}, none of them alone`,
    );
  }
}

/** What is read changes nothing either, but for the note of who has looked. */
async function runReads(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const { state, findings } = examination;
  const answers = new Map<Cell, Answer>();
  for (const subject of new Set(cells.map((cell) => cell.subject))) {
    const own = cells.filter((cell) => cell.subject === subject);
    for (const [cell, answer] of await sendAll(examination, own)) {
      answers.set(cell, answer);
      judge(examination, cell, answer);
    }
    const noted = subject.policy.notes;
    const changed = await state.changes(noted?.split(', ') ?? []);
    if (changed.length > 0) {
      findings.violations.push(`${subject.route.name}: only reads, and changed ${changed.join(', ')}`);
    }
    if (noted !== undefined || changed.length > 0) await state.restore();
  }
  findings.counts['reads allowed'] = cells.length;
  return answers;
}

/**
 * What is done changes something, and no row of another person unless the policy says so. Acts upon one's own things are
 * sent together but for some; an act that names a thing is sent alone, from the same state each time.
 */
async function runActs(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const answers = new Map<Cell, Answer>();
  for (const subject of new Set(cells.map((cell) => cell.subject))) {
    const own = cells.filter((cell) => cell.subject === subject);
    const isPersonal = subject.positions.length === 0 && subject.route.caller === 'signed_in';
    // Some of them alone, so that it is seen whose rows they change.
    const alone = isPersonal ? ALONE : own.length;
    const groups = [...own.slice(0, alone).map((cell) => [cell]), own.slice(alone)];
    for (const group of groups) {
      if (group.length === 0) continue;
      for (const [cell, answer] of await act(examination, group)) answers.set(cell, answer);
    }
  }
  examination.findings.counts['acts allowed'] = cells.length;
  return answers;
}

async function act(examination: Examination, group: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const { state, findings } = examination;
  const answers = await sendAll(examination, group);
  const faults = findings.violations.length;
  for (const [cell, answer] of answers) judge(examination, cell, answer);
  const [cell] = group as [Cell];
  const changed = await state.changes();
  if (findings.violations.length === faults) {
    if (cell.expected?.mustChangeNothing && changed.length > 0) {
      findings.violations.push(`${nameOf(cell)}: must pass over what is not theirs, and changed ${changed.join(', ')}`);
    }
    if (!cell.expected?.mustChangeNothing && changed.length === 0) {
      findings.violations.push(`${nameOf(cell)}: was answered with success, and changed nothing`);
    }
    const { caller } = cell.subject.route;
    const isForOneself = caller === 'signed_in' || caller === 'member';
    if (group.length === 1 && cell.identity.person && isForOneself) {
      const both = cell.subject.policy.counterparty ?? [];
      const own = changed.filter((table) => !both.includes(table));
      const others = await state.othersChanged(own, cell.identity.person.id);
      if (others.length > 0)
        findings.violations.push(`${nameOf(cell)}: changed rows of others in ${others.join(', ')}`);
    }
  }
  await state.restore();
  return answers;
}

function judge(examination: Examination, cell: Cell, answer: Answer): void {
  const { violations } = examination.findings;
  violations.push(
    ...verdictOf(cell, answer),
    ...leaksOf(cell, answer, examination, examination.canaries),
    ...fieldFaultsOf(cell, answer),
  );
}

async function sendAll(examination: Examination, cells: readonly Cell[]): Promise<Map<Cell, Answer>> {
  const answers = new Map<Cell, Answer>();
  const waiting = [...cells];
  const work = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) answers.set(cell, await send(cell, examination));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

function shuffled<T>(all: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  const mixed = [...all];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = random.whole(0, index);
    [mixed[index], mixed[other]] = [mixed[other] as T, mixed[index] as T];
  }
  return mixed;
}
