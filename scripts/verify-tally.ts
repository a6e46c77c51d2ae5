import { type Announced, type CheckName, hasPublicBallots, type Recount, recount } from '@ushirika/contract/recount';
import type { PublicVoteDetail } from '@ushirika/contract/voting';
import { quorumOf } from '@ushirika/contract/voting-rules';

/*
 * `npm run verify-tally -- <address of a public vote>` counts a vote again from what everybody may download, with the functions that
 * the page uses. It needs no account. What of the server's count cannot be checked it says. It ends with 1 where something is not right.
 */

const USAGE = 'npm run verify-tally -- https://HOST/voting-proposals/ID';

/** The routes of a vote, from the address of its page or of its route. @throws where there is no id in it */
function apiOf(address: string): string {
  const { origin, pathname } = new URL(address);
  const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(pathname) ?? [];
  if (!id) throw new Error(`The address names no vote. ${USAGE}`);
  return `${origin}/api/v1/voting/public/${id}`;
}

async function read(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answers ${response.status}.`);
  return response.text();
}

function wordsOf(name: CheckName, found: Recount, vote: PublicVoteDetail): string {
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
    tally: `The ballots give the announced counts (${rounds.join('; ')}).`,
    outcome: 'The rules of this vote make of them what was announced.',
    elected: `Elected is the candidate with the most votes, by lot among as many: ${vote.election?.elected ?? 'nobody'}.`,
    left_out: `The quorum was reckoned without ${leftOutWords(vote)}: a tenth of the roll at most, and nobody with a ballot. Whether an operator had suspended them no public file says.`,
    own: 'My own ballot is in it.',
  };
  return words[name];
}

const leftOutWords = ({ rounds }: PublicVoteDetail): string =>
  rounds.map(({ round, left_out }) => `${left_out} in round ${round}`).join(', ');

/** Counts a vote again and prints what is right and what is not. @returns whether everything is right */
async function verify(address: string): Promise<boolean> {
  const api = apiOf(address);
  const vote = JSON.parse(await read(api)) as PublicVoteDetail;
  console.log(`“${vote.title || 'A vote about a person'}”, ${vote.sacco.name}, ${vote.ballot} ballot, ${vote.state}.`);
  if (vote.rounds.length === 0) throw new Error('This vote is not counted yet.');
  if (!hasPublicBallots(vote)) throw new Error('Its ballots are public once its second round is counted.');
  const announced: Announced = { ...vote, roll_size: vote.roll_size ?? 0 };
  const files = {
    roll: await read(`${api}/roll`),
    ballots: await read(`${api}/ballots`),
    issued: vote.ballot === 'secret' ? await read(`${api}/issued`) : '',
  };
  const found = await recount(files, announced, null);
  for (const { name, isRight } of found.checks) {
    console.log(`${isRight ? 'right' : 'WRONG'}  ${wordsOf(name, found, vote)}`);
  }
  const isRight = found.checks.every((check) => check.isRight);
  console.log(isRight ? 'The count is right in every point.' : 'The count is NOT right.');
  return isRight;
}

try {
  const [address] = process.argv.slice(2).filter((word) => word !== '--');
  if (!address) throw new Error(USAGE);
  process.exitCode = (await verify(address)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
