import { z } from 'zod';
import { route } from './route.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * The log of the books (docs/decisions/240): public heads, tiles and proofs, by which anybody follows a log, and the receipts of a member's own
 * entries. The shapes of entries and receipts are those of the verifier (`verifier/src`), which checks them without the server.
 */

/** The highest id after which a list goes on. */
const AFTER_MAX = 2 ** 50;
/** Entries that a proof may name. */
const POSITION_MAX = 2 ** 40;
const position = wholeNumber(0, POSITION_MAX);

/** A sacco's id, or `platform`; with `.2` and so on the log that was begun anew after the first. */
const logName = z.union([
  z.literal('platform'),
  z.uuid(),
  z
    .string()
    .max(41)
    .regex(/^(platform|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[1-9]\d{0,3}$/),
]);
const params = z.object({ log: logName });

/** 32 bytes, base64. */
const hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
const proof = z.array(hash).max(64);

/** 20 and 32 bytes, as a chain writes them. */
const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const transaction = z.string().regex(/^0x[0-9a-f]{64}$/);

export const anchorFacts = z.object({
  size: z.number().int(),
  root: hash,
  block: z.number().int(),
  transaction,
  /** The block's time. */
  at: instant,
});

export const checkpointFacts = z.object({ size: z.number().int(), root: hash, signed_at: instant });

/** A value of canonical JSON: what an entry commits to. */
const plain = z.json();

export const logEntry = z.object({
  v: z.literal(1),
  log: z.string(),
  i: z.number().int(),
  t: z.string(),
  k: z.enum(['books', 'shares', 'loans', 'pools', 'votes', 'saccos', 'totals', 'log']),
  c: hash,
  p: hash,
});

export const proofReceipt = z.object({
  type: z.literal('ushirika-receipt/1'),
  entry: logEntry,
  opening: z.object({
    salt: hash,
    head: plain,
    parts: z.array(hash),
    shown: z.array(z.object({ at: z.number().int(), salt: hash, value: plain })),
  }),
  inclusion: proof,
  checkpoint: z.string(),
  key: z.string(),
  anchor: z
    .object({
      chain_id: z.number().int(),
      contract: z.string(),
      size: z.number().int(),
      root: hash,
      consistency: proof,
    })
    .nullable(),
});
export type ProofReceipt = z.infer<typeof proofReceipt>;

export const logFacts = z.object({
  /** The log's name for the world: host and path. */
  origin: z.string(),
  /** Null: the platform's own book. */
  sacco: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  started_at: instant,
  /** Entries now, signed or not yet. */
  size: z.number().int(),
  /** The keys that sign or signed its checkpoints, the current one first, as C2SP vkeys. */
  keys: z.array(z.string()),
  /** The newest checkpoints first. */
  checkpoints: z.array(checkpointFacts),
  /** Heads that are on the chain, the newest first. */
  anchors: z.array(anchorFacts),
  /** The chain that they are on; null where nothing is anchored. `rpc_url`: an endpoint that anybody may ask, where one is known. */
  chain: z.object({ chain_id: z.number().int(), contract: address, rpc_url: z.string().nullable() }).nullable(),
  /**
   * The dates of the keys, in the same order. `signed_by_last`: the signature of the key before it, which names it as the next; base64. Null for the
   * first key, and for one that followed a lost one.
   */
  key_dates: z.array(
    z.object({
      since: instant,
      until: instant.nullable(),
      signed_by_last: z
        .string()
        .regex(/^[A-Za-z0-9+/]{86}==$/)
        .nullable(),
    }),
  ),
  /** Null, or since when nothing is signed any more, and what knows another history than the database. */
  halted_at: instant.nullable(),
  halted_by: z.enum(['database', 'file', 'chain']).nullable(),
  /** All logs of this book, the first one first. `last_head`: what the next one says that it follows. */
  generations: z.array(
    z.object({
      log: z.string(),
      origin: z.string(),
      started_at: instant,
      ended_at: instant.nullable(),
      last_head: z.object({ size: z.number().int(), root: hash }).nullable(),
    }),
  ),
  /** The receipt of the first entry, once it is signed, where this log follows another: it names that one's last head. */
  beginning: proofReceipt.nullable(),
});
export type LogFacts = z.infer<typeof logFacts>;

export const readLog = route({
  name: 'readLog',
  method: 'GET',
  path: '/log/{log}',
  summary: 'A log: since when it is kept, how large it is, its keys, its newest checkpoints.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: logFacts,
  refusals: ['not_found'],
});

export const readCheckpoint = route({
  name: 'readCheckpoint',
  method: 'GET',
  path: '/log/{log}/checkpoint',
  summary: 'The newest checkpoint of a log: a signed note (C2SP tlog-checkpoint).',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.string(),
  replyType: 'file',
  refusals: ['not_found'],
});

const level = z
  .string()
  .max(7)
  .regex(/^(0|[1-9]|entries)$/);
const piece = z
  .string()
  .max(6)
  .regex(/^(x?\d{3}(\.p)?|[1-9]\d{0,2})$/);

const tile = <const Name extends string, const Path extends string, P extends z.ZodRawShape>(
  name: Name,
  path: Path,
  pieces: P,
) =>
  route({
    name,
    method: 'GET',
    path,
    summary: 'A tile of hashes of a log, or a bundle of its entries (C2SP tlog-tiles). Entries are public after a day.',
    caller: 'anyone',
    repetition: 'read',
    params: z.object({ log: logName, level, ...pieces }),
    reply: z.string(),
    replyType: 'file',
    refusals: ['not_found'],
  });

export const readTile = tile('readTile', '/log/{log}/tile/{level}/{a}', { a: piece });
export const readDeepTile = tile('readDeepTile', '/log/{log}/tile/{level}/{a}/{b}', { a: piece, b: piece });
export const readDeepestTile = tile('readDeepestTile', '/log/{log}/tile/{level}/{a}/{b}/{c}', {
  a: piece,
  b: piece,
  c: piece,
});

export const readInclusion = route({
  name: 'readInclusion',
  method: 'GET',
  path: '/log/{log}/proof/inclusion',
  summary: 'The proof that an entry is in the first entries of a log (RFC 9162).',
  caller: 'anyone',
  repetition: 'read',
  params,
  query: z.object({ index: position, size: position }),
  reply: z.object({ proof }),
  refusals: ['not_found'],
});

export const readConsistency = route({
  name: 'readConsistency',
  method: 'GET',
  path: '/log/{log}/proof/consistency',
  summary: 'The proof that the first entries of a log are the beginning of a longer one (RFC 9162).',
  caller: 'anyone',
  repetition: 'read',
  params,
  query: z.object({ from: position, to: position }),
  reply: z.object({ proof }),
  refusals: ['not_found'],
});

/**
 * - `logged`: the receipt is there.
 * - `being_logged`: the movement is in the books, and its entry is not signed yet.
 */
export const RECEIPT_STATES = ['logged', 'being_logged'] as const;

const rowId = z
  .string()
  .max(16)
  .regex(/^[1-9]\d{0,15}$/);
const oneReceipt = z.object({ state: z.enum(RECEIPT_STATES), receipt: proofReceipt.nullable() });
/** Each receipt has its own proof: a page has half of what other lists have. */
const RECEIPTS_MAX = 50;
const afterReceipt = z.object({
  after: wholeNumber(0, AFTER_MAX).default(0),
  limit: wholeNumber(1, RECEIPTS_MAX).default(20),
});
const pageOfReceipts = z.object({
  results: z.array(proofReceipt),
  /** The `after` of the next page; null on the last. */
  next: z.number().int().nullable(),
  /** Movements, or events, of this page that are in no signed entry yet. */
  being_logged: z.number().int(),
});

export const readProofReceipt = route({
  name: 'readProofReceipt',
  method: 'GET',
  path: '/log/receipts/{journal}',
  summary: 'The receipt of a movement of one’s own, to keep and to check without this server.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ journal: rowId }),
  reply: oneReceipt,
  refusals: ['not_found'],
});

export const listProofReceipts = route({
  name: 'listProofReceipts',
  method: 'GET',
  path: '/log/receipts',
  summary: 'All receipts of one’s own movements, the oldest first, to add up one’s balances in the browser.',
  caller: 'signed_in',
  repetition: 'read',
  query: afterReceipt,
  reply: pageOfReceipts,
});

export const readEventReceipt = route({
  name: 'readEventReceipt',
  method: 'GET',
  path: '/log/receipts/event/{event}',
  summary:
    'The receipt of an own open ballot, guarantee, pool contract or office, to keep and to check without this server.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ event: rowId }),
  reply: oneReceipt,
  refusals: ['not_found'],
});

/**
 * Subjects of an own event: a guarantee that one signed, a guarantee that a pool gave one, one's open ballot in a vote. `vote`: the result of
 * the vote's last counted round, for its members.
 */
export const RECEIPT_SUBJECTS = ['guarantee', 'pool-contract', 'ballot', 'vote'] as const;
export type ReceiptSubject = (typeof RECEIPT_SUBJECTS)[number];

export const readReceiptAbout = route({
  name: 'readReceiptAbout',
  method: 'GET',
  path: '/log/receipts/about/{what}/{id}',
  summary:
    'The newest receipt of an own guarantee, pool contract or open ballot, or of the result of a vote that one may read.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ what: z.enum(RECEIPT_SUBJECTS), id: z.uuid() }),
  reply: oneReceipt,
  refusals: ['not_found'],
});

export const listEventReceipts = route({
  name: 'listEventReceipts',
  method: 'GET',
  path: '/log/receipts/events',
  summary: 'All receipts of own open ballots, guarantees, pool contracts and offices, the oldest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: afterReceipt,
  reply: pageOfReceipts,
});

/** A sum of all members' balances of a day, in whole cents or whole shares. Its receipt is shown to everybody: it names nobody. */
export const logTotal = z.object({
  what: z.enum(['wallets', 'shares', 'savings']),
  /** In Nairobi. */
  day: z.string(),
  at: instant,
  total: z.number().int(),
  /** Two for each account that holds something. */
  leaves: z.number().int(),
  root: hash,
  /** The entry that holds it. */
  index: z.number().int(),
  /** The shares that the sacco has issued by its register; null for other totals. */
  shares_issued: z.number().int().nullable(),
  /** The parts of the money at M-Pesa; null for the totals of a sacco. */
  reserves: z
    .object({
      /** By the books: what M-Pesa holds, what of it is the saccos', and what is neither theirs nor the members'. */
      float_cents: z.number().int(),
      saccos_cents: z.number().int(),
      other_cents: z.number().int(),
      /** The last comparison with M-Pesa: its figure, and what the books said at that moment. */
      compared: z.object({ at: instant, mpesa_cents: z.number().int(), expected_cents: z.number().int() }).nullable(),
    })
    .nullable(),
  /** Null while its entry is not signed. */
  receipt: proofReceipt.nullable(),
});
export type LogTotal = z.infer<typeof logTotal>;

export const readLogTotals = route({
  name: 'readLogTotals',
  method: 'GET',
  path: '/log/{log}/totals',
  summary: 'The newest sums of all members’ balances: of the platform’s wallets, or of a sacco’s shares and savings.',
  caller: 'anyone',
  repetition: 'read',
  params,
  reply: z.object({ results: z.array(logTotal) }),
  refusals: ['not_found'],
});

/** One of the two leaves of the caller's own account in a sum, a random part of what it holds, with the way up to the root. */
export const ownLeaf = z.object({
  account: z.number().int(),
  kind: z.enum(['wallet', 'wallet_hold', 'pool_position', 'holding', 'holding_hold', 'deposits', 'deposits_hold']),
  amount: z.number().int(),
  salt: hash,
  steps: z.array(z.object({ side: z.enum(['left', 'right']), sum: z.number().int(), hash })).max(64),
});

export const readOwnTotals = route({
  name: 'readOwnTotals',
  method: 'GET',
  path: '/log/totals/own',
  summary: 'One’s own part of the newest sums of a log, with the proof that it is in them.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ log: logName }),
  reply: z.object({
    /** `leaves` is null where what proofs of this sum were made of is kept no longer. */
    results: z.array(z.object({ total: logTotal, leaves: z.array(ownLeaf).nullable() })),
  }),
  refusals: ['not_found'],
});

export const proofsContract = [
  readLog,
  readCheckpoint,
  readTile,
  readDeepTile,
  readDeepestTile,
  readInclusion,
  readConsistency,
  readProofReceipt,
  listProofReceipts,
  readEventReceipt,
  readReceiptAbout,
  listEventReceipts,
  readLogTotals,
  readOwnTotals,
];
