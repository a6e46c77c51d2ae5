import type { OffRollReason } from '@ushirika/contract/voting-rules';
import { say } from '../words/say.ts';

/** Why one is not on the roll of a vote, as of its publication; of a pool joining it counts too. */
export function offRollWords(reason: OffRollReason, isOfPool = false): string {
  const words: Record<OffRollReason, string> = {
    operator: say('Operators of Ushirika do not vote.'),
    new: isOfPool
      ? say('You had joined the pool, or the sacco, less than 30 days before it was published.')
      : say('You had joined less than 30 days before it was published.'),
    card: say('No official had seen your ID card.'),
    phone: say('You had not confirmed your phone.'),
    suspended: say('Two operators had suspended your account.'),
    second_account: say('Another account that looks like yours is on it: both have the same ID number or phone.'),
    no_rights: say('You had money in the pool, but not the full rights of a member of its sacco.'),
  };
  return words[reason];
}

/** Whom the quorum leaves out; null where nobody. */
export const leftOutWords = (n: number): string | null =>
  n === 0
    ? null
    : say(
        'The quorum was reckoned without {n, plural, one {1 member} other {# members}} who could not vote: an operator had suspended the account, and no second one had upheld it.',
        { n },
      );
