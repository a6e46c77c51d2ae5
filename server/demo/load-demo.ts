import { Refusal } from '@ushirika/contract/refusal';
import { openDatabase } from '../db/database.ts';
import type { Database, Tx } from '../db/tx.ts';
import { createPasswords } from '../domains/identity/passwords.ts';
import { demoWorld } from './demo-world.ts';
import { committee } from './lending/loan-stories.ts';
import { endQuestions, fillPaybill } from './money-acts.ts';
import {
  DEMO_PASSWORD,
  formerMember,
  newcomer,
  operator,
  secondOfficial,
  secondOperator,
  treasurer,
  wanjiru,
} from './people.ts';
import type { Happening } from './scene.ts';
import { demoParts, type Story, story } from './story.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const DAYS = 365;

/**
 * Loads a year of four saccos into an empty database, through the domains' own verbs, and answers the accounts to sign
 * in with. A database with anybody in it is left alone. Durability waits for the end: a load that is cut off leaves books
 * that balance, and an empty data folder is soon made.
 */
export async function loadDemo(databaseUrl: string, now: Date): Promise<readonly string[]> {
  const start = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - DAYS * DAY_MS + 7 * 3_600_000);
  const world = demoWorld(start);
  const url = new URL(databaseUrl);
  url.searchParams.set('synchronous_commit', 'off');
  const database = openDatabase({ url: url.href, world, poolSize: 2 });
  try {
    if (await hasPeople(database)) return [];
    const passwordHash = await createPasswords({ world, atOnceMax: 1, waitingMax: 1 }).hash(DEMO_PASSWORD);
    const told = await story({ database, world, passwordHash, start, end: now });
    await tell(told, database, world.setNow);
    await fillPaybill(database);
    await endQuestions(database);
    // The last transaction of all is durable, and with it everything before it.
    await database.transaction((tx) => tx.sql`set local synchronous_commit = on`);
    await database.sql`analyze`.catch(() => {});
    return accounts();
  } finally {
    await database.close();
  }
}

async function hasPeople(database: Database): Promise<boolean> {
  const rows = await database.sql`select from users limit 1`;
  return rows.length > 0;
}

/**
 * Lets everything happen in its order, on its day; between, the domains' jobs run as they would have: on the story's first day and each
 * week after it, which the story relies on, and every fourth week before it, when little happens.
 */
async function tell({ happenings, start, end }: Story, database: Database, setNow: (now: Date) => void): Promise<void> {
  const inOrder = [...happenings].sort((a, b) => a.at.getTime() - b.at.getTime());
  const before = start.getTime() - (inOrder[0] ?? { at: start }).at.getTime();
  let nextJobs = start.getTime() - Math.ceil(before / (4 * WEEK_MS)) * 4 * WEEK_MS;
  for (const happening of inOrder) {
    while (nextJobs < happening.at.getTime()) {
      setNow(new Date(nextJobs));
      await doJobs(database);
      nextJobs += nextJobs < start.getTime() ? 4 * WEEK_MS : WEEK_MS;
    }
    setNow(happening.at);
    await happen(happening, database);
  }
  setNow(end);
  await doJobs(database);
}

async function doJobs(database: Database): Promise<void> {
  for (const { weekly } of demoParts) await weekly?.(database);
}

async function happen({ what, act }: Happening, database: Database): Promise<void> {
  try {
    if (act.length === 0) await (act as () => Promise<void>)();
    else await database.transaction((tx: Tx) => act(tx));
  } catch (error) {
    const why = error instanceof Refusal ? `${error.code}: ${error.message}` : error;
    throw new Error(`The demonstration could not go on at "${what}": ${why}`, { cause: error });
  }
}

function accounts(): string[] {
  const of = (person: { idNumber: string; firstName: string; lastName: string }, what: string) =>
    `  ${person.idNumber}  ${`${person.firstName} ${person.lastName}`.padEnd(17)} ${what}`;
  return [
    `Demonstration accounts, all with the password ${DEMO_PASSWORD}:`,
    of(wanjiru, 'a member of two saccos'),
    of(newcomer, 'in no sacco yet, with money in the wallet'),
    of(treasurer, 'chair and treasurer of Mwangaza Traders Sacco'),
    of(secondOfficial, 'its secretary'),
    of(operator, 'operator of the platform'),
    of(secondOperator, 'second operator, who confirms what the first proposes'),
    of(committee.supervisor, 'supervisory committee of Mwangaza, who may hold what a vote decided'),
    of(formerMember, 'has left Mwangaza after a dividend, which stands in the profile'),
  ];
}
