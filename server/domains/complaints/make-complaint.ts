import {
  ANSWER_DAYS_MAX,
  COMPLAINTS_PER_DAY,
  COMPLAINTS_PER_MONTH,
  type ComplaintKind,
  FORMER_MEMBER_YEARS,
  OPEN_COMPLAINTS_MAX,
  RESOLVE_DAYS_MAX,
} from '@ushirika/contract/complaints';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { addSteps, countComplaints } from './complaint-rows.ts';
import { dueAfter } from './complaints.rules.ts';
import { mayAnswer, officialsOf, tellOfComplaints } from './tell-of-complaints.ts';

/** A transaction, or the database at a moment. */
interface Reader {
  readonly sql: Database['sql'] | Tx['sql'];
  readonly now: Date;
}

export interface NewComplaint {
  readonly saccoId: string;
  readonly kind: ComplaintKind;
  readonly text: string;
  /** The office of the official whom it names; only of the kind `conduct`. */
  readonly aboutOffice: string | null;
  readonly picture: Buffer | null;
}

/**
 * A member, or one who left less than two years ago, complains about a sacco. Where no official may answer, it is the
 * operators' at once. The same words about the same official once more, while the complaint is not over, are the same
 * complaint; a picture that it did not have is added.
 * @throws Refusal `not_a_member`, `complaints_limit_reached`, `validation_failed` for a name that does not fit
 */
export async function makeComplaint(tx: Tx, actor: { readonly userId: string }, input: NewComplaint): Promise<string> {
  const { userId } = actor;
  const { saccoId, kind, text, picture } = input;
  // Counted, and compared with what is open, under the lock of the person's own row.
  await tx.sql`select from users where id = ${userId} for no key update`;
  const aboutId = await namedOfficial(tx, actor, input);
  const same = await judgeComplaint(tx, actor, input);
  if (same !== null) {
    await keepPicture(tx, same, picture);
    return same;
  }
  const { answerDays, resolveDays } = await complaintTermsOf(tx, saccoId);
  const id = tx.newId();
  const officials = (await officialsOf(tx, [saccoId])).get(saccoId) ?? [];
  const sides = { id, sacco_id: saccoId, complainer_id: userId, about_id: aboutId };
  const isAnswerable = officials.some((official) => mayAnswer(sides, official));
  const isCounted = isAnswerable && (await isFirstOfMonth(tx, { userId, saccoId }));
  const complaint = { ...sides, made_at: tx.now, is_counted: isCounted };
  const state = isAnswerable ? 'open' : 'with_operator';
  const escalated = isAnswerable ? [null, null] : [tx.now, 'nobody_else'];
  await tx.sql`
    insert into complaints (id, sacco_id, complainer_id, kind, about_id, text, made_at, answer_due_at, resolve_due_at,
                            state, state_at, escalated_at, escalated_because, is_counted)
    values (${id}, ${saccoId}, ${userId}, ${kind}, ${aboutId}, ${text}, ${tx.now}, ${dueAfter(tx.now, answerDays)},
            ${dueAfter(tx.now, resolveDays)}, ${state}, ${tx.now}, ${escalated[0] ?? null}, ${escalated[1] ?? null}, ${isCounted})`;
  await keepPicture(tx, id, picture);
  await addSteps(tx, [{ complaintId: id, kind: 'made', side: 'member', byId: userId, toState: 'open', at: tx.now }]);
  if (!isAnswerable) {
    await addSteps(tx, [{ complaintId: id, kind: 'escalated', side: 'clock', toState: 'with_operator', at: tx.now }]);
  }
  await countComplaints(tx, [{ complaint, measure: 'received', days: 0 }]);
  await tellOfComplaints(tx, userId, [{ complaint, event: isAnswerable ? 'made' : 'nobody_else' }]);
  return id;
}

/**
 * Whether somebody may make a complaint now: the id of their open one in the same words about the same official, or null
 * where it is a new one. Asked before a picture is drawn, and again under the lock of the person's own row.
 * @throws Refusal `not_a_member`, `complaints_limit_reached`
 */
export async function judgeComplaint(
  reader: Reader,
  { userId }: { readonly userId: string },
  { saccoId, kind, text, aboutOffice }: Omit<NewComplaint, 'picture'>,
): Promise<string | null> {
  if (!(await mayComplain(reader, { userId, saccoId }))) throw new Refusal('not_a_member');
  const [same] = await (reader.sql as Database['sql'])<{ id: string }[]>`
    select id from complaints
    where complainer_id = ${userId} and sacco_id = ${saccoId} and kind = ${kind} and md5(text) = md5(${text})
      and about_id is not distinct from (select user_id from offices where id = ${aboutOffice}) and ended_at is null`;
  if (!same) await refuseTooMany(reader, { userId }, saccoId);
  return same?.id ?? null;
}

/**
 * Whether the public figures count a complaint of this person about this sacco: whoever holds its shares is counted once in
 * 30 days, so that nobody makes its figures better or worse by themselves.
 */
async function isFirstOfMonth(
  tx: Tx,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
): Promise<boolean> {
  const [found] = await tx.sql`
    select from memberships
    where sacco_id = ${saccoId} and user_id = ${userId} and paid_up_at is not null
      and not exists (select from complaints where complainer_id = ${userId} and sacco_id = ${saccoId} and is_counted
                        and made_at >= ${dueAfter(tx.now, -30)})`;
  return found !== undefined;
}

/** Keeps the picture of a complaint that has none. */
async function keepPicture(tx: Tx, complaintId: string, picture: Buffer | null): Promise<void> {
  if (!picture) return;
  await tx.sql`
    insert into complaint_pictures (complaint_id, webp, created_at) values (${complaintId}, ${picture}, ${tx.now})
    on conflict (complaint_id) do nothing`;
}

/** A member of the sacco, also one in notice, and one who left less than two years ago. */
export async function mayComplain(
  reader: Reader,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string },
): Promise<boolean> {
  const left = new Date(reader.now);
  left.setUTCFullYear(left.getUTCFullYear() - FORMER_MEMBER_YEARS);
  const [found] = await (reader.sql as Database['sql'])`
    select from memberships
    where sacco_id = ${saccoId} and user_id = ${userId} and (state <> 'exited' or state_at > ${left})`;
  return found !== undefined;
}

/** @throws Refusal `validation_failed` where it is nobody's office in this sacco, one's own, or not of the kind `conduct` */
async function namedOfficial(
  tx: Tx,
  { userId }: { readonly userId: string },
  { saccoId, kind, aboutOffice }: NewComplaint,
): Promise<string | null> {
  if (aboutOffice === null) return null;
  const [held] = await tx.sql<{ user_id: string }[]>`
    select user_id from offices
    where id = ${aboutOffice} and sacco_id = ${saccoId} and ended_at is null and until > ${tx.now}`;
  if (kind === 'conduct' && held && held.user_id !== userId) return held.user_id;
  throw new Refusal('validation_failed', { errors: { about: [sentence('Choose an official of this sacco.')] } });
}

async function refuseTooMany(reader: Reader, { userId }: { readonly userId: string }, saccoId: string): Promise<void> {
  const [today, lately] = [dueAfter(reader.now, -1), dueAfter(reader.now, -30)];
  const [found] = await (reader.sql as Database['sql'])<{ open: number; today: number; lately: number }[]>`
    select count(*) filter (where sacco_id = ${saccoId} and ended_at is null)::int as open,
      count(*) filter (where made_at >= ${today})::int as today,
      count(*) filter (where sacco_id = ${saccoId} and made_at >= ${lately})::int as lately
    from complaints where complainer_id = ${userId} and (ended_at is null or made_at >= ${lately})`;
  if (!found || !isGuarded('complaints.limits')) return;
  if (found.open >= OPEN_COMPLAINTS_MAX) throw new Refusal('complaints_limit_reached');
  if (found.lately >= COMPLAINTS_PER_MONTH) {
    throw new Refusal('complaints_limit_reached', {
      message: sentence('You have made 10 complaints about this sacco in 30 days. Call Ushirika instead.'),
    });
  }
  if (found.today < COMPLAINTS_PER_DAY) return;
  throw new Refusal('complaints_limit_reached', {
    message: sentence('You have made 5 complaints today. Try again tomorrow.'),
    retryAfterSeconds: Math.ceil((dueAfter(reader.now, 0).getTime() - reader.now.getTime()) / 1_000),
  });
}

export interface ComplaintTerms {
  readonly answerDays: number;
  readonly resolveDays: number;
}

/** The time limits of a sacco at this moment. */
export async function complaintTermsOf(reader: Reader, saccoId: string): Promise<ComplaintTerms> {
  const [row] = await (reader.sql as Database['sql'])<{ answer_days: number; resolve_days: number }[]>`
    select answer_days, resolve_days from complaint_terms
    where sacco_id = ${saccoId} and valid_from <= ${reader.now} order by valid_from desc limit 1`;
  return { answerDays: row?.answer_days ?? ANSWER_DAYS_MAX, resolveDays: row?.resolve_days ?? RESOLVE_DAYS_MAX };
}
