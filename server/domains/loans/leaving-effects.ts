import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import type { LeavingEffects } from '../membership/exit.queries.ts';

/** An employer who has paid within this time pays every month. */
const RECENT_MS = 90 * 86_400_000;

/**
 * What leaving a sacco does to what pays loans there. Standing repayments go on. A check-off that is paid reaches whoever it lists, in
 * their wallet where no loan needs it (share-out-chunk.ts); new lists have no place for who has left (check-off-lines.ts).
 */
export const loanLeavingEffects: LeavingEffects = async (reader, { userId, saccoId }) => {
  const sql = reader.sql as Database['sql'];
  // Whose employer pays is their own matter, but the list as a whole is shown to officials and its payer alone.
  const [loans, employers] = await asSystem(() =>
    Promise.all([
      sql<{ number: string }[]>`
        select number from loans
        where borrower_id = ${userId} and sacco_id = ${saccoId} and standing_since is not null and state in ('active', 'in_arrears')
        order by id`,
      sql<{ employer: string }[]>`
        select distinct c.employer from check_offs c
        join check_off_lines l on l.check_off_id = c.id and l.member_id = ${userId}
        where c.sacco_id = ${saccoId} and c.received_at > ${new Date(reader.now.getTime() - RECENT_MS)}
        order by c.employer`,
    ]),
  );
  return [
    ...loans.map(({ number }) =>
      sentence('Loan {number} is still paid from your wallet by itself on each due day, until it is repaid.', {
        number,
      }),
    ),
    ...employers.map(({ employer }) =>
      sentence(
        'The check-off of “{employer}” pays for you here. What it still pays goes to your loans here, and the rest to your wallet. After you have left, no new list can name you: tell your employer.',
        { employer },
      ),
    ),
  ];
};
