import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Announced,
  type CheckName,
  hasPublicBallots,
  type Recount,
  recount,
  type VoteFiles,
} from '../../contract/src/recount.ts';
import { quorumOf } from '../../contract/src/voting-rules.ts';
import { ask } from './ask-log.ts';
import { type ReceiptTrust, receiptIn } from './check-receipt-file.ts';
import { readText, shown, Unchecked } from './files.ts';
import { codeOfAll, type ExitCode, type Found, line } from './report.ts';
import { compareWithLog, type VoteAsked } from './vote-in-log.ts';

/*
 * Counts a vote again from what everybody may download, with the functions that the page uses. It needs no account. What of the server's
 * count cannot be checked it says.
 */

/** A secret ballot has some 1,200 letters: this is enough for 150,000 members. */
const FILE_BYTES_MAX = 200_000_000;

/** A vote as it is announced. */
interface PublicVote extends Announced, VoteAsked {
  readonly sacco: { readonly name: string };
}

/** Reads one of the files of a vote: of the server, or of a folder that they were saved in. */
type ReadFile = (name: 'vote' | 'roll' | 'ballots' | 'issued') => Promise<string>;

/**
 * Counts a vote again.
 * @param place the address of its page, or a folder with `vote.json`, `roll.txt`, `ballots.txt`, `issued.txt`
 * @param receiptFile the receipt of its result, by which its files are compared with the log; null for none
 */
export async function verifyTally(place: string, receiptFile: string | null, trust: ReceiptTrust): Promise<Found> {
  const readFile = /^https?:/i.test(place) ? fromServer(place) : await fromFolder(place);
  const vote = voteOf(await readFile('vote'));
  const isSecret = vote.ballot === 'secret';
  const files = {
    roll: await readFile('roll'),
    ballots: await readFile('ballots'),
    issued: isSecret ? await readFile('issued') : '',
  };
  const announced = { ...vote, roll_size: vote.roll_size ?? 0 };
  const found = await recount(files, announced, null);
  const isRight = found.checks.every((check) => check.isRight);
  const logged = await inLog(vote, files, receiptFile, trust);
  const code = isRight ? logged.code : 1;
  return {
    lines: [
      shown(`“${vote.title || 'A vote about a person'}”, ${vote.sacco.name}, ${vote.ballot} ballot, ${vote.state}.`),
      ...found.checks.map((check) => line(check.isRight ? 'passed' : 'failed', wordsOf(check.name, found, vote))),
      ...logged.lines,
      ENDS[code],
    ],
    code,
  };
}

const ENDS: Record<ExitCode, string> = {
  0: 'The count is right in every point.',
  1: 'The count is NOT right.',
  2: 'The count is right. What was not checked may be wrong.',
};

async function inLog(vote: PublicVote, files: VoteFiles, file: string | null, trust: ReceiptTrust): Promise<Found> {
  if (file === null) {
    const words =
      'What was asked and by which rules is as these files say. Give the receipt of the result with --receipt';
    return { lines: [`${words}, to compare them with the log of the books.`], code: 0 };
  }
  const { receipt, found } = await receiptIn(file, trust);
  if (!receipt) return found;
  const compared = compareWithLog(vote, files, receipt.opening?.head);
  return { lines: [...found.lines, ...compared.lines], code: codeOfAll([found.code, compared.code]) };
}

/** @throws Unchecked where there is no id of a vote in the address */
function fromServer(address: string): ReadFile {
  const { origin, pathname } = new URL(address);
  const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(pathname) ?? [];
  if (!id) throw new Unchecked('The address names no vote: https://HOST/voting-proposals/ID is needed.');
  const api = `${origin}/api/v1/voting/public/${id}`;
  return (name) => ask(name === 'vote' ? api : `${api}/${name}`, { bytesMax: FILE_BYTES_MAX, withinMs: 600_000 });
}

async function fromFolder(folder: string): Promise<ReadFile> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Unchecked(`${folder} is neither the address of a vote nor a folder.`);
  return (name) => readText(join(folder, name === 'vote' ? 'vote.json' : `${name}.txt`), FILE_BYTES_MAX);
}

/** @throws Unchecked where it is no counted vote with public ballots */
function voteOf(text: string): PublicVote {
  let vote: PublicVote;
  try {
    vote = JSON.parse(text) as PublicVote;
  } catch {
    throw new Unchecked('What is announced of this vote cannot be read.');
  }
  if (!Array.isArray(vote?.rounds) || vote.rounds.length === 0) throw new Unchecked('This vote is not counted yet.');
  if (!hasPublicBallots(vote)) throw new Unchecked('Its ballots are public once its second round is counted.');
  return vote;
}

function wordsOf(name: CheckName, found: Recount, vote: PublicVote): string {
  const rounds = found.rounds.map(({ round, tally, outcome }) => {
    const leftOut = vote.rounds.find((one) => one.round === round)?.left_out ?? 0;
    const needed = quorumOf(vote.rules, found.members - leftOut, round);
    return `round ${round}: ${tally.for} for, ${tally.against} against, ${tally.abstain} abstained, ${needed} needed to count: ${outcome}`;
  });
  const words: Record<CheckName, string> = {
    roll: `The roll has ${found.members} numbers, each once, as announced.`,
    readable: `Each of ${found.ballots} ballots can be read.`,
    on_roll: 'Each ballot is of a number on the roll.',
    once: 'No number stands in a round twice.',
    signed: 'Each ballot carries a signature by the public key of its round.',
    issued: 'Signatures went to numbers of the roll, one to each, and no round has more ballots than signatures.',
    rounds: 'Each ballot is of a round that was held, and a second round is held after one without enough votes alone.',
    tally: `The ballots give the announced counts (${rounds.join('; ')}).`,
    outcome: 'The rules of this vote make of them what was announced.',
    state: `State and result are what the last round gives: ${shown(String(vote.state))}.`,
    elected: `Elected is the candidate with the most votes, by lot among as many: ${shown(vote.election?.elected ?? 'nobody')}.`,
    left_out: `The quorum was reckoned without ${leftOutWords(vote)}: a tenth of the roll at most, and nobody with a ballot. Whether an operator had suspended them no public file says.`,
    own: 'My own ballot is in it.',
  };
  return words[name];
}

const leftOutWords = ({ rounds }: PublicVote): string =>
  rounds.map(({ round, left_out }) => `${left_out} in round ${round}`).join(', ');
