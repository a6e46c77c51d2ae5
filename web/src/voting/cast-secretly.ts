import { RSABSSA } from '@cloudflare/blindrsa-ts';
import type { BodyIn } from '@ushirika/contract/route';
import {
  bytesOf,
  PREFIX_BYTES,
  publicKeyOf,
  SALT_BYTES,
  SERIAL_BYTES,
  toText,
} from '@ushirika/contract/secret-ballots';
import type { castSecretBallot, issueBallotToken, readPublicVote, SecretReceipt } from '@ushirika/contract/voting';
import { call } from '../api/call.ts';
import { callAsNobody } from '../api/call-as-nobody.ts';
import { asVoter } from './as-voter.ts';
import { keepPaper, keptPaper, type Paper, UnfitSignature } from './kept-papers.ts';

export type CastStep = 'paper' | 'signature' | 'vote';

const suite = RSABSSA.SHA384.PSS.Randomized();
const random = (length: number) => toText(crypto.getRandomValues(new Uint8Array(length)));

/**
 * Casts a secret ballot (pools-voting-anchoring.md B4): makes a paper, has it signed without showing it, and sends it as nobody. Each
 * step is kept on this device first, so that a broken line or a closed page loses nothing: calling it again goes on.
 * @throws CallFailure; UnfitSignature; a DOMException where the browser keeps nothing
 */
export async function castSecretly(
  { id, round, keptAs }: { readonly id: string; readonly round: number; readonly keptAs: string },
  choice: string,
  onStep: (step: CastStep) => void,
): Promise<SecretReceipt> {
  onStep('paper');
  const publicKey = await keyOf(id, round);
  let paper = await keptPaper(keptAs);
  if (paper?.receipt) return paper.receipt;
  if (!paper) {
    paper = await newPaper(publicKey);
    await keepPaper(keptAs, paper);
  }
  if (!paper.signature) {
    onStep('signature');
    paper = { ...paper, signature: await signed({ id, round }, publicKey, paper) };
    await keepPaper(keptAs, paper);
  }
  onStep('vote');
  paper = { ...paper, choice: paper.choice ?? choice };
  await keepPaper(keptAs, paper);
  const receipt = await cast(id, paper);
  await keepPaper(keptAs, { ...paper, receipt });
  return receipt;
}

/** The key of a round as everybody gets it, asked for as nobody: a key of one's own would say whose ballot it is. */
async function keyOf(id: string, round: number): Promise<CryptoKey> {
  const { keys } = await callAsNobody<typeof readPublicVote>('GET', '/voting/public/{id}', { params: { id } });
  return publicKeyOf(keys.find((one) => one.round === round)?.key ?? '');
}

async function newPaper(publicKey: CryptoKey): Promise<Paper> {
  const serial = random(SERIAL_BYTES);
  const prepared = suite.prepare(bytesOf(serial));
  const { blindedMsg, inv } = await suite.blind(publicKey, prepared);
  return {
    serial,
    prefix: toText(prepared.slice(0, PREFIX_BYTES)),
    salt: random(SALT_BYTES),
    blinded: toText(blindedMsg),
    inverse: toText(inv),
    signature: null,
    choice: null,
    receipt: null,
  };
}

/** @throws UnfitSignature where the answer is no signature by the key of this round */
async function signed(
  { id, round }: { readonly id: string; readonly round: number },
  publicKey: CryptoKey,
  paper: Paper,
): Promise<string> {
  const { blind_signature } = await asVoter(() =>
    call<typeof issueBallotToken>('POST', '/voting/proposals/{id}/token', {
      params: { id },
      body: { round, blinded: paper.blinded },
    }),
  );
  const prepared = Uint8Array.of(...bytesOf(paper.prefix), ...bytesOf(paper.serial));
  const unblinded = suite.finalize(publicKey, prepared, bytesOf(blind_signature), bytesOf(paper.inverse));
  return toText(
    await unblinded.catch(() => {
      throw new UnfitSignature();
    }),
  );
}

async function cast(id: string, { serial, prefix, signature, choice, salt }: Paper): Promise<SecretReceipt> {
  const { receipt } = await callAsNobody<typeof castSecretBallot>('POST', '/voting/ballots/{id}', {
    params: { id },
    body: {
      serial,
      prefix,
      signature: signature ?? '',
      choice: (choice ?? 'abstain') as BodyIn<typeof castSecretBallot>['choice'],
      salt,
    },
  });
  return receipt;
}
