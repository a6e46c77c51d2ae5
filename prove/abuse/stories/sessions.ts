import type { Story } from '../story.ts';

/** What somebody does with a session that its owner left open. */
export const sessionStories: readonly Story[] = [
  {
    name: 'old-session-withdraws',
    tells: 'somebody finds a phone that was signed in a quarter of an hour ago and sends its money to M-Pesa',
    without: 'fresh_password',
    breaks: 'a session of a quarter of an hour ago may withdraw without the password',
    expected: /a session of 16 minutes withdrew 5,?000/,
    async play({ person, ask, later, wallet, mustNot }) {
      const victim = await person('Victim', 20_000);
      await later(16);
      await ask(victim, 'POST', '/integrations/mpesa/withdraw', { amount: 5_000, phone: victim.phone });
      mustNot((await wallet(victim)) < 20_000, 'a session of 16 minutes withdrew 5,000 without the password');
    },
  },
];
