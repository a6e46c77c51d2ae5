import type { Cents } from '@ushirika/contract/money';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { wordSkeletons } from '../identity/name-skeleton.rules.ts';
import {
  type ReadLine,
  readLines,
  readList,
  type TypedLine,
  type Wrong,
  wholeProblem,
} from './check-off-lines.rules.ts';

type Reading = Pick<Database, 'sql'> | Pick<Tx, 'sql'>;

export interface ListedLine {
  /** The id in the list of members. */
  readonly member: string;
  readonly amountCents: Cents;
}

export interface FoundList {
  readonly lines: readonly ListedLine[];
  /** In the order of the list. */
  readonly wrong: readonly Wrong[];
  readonly amountCents: Cents;
  /** What is wrong with the list as a whole. */
  readonly problem: Sentence | null;
}

/**
 * Reads a list and finds its members by their confirmed phones: a number that somebody has only written down may be another's.
 * A number that finds nobody and is a member's ID number is said to be one. Two statements at most.
 */
export async function findLines(reader: Reading, saccoId: string, list: string | Buffer): Promise<FoundList> {
  const read = await (typeof list === 'string' ? readLines(list) : readList(list));
  const problem = wholeProblem(read);
  if (problem) return { lines: [], wrong: [], amountCents: 0, problem };
  const memberOf = await membersByPhone(reader, saccoId, read.lines);
  const taken = new Map<string, number>();
  const found: ListedLine[] = [];
  const strangers = read.lines.filter(({ phone }) => !memberOf.has(phone));
  const ids = await idsOfMembers(reader, saccoId, [...read.wrong, ...strangers]);
  const orId = (id: string | undefined, why: Sentence) => (id !== undefined && ids.has(id) ? IS_ID : why);
  const wrong: Wrong[] = read.wrong.map((each) => ({ ...each, why: orId(each.id, each.why) }));
  for (const each of read.lines) {
    const member = memberOf.get(each.phone);
    const before = taken.get(each.phone);
    if (member !== undefined && !isNameOf(each.name, member.name)) {
      wrong.push({ ...each, why: sentence('The member with this phone number has another name than the list says.') });
    } else if (member === undefined) {
      wrong.push({ ...each, why: orId(each.id, UNKNOWN) });
    } else if (before !== undefined) {
      wrong.push({ ...each, why: sentence('This member stands in line {line} already.', { line: before }) });
    } else {
      taken.set(each.phone, each.line);
      found.push({ member: member.id, amountCents: each.amountCents });
    }
  }
  wrong.sort((one, other) => one.line - other.line);
  const amountCents = found.reduce((sum, each) => sum + each.amountCents, 0);
  return { lines: found, wrong, amountCents, problem: null };
}

const UNKNOWN = sentence('No member of your sacco has confirmed this phone number.');
const IS_ID = sentence('This is the ID number of a member, not a phone number.');

/** Whether one word of a listed name, of two letters at least, is the member's. A list without names says nothing. */
function isNameOf(listed: string, member: string): boolean {
  const words = wordSkeletons(listed.replace(/[^\p{L}\p{M}'’-]+/gu, ' ')).filter((word) => word.length > 1);
  const own = new Set(wordSkeletons(member));
  return words.length === 0 || words.some((word) => own.has(word));
}

async function membersByPhone(
  { sql }: Reading,
  saccoId: string,
  lines: readonly ReadLine[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>> {
  const rows = await sql<{ phone: string; id: string; name: string }[]>`
    select u.phone, m.id, u.first_name || ' ' || u.last_name as name from users u join memberships m on m.user_id = u.id
    where u.phone = any (${texts([...new Set(lines.map(({ phone }) => phone))])}::text[]) and u.phone_confirmed_at is not null
      and m.sacco_id = ${saccoId} and m.state <> 'exited'`;
  return new Map(rows.map(({ phone, ...member }) => [phone, member]));
}

/** The ID numbers of members among the numbers of lines. Officials read them in the list of members. */
async function idsOfMembers(
  { sql }: Reading,
  saccoId: string,
  lines: readonly TypedLine[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(lines.flatMap(({ id }) => id ?? []))];
  if (ids.length === 0) return new Set();
  const rows = await sql<{ id_number: string }[]>`
    select u.id_number from users u join memberships m on m.user_id = u.id
    where u.id_number = any (${texts(ids)}::text[]) and m.sacco_id = ${saccoId} and m.state <> 'exited'`;
  return new Set(rows.map(({ id_number }) => id_number));
}
