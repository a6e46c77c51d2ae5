import type { ComplaintKind } from '@ushirika/contract/complaints';
import { answerComplaint } from '../../../server/domains/complaints/answer-complaint.ts';
import { appealComplaint } from '../../../server/domains/complaints/end-complaint.ts';
import { makeComplaint } from '../../../server/domains/complaints/make-complaint.ts';
import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS } from '../domain-part.ts';
import { operatorAct, operatorList, ownThing } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

/** Complaints: the member's own, those of one's sacco for its officials, and what came to the operators. */
export const complaints: DomainPart = {
  policies: {
    readComplaintFigures: {
      caller: 'anyone',
      lines: `
      anybody | id A/B | 200
      anybody | *      | 404 not_found`,
    },
    readComplaintTerms: {
      caller: 'signed_in',
      lines: `
      signed in | id A/B | 200
      signed in | *      | 404 not_found`,
      shows: 'signed in | names of officials',
    },
    makeComplaint: {
      caller: 'signed_in',
      lines: `
      signed in           | sacco malformed | 400 validation_failed
      members of A/former | sacco A         | 201
      members of B        | sacco B         | 201
      signed in           | *               | 403 not_a_member`,
      counterparty: ['public.notifications'],
    },
    listMyComplaints: {
      caller: 'signed_in',
      lines: `
      signed in | sacco malformed  | 400 validation_failed
      signed in | cursor malformed | 400 validation_failed
      signed in | *                | 200`,
    },
    readMyComplaint: ownThing('id'),
    readMyComplaintPicture: ownThing('id'),
    closeComplaint: { ...ownThing('id'), counterparty: ['public.notifications'] },
    appealComplaint: {
      caller: 'signed_in',
      lines: `
      owner     | id hers    | 409 complaint_conflict
      fellow    | id his     | 409 complaint_conflict
      other     | id foreign | 409 complaint_conflict
      signed in | *          | 404 not_found`,
    },
    listSaccoComplaints: {
      caller: 'official',
      lines: `
      officials of A | saccoId A, cursor malformed                | 400 validation_failed
      officials of B | saccoId B, cursor malformed                | 400 validation_failed
      founder        | saccoId waiting/rejected, cursor malformed | 400 validation_failed
      officials of A | saccoId A                                  | 200
      officials of B | saccoId B                                  | 200
      founder        | saccoId waiting/rejected                   | 200
      signed in      | saccoId malformed/absent                   | 400 sacco_required
      signed in      | *                                          | 403 not_allowed`,
      shows: `
      officials of A | names of A
      officials of B | names of B`,
    },
    readSaccoComplaint: { ...saccosComplaint(), notes: 'public.member_record_readings' },
    readSaccoComplaintPicture: saccosComplaint(),
    answerComplaint: {
      ...saccosComplaint(),
      counterparty: ['public.notifications', 'public.sms_messages'],
    },
    changeComplaintTerms: {
      caller: 'official',
      offices: ['chair', 'secretary', 'treasurer'],
      lines: `
      chair of A/secretary of A/treasurer of A | saccoId A                | 202
      chair of B/secretary of B/treasurer of B | saccoId B                | 202
      founder                                  | saccoId waiting/rejected | 409 second_official_required
      signed in                                | saccoId malformed/absent | 400 sacco_required
      signed in                                | *                        | 403 not_allowed`,
      counterparty: ['public.notifications'],
    },
    listOperatorComplaints: { ...operatorList(), shows: 'operator | names', notes: 'public.operator_actions' },
    readOperatorComplaint: {
      ...operatorAct('hers/foreign'),
      shows: 'operator | particulars',
      notes: 'public.operator_actions',
    },
    readOperatorComplaintPicture: { ...operatorAct('hers/foreign'), notes: 'public.operator_actions' },
    resolveComplaint: {
      ...operatorAct('hers/foreign'),
      shows: 'operator | particulars',
      counterparty: ['public.notifications', 'public.sms_messages'],
    },
  },
  fixtures: {
    'readMyComplaint.id': id('complaint'),
    'readMyComplaintPicture.id': id('complaint'),
    'closeComplaint.id': id('complaint'),
    'appealComplaint.id': id('complaint'),
    'readSaccoComplaint.id': id('complaint'),
    'readSaccoComplaintPicture.id': id('complaint'),
    'answerComplaint.id': id('complaint'),
    'readOperatorComplaint.id': id('escalated complaint'),
    'readOperatorComplaintPicture.id': id('escalated complaint'),
    'resolveComplaint.id': id('escalated complaint'),
    'makeComplaint.kind': is('payout'),
    text: is('My refund has not come, and nobody says why.'),
    about: leftOut,
    is_final: is(true),
    outcome: is('upheld'),
    answer_days: is(7),
    resolve_days: is(21),
  },
  raise: raiseComplaints,
  async attacked({ product, victim, founder, sacco, canary }) {
    const make = (kind: ComplaintKind): Promise<string> => {
      const text = `${canary}: my refund has not come since March.`;
      const picture = Buffer.from('RIFF....WEBPVP8 a picture');
      const input = { saccoId: sacco, kind, text, aboutOffice: null, picture };
      return product.database.transaction((tx) => makeComplaint(tx, { userId: victim.id }, input));
    };
    const [open, appealed] = [await make('payout'), await make('loan')];
    const answer = { complaintId: appealed, saccoId: sacco, text: `${canary}: it was paid in April.`, isFinal: true };
    await product.database.transaction((tx) => answerComplaint(tx, { userId: founder.id }, answer));
    const appeal = { complaintId: appealed, text: `${canary}: that was another one.` };
    await product.database.transaction((tx) => appealComplaint(tx, { userId: victim.id }, appeal));
    const words = 'Nobody stops me when I answer this.';
    return {
      readMyComplaint: [[`/complaints/${open}`]],
      closeComplaint: [[`/complaints/${open}/closure`]],
      appealComplaint: [[`/complaints/${open}/appeal`, { body: { text: words } }]],
      listSaccoComplaints: [['/sacco/complaints?status=all', { sacco }]],
      readSaccoComplaint: [[`/sacco/complaints/${open}`, { sacco }]],
      readSaccoComplaintPicture: [[`/sacco/complaints/${open}/picture`, { sacco }]],
      answerComplaint: [[`/sacco/complaints/${open}/answer`, { sacco, body: { text: words, is_final: true } }]],
      changeComplaintTerms: [['/sacco/complaint-terms', { sacco, body: { answer_days: 1, resolve_days: 2 } }]],
      listOperatorComplaints: [['/operator/complaints']],
      readOperatorComplaint: [[`/operator/complaints/${appealed}`]],
      readOperatorComplaintPicture: [[`/operator/complaints/${appealed}/picture`]],
      resolveComplaint: [
        [`/operator/complaints/${appealed}/resolution`, { body: { outcome: 'upheld', reason: words } }],
      ],
    };
  },
  withoutActs: {
    makeComplaint:
      'it moves no money, and what is counted is an invariant: server/domains/complaints/complaints.test.ts',
    closeComplaint: 'the same',
    appealComplaint: 'the same',
    answerComplaint: 'the same',
    resolveComplaint: 'the same',
    changeComplaintTerms: 'the same; changes by two officials are acted out with other terms (acts/changes.ts)',
  },
};

/** A complaint for the officials of the sacco that the header names. */
function saccosComplaint(): RoutePolicy {
  return {
    caller: 'official',
    lines: `
      signed in      | saccoId malformed/absent  | 400 sacco_required
      officials of A | saccoId A, id hers/his    | 200
      officials of B | saccoId B, id foreign     | 200
      officials of A | saccoId A                 | 404 not_found
      officials of B | saccoId B                 | 404 not_found
      founder        | saccoId waiting/rejected  | 404 not_found
      signed in      | *                         | 403 not_allowed`,
    shows: `
      officials of A | particulars of A
      officials of B | particulars of B`,
  };
}

/** One that waits for an answer, with a picture, of each; and in each sacco one that was answered and appealed. */
async function raiseComplaints({ database }: Product, cast: Cast): Promise<Kinds> {
  const make = (name: string, side: 'A' | 'B', kind: ComplaintKind): Promise<string> => {
    const text = 'My refund has not come since March, and nobody says why.';
    const picture = Buffer.from('RIFF....WEBPVP8 a picture');
    const input = { saccoId: cast.saccos[side], kind, text, aboutOffice: null, picture };
    return database.transaction((tx) => makeComplaint(tx, { userId: cast.person(name).id }, input));
  };
  const escalate = async (name: string, side: 'A' | 'B'): Promise<string> => {
    const complaintId = await make(name, side, 'loan');
    const answer = { complaintId, saccoId: cast.saccos[side], text: 'It was paid in April already.', isFinal: true };
    const chair = { userId: cast.person(`chair of ${side}`).id };
    await database.transaction((tx) => answerComplaint(tx, chair, answer));
    const appeal = { complaintId, text: 'That was another one, of April.' };
    await database.transaction((tx) => appealComplaint(tx, { userId: cast.person(name).id }, appeal));
    return complaintId;
  };
  // So that the officials of B have a second page.
  await make('treasurer of B', 'B', 'payout');
  return {
    complaint: {
      objects: {
        hers: await make('owner', 'A', 'payout'),
        his: await make('fellow', 'A', 'payout'),
        foreign: await make('other', 'B', 'payout'),
        ...NOBODYS,
      },
    },
    'escalated complaint': {
      objects: { hers: await escalate('owner', 'A'), foreign: await escalate('other', 'B'), ...NOBODYS },
    },
  };
}
