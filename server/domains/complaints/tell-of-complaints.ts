import type { EscalationCause } from '@ushirika/contract/complaints';
import type { SaccoState } from '@ushirika/contract/saccos';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { type SmsValue, saccoValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import type { ComplaintRow } from './complaint-rows.ts';
import { complaintsSms } from './complaints.sms.ts';

type Told = Pick<ComplaintRow, 'id' | 'sacco_id' | 'complainer_id' | 'about_id'>;

/** What is told of a complaint: our own words, and the sacco's name. What people wrote stays behind the sign-in. */
type Event = 'made' | 'progress' | 'answered' | 'appealed' | 'closed' | 'lapsed' | 'resolved' | EscalationCause;

interface ToldWords {
  /** Null: they did it themselves. */
  readonly member: ((sacco: string) => Sentence) | null;
  readonly officials: ((sacco: string) => Sentence) | null;
}

const words: Readonly<Record<Event, ToldWords>> = {
  made: {
    member: null,
    officials: (sacco) =>
      sentence('{sacco}: a member has complained. Read it under Complaints and answer before it is due.', { sacco }),
  },
  nobody_else: {
    member: (sacco) =>
      sentence(
        'No official of {sacco} may answer your complaint, so Ushirika has it already. You will be told what is decided.',
        { sacco },
      ),
    officials: null,
  },
  progress: {
    member: (sacco) =>
      sentence('{sacco} works on your complaint. Read what its official says under Complaints.', { sacco }),
    officials: null,
  },
  answered: {
    member: (sacco) =>
      sentence(
        '{sacco} has answered your complaint. Close it or appeal within 14 days; after that it closes by itself.',
        { sacco },
      ),
    officials: null,
  },
  appealed: {
    member: null,
    officials: (sacco) =>
      sentence('{sacco}: a member does not accept the answer to a complaint. Ushirika decides now.', { sacco }),
  },
  unanswered: {
    member: (sacco) =>
      sentence('{sacco} did not answer your complaint in time. Ushirika has it now and will decide.', { sacco }),
    officials: (sacco) =>
      sentence('{sacco}: a complaint was not answered in time. Ushirika decides now, and the public page counts it.', {
        sacco,
      }),
  },
  unresolved: {
    member: (sacco) =>
      sentence('{sacco} did not settle your complaint in time. Ushirika has it now and will decide.', { sacco }),
    officials: (sacco) =>
      sentence('{sacco}: a complaint was not settled in time. Ushirika decides now, and the public page counts it.', {
        sacco,
      }),
  },
  closed: {
    member: null,
    officials: (sacco) => sentence('{sacco}: a member has closed a complaint.', { sacco }),
  },
  lapsed: {
    member: (sacco) =>
      sentence('Your complaint about {sacco} is closed: you did not appeal within 14 days of its answer.', { sacco }),
    officials: (sacco) =>
      sentence('{sacco}: a complaint closed by itself. The member did not appeal against your answer.', { sacco }),
  },
  resolved: {
    member: (sacco) =>
      sentence(
        'Ushirika has decided about your complaint about {sacco}. Read the decision and its reasons under Complaints.',
        { sacco },
      ),
    officials: (sacco) =>
      sentence('{sacco}: Ushirika has decided about a complaint. Read the decision and its reasons under Complaints.', {
        sacco,
      }),
  },
};

/** What the member has to know in time, or has waited for, goes out by SMS as well. */
const sms: Partial<Record<Event, (sacco: SmsValue | null) => Sms>> = complaintsSms;

/**
 * Tells both sides of new steps of complaints, in a constant number of statements. The account that took the step is not told.
 * @param causedBy the account whose act it was; null for the clock
 */
export async function tellOfComplaints(
  tx: Tx,
  causedBy: string | null,
  told: readonly { readonly complaint: Told; readonly event: Event }[],
): Promise<void> {
  if (told.length === 0) return;
  const saccoIds = [...new Set(told.map(({ complaint }) => complaint.sacco_id))];
  const [names, officials] = await Promise.all([saccosOf(tx, saccoIds), officialsOf(tx, saccoIds)]);
  const notices = told.flatMap(({ complaint, event }): Notice[] => {
    const sacco = names.get(complaint.sacco_id);
    const { member, officials: toOfficials } = words[event];
    const template = `complaint_${event}`;
    const answering = (officials.get(complaint.sacco_id) ?? []).filter((userId) => mayAnswer(complaint, userId));
    return [
      ...(member
        ? [
            { userId: complaint.complainer_id, topic: 'saccos' as const, template, text: member(sacco?.name ?? '') },
          ].map((notice) => ({ ...notice, causedBy, ...(sms[event] ? { sms: sms[event](sacco?.value ?? null) } : {}) }))
        : []),
      ...(toOfficials
        ? answering
            .filter((userId) => userId !== causedBy)
            .map((userId) => ({
              userId,
              topic: 'saccos' as const,
              template,
              text: toOfficials(sacco?.name ?? ''),
              causedBy,
            }))
        : []),
    ];
  });
  await notifyAll(tx, notices);
}

/** Neither whoever made a complaint nor whom it names answers it. */
export function mayAnswer(complaint: Pick<Told, 'complainer_id' | 'about_id'>, userId: string): boolean {
  return userId !== complaint.complainer_id && userId !== complaint.about_id;
}

/** Who holds an office in each of some saccos now. */
export async function officialsOf(
  tx: Tx,
  saccoIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.sql<{ sacco_id: string; people: string[] }[]>`
    select sacco_id, array_agg(distinct user_id) as people from offices
    where sacco_id = any (${texts(saccoIds)}::uuid[]) and ended_at is null and until > ${tx.now}
    group by sacco_id`;
  return new Map(rows.map(({ sacco_id, people }) => [sacco_id, people]));
}

async function saccosOf(tx: Tx, saccoIds: readonly string[]) {
  const rows = await tx.sql<{ id: string; name: string; state: SaccoState }[]>`
    select id, name, state from saccos where id = any (${texts(saccoIds)}::uuid[])`;
  return new Map(
    rows.map((row): [string, { name: string; value: SmsValue | null }] => [
      row.id,
      { name: row.name, value: saccoValue(row) },
    ]),
  );
}
