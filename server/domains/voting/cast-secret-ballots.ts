import { Refusal } from '@ushirika/contract/refusal';
import { bytesOf, type CastBallot, commitOf, toText } from '@ushirika/contract/secret-ballots';
import { sentence } from '@ushirika/contract/sentence';
import type { SecretReceipt } from '@ushirika/contract/voting';
import { CHOICES } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import { isSignedBallot } from './ballot-keys.ts';
import { lockProposals, raiseTurnout } from './cast-ballots.ts';
import { noSuchProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

export interface SecretVote extends CastBallot {
  readonly proposalId: string;
  readonly choice: string;
}

/**
 * Takes the secret ballots of a batch, in order: a constant number of statements, and one more for each end that moves. Nobody is asked
 * who casts them, and no time is stored, but for a late quorum, of which two full hours are. The same ballot once more gets the same receipt. For each a receipt, or why it is refused: `not_found`, `vote_conflict` while
 * voting is not open or where the serial was used otherwise, `ballot_invalid`.
 */
export async function castSecretBallots(tx: Tx, votes: readonly SecretVote[]): Promise<(SecretReceipt | Refusal)[]> {
  const proposals = await lockProposals(tx, votes);
  const sent = await Promise.all(votes.map((vote) => inBytes(vote, proposals.get(vote.proposalId))));
  const keys = await publicKeys(tx, votes);
  const batch = new Batch(tx.now, { keys, candidates: await candidatesOf(tx, votes) }, await known(tx, sent));
  const answers = sent.map((ballot) => batch.cast(ballot));
  await write(tx, batch.taken);
  await raiseTurnout(tx, batch.turnouts);
  return answers;
}

interface Sent {
  readonly vote: SecretVote;
  readonly row: ProposalRow | undefined;
  readonly round: number;
  /** Serial and commit in the one way in which they are written. */
  readonly serial: string;
  readonly commit: string;
}

async function inBytes(vote: SecretVote, row: ProposalRow | undefined): Promise<Sent> {
  const serial = toText(bytesOf(vote.serial));
  return { vote, row, round: row?.round ?? 1, serial, commit: await commitOf({ ...vote, serial }) };
}

const keyOf = (proposalId: string, round: number) => `${proposalId} ${round}`;
const markOf = ({ vote, round, serial }: Sent) => `${keyOf(vote.proposalId, round)} ${serial}`;

async function publicKeys(tx: Tx, votes: readonly SecretVote[]): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await tx.sql<{ proposal_id: string; round: number; public_key: Buffer }[]>`
    select proposal_id, round, public_key from proposal_keys
    where proposal_id = any (${texts(votes.map(({ proposalId }) => proposalId))}::uuid[])`;
  return new Map(rows.map(({ proposal_id, round, public_key }) => [keyOf(proposal_id, round), public_key]));
}

/** The commits of ballots that were cast under these serials before. */
async function known(tx: Tx, sent: readonly Sent[]): Promise<Map<string, string>> {
  const rows = await tx.sql<{ proposal_id: string; round: number; serial: Buffer; commit_hash: Buffer }[]>`
    select * from known_secret_ballots(
      ${texts(sent.map(({ vote }) => vote.proposalId))}::uuid[], ${integers(sent.map(({ round }) => round))}::int[],
      ${hexes(sent.map(({ serial }) => serial))}::bytea[])`;
  return new Map(
    rows.map((row) => [`${keyOf(row.proposal_id, row.round)} ${toText(row.serial)}`, toText(row.commit_hash)]),
  );
}

/** The ballots of a batch, judged one after the other by what is read. */
class Batch {
  readonly taken: Sent[] = [];
  readonly turnouts = new Map<ProposalRow, number>();
  readonly #now: Date;
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #candidates: ReadonlySet<string>;
  readonly #commits: Map<string, string>;

  constructor(
    now: Date,
    { keys, candidates }: { readonly keys: ReadonlyMap<string, Buffer>; readonly candidates: ReadonlySet<string> },
    commits: Map<string, string>,
  ) {
    this.#now = now;
    this.#keys = keys;
    this.#candidates = candidates;
    this.#commits = commits;
  }

  cast(sent: Sent): SecretReceipt | Refusal {
    const { vote, row, round } = sent;
    if (row?.ballot !== 'secret') return noSuchProposal();
    const cast = this.#commits.get(markOf(sent));
    if (cast !== undefined) return cast === sent.commit ? receiptOf(sent) : USED;
    if (stateAt(row, this.#now) !== 'open') return new Refusal('vote_conflict');
    const key = this.#keys.get(keyOf(row.id, round));
    if (!key || !isSignedBallot(key, vote)) return new Refusal('ballot_invalid');
    if (!this.#isChoice(row, vote.choice)) return new Refusal('vote_conflict');
    this.#commits.set(markOf(sent), sent.commit);
    this.taken.push(sent);
    this.turnouts.set(row, (this.turnouts.get(row) ?? 0) + 1);
    return receiptOf(sent);
  }

  /** Of an election a candidate of it, or nobody. */
  #isChoice({ id, kind }: ProposalRow, choice: string): boolean {
    if (kind !== 'election') return (CHOICES as readonly string[]).includes(choice);
    return choice === 'abstain' || this.#candidates.has(`${id} ${choice}`);
  }
}

/** Who stands in these elections, each with the vote. */
async function candidatesOf(tx: Tx, votes: readonly SecretVote[]): Promise<ReadonlySet<string>> {
  const rows = await tx.sql<{ proposal_id: string; id: string }[]>`
    select proposal_id, id from election_candidates
    where withdrawn_at is null and proposal_id = any (${texts(votes.map(({ proposalId }) => proposalId))}::uuid[])`;
  return new Set(rows.map(({ proposal_id, id }) => `${proposal_id} ${id}`));
}

const USED = new Refusal('vote_conflict', {
  message: sentence('A ballot with this serial was cast already. A secret ballot cannot be changed.'),
});

const receiptOf = ({ vote, round, serial, commit }: Sent): SecretReceipt => ({
  proposal: vote.proposalId,
  round,
  serial,
  choice: vote.choice,
  salt: toText(bytesOf(vote.salt)),
  commit,
});

const hexes = (values: readonly string[]) =>
  texts(values.map((text) => `\\x${Buffer.from(bytesOf(text)).toString('hex')}`));

async function write(tx: Tx, taken: readonly Sent[]): Promise<void> {
  if (taken.length === 0) return;
  const column = (read: (sent: Sent) => string) => hexes(taken.map(read));
  await tx.sql`
    insert into secret_ballots (proposal_id, round, serial, prefix, signature, choice, salt, commit_hash)
    select * from unnest(
      ${texts(taken.map(({ vote }) => vote.proposalId))}::uuid[], ${integers(taken.map(({ round }) => round))}::int[],
      ${column(({ serial }) => serial)}::bytea[], ${column(({ vote }) => vote.prefix)}::bytea[],
      ${column(({ vote }) => vote.signature)}::bytea[], ${texts(taken.map(({ vote }) => vote.choice))}::text[],
      ${column(({ vote }) => vote.salt)}::bytea[], ${column(({ commit }) => commit)}::bytea[])`;
}
