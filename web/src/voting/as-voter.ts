import { withProof } from '../api/with-proof.ts';
import { say } from '../words/say.ts';

/** Sends what somebody decides in a vote: a session that was left open asks for the password first. */
export const asVoter = <T>(send: () => Promise<T>): Promise<T> =>
  withProof(send, say('You signed in a while ago. Enter your password once more before you decide.'));
