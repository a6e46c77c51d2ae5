import type { Tx } from './tx.ts';

export interface Claim {
  readonly userId: string;
  readonly key: string;
  /** Method and path of the route: a key of one route means nothing to another. */
  readonly route: string;
  /** SHA-256 of the request's content, in hex. */
  readonly requestHash: string;
}

export interface StoredReply {
  readonly status: number;
  readonly reply: unknown;
}

/**
 * The result of a claim. `claimed`: act. `replay`: done before, with its reply. `reused`: the key stands for another
 * request. `sameAs`: a repetition inside the batch; its answer is that of the claim at that index.
 */
export type ClaimOutcome = 'claimed' | { readonly replay: StoredReply } | { readonly sameAs: number } | 'reused';

/**
 * Claims the keys of a whole batch in two statements. Where another transaction under way holds a key, this waits for
 * its end: after its commit we get its reply, after its rollback the key. Keys are locked in sorted order, so that two
 * batches do not deadlock.
 */
export async function claimIdempotencyKeys(tx: Tx, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  const firsts = new Map<string, number>();
  claims.forEach((claim, index) => {
    if (!firsts.has(nameOf(claim))) firsts.set(nameOf(claim), index);
  });
  const batch = [...firsts.values()].map((index) => claims[index] as Claim);
  const won = await insertClaims(tx, batch);
  const lost = batch.filter((claim) => !won.has(nameOf(claim)));
  const held = lost.length === 0 ? new Map<string, HeldKey>() : await readHeld(tx, lost);
  return claims.map((claim, index) => {
    const first = firsts.get(nameOf(claim)) as number;
    const owner = held.get(nameOf(claim)) ?? ownerOf(claims[first] as Claim);
    if (!isSame(owner, claim)) return 'reused';
    if (!won.has(nameOf(claim))) return { replay: { status: owner.status ?? 200, reply: owner.reply } };
    return first === index ? 'claimed' : { sameAs: first };
  });
}

/**
 * Looks up the keys of a batch without claiming them. The batch acts on the free ones and files them with their replies
 * at its end (`fileKeys`), which saves an update of each row. Outcomes are those of `claimIdempotencyKeys`, except that
 * `free` is no claim yet.
 */
export async function lookUpKeys(
  tx: Tx,
  claims: readonly Claim[],
): Promise<(Exclude<ClaimOutcome, 'claimed'> | 'free')[]> {
  const held = await readHeld(tx, claims);
  const firsts = new Map<string, number>();
  return claims.map((claim, index) => {
    const name = nameOf(claim);
    const owner = held.get(name);
    const first = firsts.get(name) ?? index;
    firsts.set(name, first);
    if (!isSame(owner ?? ownerOf(claims[first] as Claim), claim)) return 'reused';
    if (owner) return { replay: { status: owner.status ?? 200, reply: owner.reply } };
    return first === index ? 'free' : { sameAs: first };
  });
}

/** A key of `lookUpKeys` with its reply; null where the request was refused and the key stays free. */
export interface Filed extends Claim {
  readonly answer: StoredReply | null;
}

/**
 * Inserts the keys that were free, with their replies. Where another transaction inserted one meanwhile, this waits for
 * its end. If that one commits, this throws: our transaction is rolled back and run again by `Database.transaction`,
 * and then finds the reply.
 *
 * Keys of refused requests are inserted and deleted again: if the same request succeeded elsewhere meanwhile, its reply
 * is used. All in sorted order, so that two batches do not deadlock.
 */
export async function fileKeys(tx: Tx, filed: readonly Filed[]): Promise<void> {
  if (filed.length === 0) return;
  const { count } = await tx.sql`
    insert into idempotency_keys (user_id, key, route, request_hash, created_at, status, reply)
    select user_id, key, route, decode(request_hash, 'hex'), ${tx.now}, status, reply::json
    from unnest(
      ${filed.map(({ userId }) => userId)}::uuid[],
      ${filed.map(({ key }) => key)}::text[],
      ${filed.map(({ route }) => route)}::text[],
      ${filed.map(({ requestHash }) => requestHash)}::text[],
      ${filed.map(({ answer }) => answer?.status ?? null)}::integer[],
      ${filed.map(({ answer }) => (answer ? JSON.stringify(answer.reply ?? null) : null))}::text[]
    ) as filed (user_id, key, route, request_hash, status, reply)
    order by user_id, key
    on conflict (user_id, key) do nothing`;
  if (count < filed.length)
    throw Object.assign(new Error('An idempotency key was taken meanwhile.'), { code: '40001' });
  await releaseKeys(
    tx,
    filed.filter(({ answer }) => !answer),
  );
}

/** Stores the replies of claimed keys, in the same transaction. */
export async function storeReplies(
  tx: Tx,
  replies: readonly (Pick<Claim, 'userId' | 'key'> & StoredReply)[],
): Promise<void> {
  if (replies.length === 0) return;
  await tx.sql`
    update idempotency_keys as held
    set status = answer.status, reply = answer.reply::json
    from unnest(
      ${replies.map(({ userId }) => userId)}::uuid[],
      ${replies.map(({ key }) => key)}::text[],
      ${replies.map(({ status }) => status)}::integer[],
      ${replies.map(({ reply }) => JSON.stringify(reply ?? null))}::text[]
    ) as answer (user_id, key, status, reply)
    where held.user_id = answer.user_id and held.key = answer.key`;
}

/** Deletes claimed keys in the same transaction: a refused request may be retried with the same key. */
export async function releaseKeys(tx: Tx, claims: readonly Pick<Claim, 'userId' | 'key'>[]): Promise<void> {
  if (claims.length === 0) return;
  await tx.sql`
    delete from idempotency_keys as held
    using unnest(${claims.map(({ userId }) => userId)}::uuid[], ${claims.map(({ key }) => key)}::text[])
      as given (user_id, key)
    where held.user_id = given.user_id and held.key = given.key`;
}

/** Forgets keys older than a day. Returns how many. */
export async function pruneKeys(tx: Tx): Promise<number> {
  const before = new Date(tx.now.getTime() - 24 * 3_600_000);
  const { count } = await tx.sql`delete from idempotency_keys where created_at < ${before}`;
  return count;
}

interface HeldKey {
  readonly route: string;
  /** In hex. */
  readonly request_hash: string;
  readonly status: number | null;
  readonly reply: unknown;
}

/** Returns the names of the keys that were inserted. */
async function insertClaims(tx: Tx, claims: readonly Claim[]): Promise<Set<string>> {
  const rows = await tx.sql<{ user_id: string; key: string }[]>`
    insert into idempotency_keys (user_id, key, route, request_hash, created_at)
    select user_id, key, route, decode(request_hash, 'hex'), ${tx.now}
    from unnest(
      ${claims.map(({ userId }) => userId)}::uuid[],
      ${claims.map(({ key }) => key)}::text[],
      ${claims.map(({ route }) => route)}::text[],
      ${claims.map(({ requestHash }) => requestHash)}::text[]
    ) as claim (user_id, key, route, request_hash)
    order by user_id, key
    on conflict (user_id, key) do nothing
    returning user_id, key`;
  return new Set(rows.map((row) => nameOf({ userId: row.user_id, key: row.key })));
}

async function readHeld(tx: Tx, claims: readonly Claim[]): Promise<Map<string, HeldKey>> {
  const rows = await tx.sql<(HeldKey & { user_id: string; key: string })[]>`
    select held.user_id, held.key, held.route, encode(held.request_hash, 'hex') as request_hash, held.status, held.reply
    from idempotency_keys as held
    join unnest(${claims.map(({ userId }) => userId)}::uuid[], ${claims.map(({ key }) => key)}::text[])
      as wanted (user_id, key) on wanted.user_id = held.user_id and wanted.key = held.key`;
  return new Map(rows.map((row) => [nameOf({ userId: row.user_id, key: row.key }), row]));
}

function isSame(owner: HeldKey, { route, requestHash }: Claim): boolean {
  return owner.route === route && owner.request_hash === requestHash;
}

function ownerOf(claim: Claim): HeldKey {
  return { route: claim.route, request_hash: claim.requestHash, status: null, reply: null };
}

function nameOf({ userId, key }: Pick<Claim, 'userId' | 'key'>): string {
  return `${userId} ${key}`;
}
