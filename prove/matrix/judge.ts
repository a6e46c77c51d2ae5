import { OFFICES } from '@ushirika/contract/route';
import type { Answer } from '../support/product.ts';
import type { Cast } from './cast.ts';
import { type Kinds, kindOf } from './domain-part.ts';
import { fits, fitsWho, linesOf } from './policy.ts';
import { type Cell, nameOf, type World } from './requests.ts';
import { REWARD_OF_A } from './rows.ts';

/** A text by which one person's data is known wherever it is read. */
interface Canary {
  readonly of: string;
  readonly sacco: 'A' | 'B' | null;
  readonly what: 'name' | 'particular' | 'token' | 'row' | 'deal';
}

export type Canaries = { readonly pattern: RegExp; readonly known: ReadonlyMap<string, Canary> };

/** What the words of `shows` let an asker see. Nobody is ever shown a token. */
const COVERED: Readonly<Record<string, readonly Canary['what'][]>> = {
  names: ['name'],
  particulars: ['name', 'particular'],
  rows: ['row'],
  deals: ['deal'],
};

const ROWS: Readonly<Record<string, 'A' | null>> = { [REWARD_OF_A]: 'A', SGH7XK2M91: null, SGH7XK2M92: null };

/** Whose orders, trades and price alerts stand under these names (objects.ts). */
const OWNER_OF = { hers: 'owner', his: 'fellow', foreign: 'other' };

/** People who were brought by others, and never ask (objects.ts). */
const BROUGHT = { owner: ['Qzreferred', 'Qzbrought'], other: ['Qzforeignreferred', 'Qzforeignbrought'] };

export function canariesOf(cast: Cast, kinds: Kinds): Canaries {
  const known = new Map<string, Canary>();
  for (const { name, sacco, firstName, phone, idNumber, email, token } of cast.people) {
    known.set(firstName, { of: name, sacco, what: 'name' });
    for (const text of [phone, idNumber, email]) known.set(text, { of: name, sacco, what: 'particular' });
    known.set(token, { of: name, sacco, what: 'token' });
  }
  for (const [mark, name] of ['owner', 'fellow', 'other'].entries()) {
    for (const end of ['1', '2']) {
      known.set(`25479900${mark + 1}00${end}`, { of: name, sacco: cast.person(name).sacco, what: 'particular' });
    }
    known.set(`SGH7XK2L9${mark + 1}`, { of: name, sacco: cast.person(name).sacco, what: 'particular' });
  }
  for (const { objects } of ['order', 'trade', 'price alert'].map((name) => kindOf(kinds, name))) {
    for (const [object, name] of Object.entries(OWNER_OF)) {
      known.set(String(objects[object]), { of: name, sacco: cast.person(name).sacco, what: 'deal' });
    }
  }
  for (const [text, of] of Object.entries(ROWS)) known.set(text, { of: 'nobody', sacco: of, what: 'row' });
  for (const name of Object.values(BROUGHT).flat()) known.set(name, { of: name, sacco: null, what: 'name' });
  // The longest first: a name may be the beginning of another.
  const texts = [...known.keys()].sort((one, two) => two.length - one.length);
  return { pattern: new RegExp(texts.map((text) => text.replaceAll(/[.+]/g, '\\$&')).join('|'), 'g'), known };
}

/** What an answer tells of other people, as far as the policy does not let the asker see it. */
export function leaksOf(cell: Cell, answer: Answer, world: World, { pattern, known }: Canaries): string[] {
  const text = `${answer.text}\n${JSON.stringify(answer.headers)}`;
  const isOwnersForm = cell.subject.route.caller === 'anyone' && cell.subject.route.bodyType !== 'none';
  const asker = cell.identity.person ?? (isOwnersForm && answer.status < 400 ? world.cast.person('owner') : null);
  const shown = answer.status < 400 ? linesOf(cell.subject.policy.shows ?? '').filter(showsTo(cell)) : [];
  const found = [...new Set(text.match(pattern) ?? [])];
  return found.flatMap((told) => {
    const canary = known.get(told);
    if (!canary || canary.of === asker?.name) return [];
    if (shown.some(({ text: line }) => isShown(line.split('|')[1]?.trim() ?? '', canary))) return [];
    return [`${nameOf(cell)}: tells ${told}, the ${canary.what} of ${canary.of}`];
  });
}

/** Lines of `shows` have no place: `who | what`. */
function showsTo(cell: Cell): (line: { who: readonly string[] }) => boolean {
  return ({ who }) => fitsWho(who, cell.identity);
}

function isShown(what: string, canary: Canary): boolean {
  const [kind = '', ...of] = what.split(' ');
  if (!COVERED[kind]?.includes(canary.what)) return false;
  const whose = of.slice(1).join(' ');
  if (whose === '') return true;
  if (whose === 'officials')
    return OFFICES.some((office) => canary.of.startsWith(office)) || canary.of.startsWith('founder');
  if (whose === 'whom the owner brought') return BROUGHT.owner.includes(canary.of);
  if (whose === 'whom the other brought') return BROUGHT.other.includes(canary.of);
  if (whose === 'who left') return canary.of === 'former';
  return canary.sacco === whose;
}

/** Whether status and code are what the policy says. */
export function verdictOf(cell: Cell, answer: Answer): string[] {
  const { expected } = cell;
  const got =
    answer.status >= 400 ? `${answer.status} ${answer.body?.code ?? 'without a code'}` : String(answer.status);
  if (!expected) return [`${nameOf(cell)}: no line of the policy says, got ${got}`];
  const wanted = expected.code === null ? String(expected.status) : `${expected.status} ${expected.code}`;
  return got === wanted ? [] : [`${nameOf(cell)}: expected ${wanted}, got ${got} (line "${expected.line}")`];
}

/** Fields that are for some only must be there for them, and for nobody else. */
export function fieldFaultsOf(cell: Cell, answer: Answer): string[] {
  const { fields } = cell.subject.policy;
  if (!fields || answer.status >= 400) return [];
  const lines = linesOf(fields);
  return [...new Set(lines.map(({ then }) => then))].flatMap((field) => {
    const isFor = lines.some((line) => line.then === field && fits(line, cell));
    const isThere = isFilled(answer.body, field.split('.'));
    const isEmptyList = Array.isArray(answer.body?.results) && answer.body.results.length === 0;
    if (isFor === isThere || isEmptyList) return [];
    return [
      `${nameOf(cell)}: expected ${isFor ? 'to see' : 'not to see'} "${field}", got ${isThere ? 'it' : 'nothing'}`,
    ];
  });
}

function isFilled(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((one) => isFilled(one, path));
  const [first, ...rest] = path;
  if (first === undefined) return value !== null && value !== undefined;
  return typeof value === 'object' && value !== null && isFilled((value as Record<string, unknown>)[first], rest);
}

/** What two answers must have alike, so that nobody can tell the one from the other. */
function faceOf(answer: Answer): string {
  const { date: _, ...headers } = answer.headers as Record<string, unknown>;
  return JSON.stringify([answer.status, answer.text, headers]);
}

/**
 * What is another's must be answered to the byte like what is not there. Where the policy says otherwise, everybody must
 * be allowed to know that the thing exists.
 */
export function twinFaultsOf(answers: ReadonlyMap<Cell, Answer>, world: World): string[] {
  const faults: string[] = [];
  const byPlace = new Map([...answers].map(([cell, answer]) => [keyOf(cell, cell.objects), { cell, answer }]));
  for (const [cell, answer] of answers) {
    for (const position of cell.subject.positions) {
      const object = cell.objects[position.name] as string;
      if (!('kind' in position.fixture) || ['nonexistent', 'malformed', 'absent'].includes(object)) continue;
      const missing = byPlace.get(keyOf(cell, { ...cell.objects, [position.name]: 'nonexistent' }));
      if (!missing?.cell.expected || !cell.expected || (cell.expected.status !== 403 && cell.expected.status !== 404))
        continue;
      const isMeantAlike =
        missing.cell.expected.status === cell.expected.status && missing.cell.expected.code === cell.expected.code;
      if (!isMeantAlike) {
        // Of a rejected sacco its founder alone knows.
        const isKnown = object !== 'rejected' || cell.identity.name === 'founder';
        if (kindOf(world.kinds, position.fixture.kind).isPublic && isKnown) continue;
        faults.push(`${nameOf(cell)}: the policy itself tells it from one that does not exist`);
      } else if (faceOf(answer) !== faceOf(missing.answer)) {
        faults.push(
          `${nameOf(cell)}: answered otherwise than one that does not exist: ${answer.text} and ${missing.answer.text}`,
        );
      }
    }
  }
  return faults;
}

function keyOf({ subject, identity }: Cell, objects: Readonly<Record<string, string>>): string {
  return JSON.stringify([subject.route.name, identity.name, objects]);
}
