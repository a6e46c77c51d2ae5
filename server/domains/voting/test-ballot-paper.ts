import { RSABSSA } from '@cloudflare/blindrsa-ts';
import {
  bytesOf,
  type CastBallot,
  PREFIX_BYTES,
  publicKeyOf,
  SALT_BYTES,
  SERIAL_BYTES,
  toText,
} from '@ushirika/contract/secret-ballots';

const suite = RSABSSA.SHA384.PSS.Randomized();
const random = (length: number) => toText(crypto.getRandomValues(new Uint8Array(length)));

/** The ballot paper of a voter in tests: what is to be signed, and the ballot that comes of the signature. */
export async function testBallotPaper(key: string, serial = random(SERIAL_BYTES)) {
  const publicKey = await publicKeyOf(key);
  const prepared = suite.prepare(bytesOf(serial));
  const { blindedMsg, inv } = await suite.blind(publicKey, prepared);
  return {
    serial,
    blinded: toText(blindedMsg),
    async ballot<Choice extends string>(
      blindSignature: string,
      choice: Choice,
    ): Promise<CastBallot & { choice: Choice }> {
      const signature = await suite.finalize(publicKey, prepared, bytesOf(blindSignature), inv);
      const prefix = toText(prepared.slice(0, PREFIX_BYTES));
      return { serial, prefix, signature: toText(signature), choice, salt: random(SALT_BYTES) };
    },
  };
}
