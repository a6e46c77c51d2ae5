import type { Vote } from './naive-votes.ts';
import type { Simulation } from './simulation.ts';

/*
 * Whether anything that is stored leads from a secret ballot to whoever cast it: by a key, a time, an order, or a log. The naive books know
 * whose each was, so that what is found can be told from chance.
 */

/** In a long run every row of every table is searched for so many ballots. */
const SEARCHED_MAX = 40;
/** Standard deviations that orders may be alike by chance: once in a hundred thousand runs. */
const CHANCE = 4.5;

/** What was tried so far: of each round one number that was cast, and how far the orders of the two files are alike. */
export interface Tie {
  readonly serials: string[];
  alike: number;
  variance: number;
}

export const newTie = (): Tie => ({ serials: [], alike: 0, variance: 0 });

/**
 * Of one round, once it is counted: ballots and signatures in the order of their files. Were those orders alike, the first
 * signature would be that of the first ballot. Answers what leads from a ballot to a voter, if anything.
 */
export async function ordersLead(
  simulation: Simulation,
  { id, title, round }: Vote,
  cast: Vote['cast'],
): Promise<string | undefined> {
  const { house, tie } = simulation;
  const { owner } = house.database;
  const ballots = await owner<{ mark: string; written: string }[]>`
    select rtrim(translate(encode(serial, 'base64'), '+/', '-_'), '=') as mark, xmin::text as written
    from secret_ballots where proposal_id = ${id} and round = ${round} order by ctid`;
  const papers = await owner<{ mark: string; written: string }[]>`
    select r.member_id as mark, t.xmin::text as written
    from ballot_tokens t join proposal_roll r on r.proposal_id = t.proposal_id and r.handle = t.handle
    where t.proposal_id = ${id} and t.round = ${round} order by t.ctid`;
  for (const rows of [ballots, papers]) {
    if (new Set(rows.map(({ written }) => written)).size > 1) return `${title}: it shows what was written together`;
  }
  const place = (rows: typeof ballots, mark: string) => rows.findIndex((row) => row.mark === mark);
  const places = cast.map(({ person, serial }) => [place(ballots, serial), place(papers, person.id)] as const);
  if (places.some(([one, other]) => one < 0 || other < 0)) return `${title}: a ballot is missing`;
  for (const [index, [ballot, paper]] of places.entries()) {
    for (const [other, own] of places.slice(0, index)) tie.alike += Math.sign((ballot - other) * (paper - own));
  }
  tie.variance += (cast.length * (cast.length - 1) * (2 * cast.length + 5)) / 18;
  tie.serials.push(...cast.slice(0, 1).map(({ serial }) => serial));
  simulation.count('secret round that leads to nobody');
  return;
}

/** By foreign keys, by columns that say when, and by what stands elsewhere. Answers what leads from a ballot to a voter, if anything. */
export async function ballotsLead(simulation: Simulation): Promise<string | undefined> {
  const { owner, sql } = simulation.house.database;
  const { serials, alike, variance } = simulation.tie;
  if (Math.abs(alike) > CHANCE * Math.sqrt(variance))
    return 'the files show secret ballots in the order of their voters';
  const elsewhere = await tablesWith(simulation, serials.slice(-SEARCHED_MAX));
  if (elsewhere.length > 0) return `secret ballots stand in ${elsewhere.join(', ')} too`;
  const keys = await owner<{ name: string }[]>`
    with recursive led as (
      select 'secret_ballots'::regclass as from_table
      union select c.confrelid::regclass from pg_constraint c join led on c.conrelid = led.from_table
        where c.contype = 'f' and c.confrelid <> 'proposals'::regclass)
    select from_table::text as name from led where from_table not in ('secret_ballots'::regclass, 'proposal_keys'::regclass)`;
  if (keys.length > 0) return `foreign keys lead from secret ballots to ${keys.map(({ name }) => name).join(', ')}`;
  const times = await owner<{ name: string }[]>`
    select attrelid::regclass || '.' || attname as name from pg_attribute
    where attrelid in ('secret_ballots'::regclass, 'ballot_tokens'::regclass) and attnum > 0 and not attisdropped
      and atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype, 'bigint'::regtype, 'uuid'::regtype)
      and attname <> 'proposal_id'`;
  if (times.length > 0)
    return `secret ballots have a time, a number or a key of their own: ${times.map(({ name }) => name).join(', ')}`;
  const isRead = await sql.unsafe('select ctid from secret_ballots limit 1').then(
    () => true,
    () => false,
  );
  return isRead ? 'the application reads secret ballots in the order in which they came' : undefined;
}

/** The tables but that of the ballots in which one of these numbers stands, in whichever column and writing. */
async function tablesWith({ house }: Simulation, serials: readonly string[]): Promise<string[]> {
  const { owner } = house.database;
  if (serials.length === 0) return [];
  const written = serials.flatMap((text) => [text, Buffer.from(text, 'base64url').toString('hex')]);
  const tables = await owner<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'graphile_worker') and c.oid <> 'secret_ballots'::regclass
      and (c.relkind = 'p' or not c.relispartition) order by name`;
  const holds = tables.map(
    ({ name }) => `select '${name}' as name where exists (
      select from ${name} t where exists (select from unnest($1::text[]) w where position(w in t::text) > 0))`,
  );
  const found = await owner.unsafe<{ name: string }[]>(holds.join(' union all '), [written]);
  return found.map(({ name }) => name);
}
