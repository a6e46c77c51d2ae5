import type { ComplaintFigures, readComplaintTerms } from '@ushirika/contract/complaints';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office, ReplyOf } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import { type Count, figuresOf, monthOf } from './complaints.rules.ts';
import { complaintTermsOf, mayComplain } from './make-complaint.ts';

/** Whole months: what is made now shows from the next on, so that nobody reads from a figure who complained just now. */
const MONTHS_BACK = 12;

/**
 * What the public page of a sacco says of complaints. Read from counts: at most some hundred small rows, however many
 * complaints there are. For everybody, and so asked as the platform.
 * @throws Refusal `not_found`
 */
export async function complaintFigures({ sql, now }: Database, saccoId: string): Promise<ComplaintFigures> {
  await requireShown({ sql }, saccoId);
  const at = now();
  const since = monthOf(at, MONTHS_BACK);
  const [counts, terms] = await Promise.all([
    sql<Count[]>`
      select measure, days, sum(complaints)::int as complaints from complaint_counts
      where sacco_id = ${saccoId} and month >= ${since} and month < ${monthOf(at)} group by measure, days`,
    complaintTermsOf({ sql, now: at }, saccoId),
  ]);
  return {
    answer_days: terms.answerDays,
    resolve_days: terms.resolveDays,
    since,
    figures: figuresOf(counts),
  };
}

/** What somebody reads before they complain. */
export async function termsFor(
  { sql, now }: Database,
  userId: string,
  saccoId: string,
): Promise<ReplyOf<typeof readComplaintTerms>> {
  await requireShown({ sql }, saccoId);
  const at = now();
  const [terms, mayOne, officials] = await Promise.all([
    complaintTermsOf({ sql, now: at }, saccoId),
    mayComplain({ sql, now: at }, { userId, saccoId }),
    sql<{ id: string; name: string; office: Office }[]>`
      select o.id, p.first_name || ' ' || p.last_name as name, o.office
      from offices o join people p on p.id = o.user_id join saccos s on s.id = o.sacco_id
      where o.sacco_id = ${saccoId} and o.ended_at is null and o.until > ${at} and o.user_id <> ${userId}
        and s.state in ('active', 'suspended')
      order by o.since, o.id`,
  ]);
  return {
    answer_days: terms.answerDays,
    resolve_days: terms.resolveDays,
    officials: [...officials],
    may_complain: mayOne,
  };
}

/** Of a sacco that waits or was rejected nothing is said. */
async function requireShown({ sql }: Pick<Database, 'sql'>, saccoId: string): Promise<void> {
  const [found] = await sql`select from saccos where id = ${saccoId} and state in ('active', 'suspended')`;
  if (!found) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
}
