import type { Words } from './words.ts';

/*
 * What operators do and look at, declared once: the name under which it is kept, and its words in the log of the desk. What waits
 * for them: the counts of the desk's tabs and of its health follow.
 */

export const operatorActs = {
  sacco_activated: ['Activated a sacco', 'Aliwezesha sacco'],
  sacco_points_open: [
    'Left points of the checklist open at an activation',
    'Aliacha hoja za orodha bila kukamilika alipowezesha sacco',
  ],
  sacco_confirmed: ['Confirmed a sacco as the first of two', 'Alithibitisha sacco akiwa wa kwanza kati ya wawili'],
  sacco_rejected: ['Rejected a sacco', 'Alikataa sacco'],
  sacco_suspended: ['Suspended a sacco', 'Alisimamisha sacco'],
  sacco_suspension_upheld: ['Upheld the suspension of a sacco', 'Aliidhinisha kusimamishwa kwa sacco'],
  sacco_reinstated: ['Reinstated a sacco', 'Alirejesha sacco'],
  exceptions_listed: ['Looked at the money exceptions', 'Aliangalia pesa zenye utata'],
  exception_credited: ['Credited an exception', 'Aliingiza pesa zenye utata'],
  exception_returned: ['Noted an exception as returned', 'Aliandika kwamba pesa zilirudishwa'],
  exception_dismissed: ['Dismissed an exception', 'Alifunga jambo bila hatua'],
  held_referrals_listed: ['Looked at the held referrals', 'Aliangalia mialiko iliyozuiwa'],
  referral_released: ['Released a reward', 'Aliachilia zawadi'],
  referral_denied: ['Denied a reward', 'Alikataa zawadi'],
  person_looked_up: ['Looked a person up', 'Alitafuta mtu'],
  suspensions_listed: ['Looked at the suspended accounts', 'Aliangalia akaunti zilizosimamishwa'],
  account_suspended: ['Suspended an account', 'Alisimamisha akaunti'],
  suspension_upheld: ['Upheld a suspension', 'Aliidhinisha kusimamishwa'],
  suspension_lift_asked: ['Asked to lift a suspension', 'Aliomba kuondolewa kwa usimamishaji'],
  suspension_lifted: ['Lifted a suspension', 'Aliondoa kusimamishwa'],
  identity_check_recorded: ['Recorded that an ID card was seen', 'Aliandika kwamba kitambulisho kilionwa'],
  identity_checks_listed: ['Looked at the records of ID cards', 'Aliangalia kumbukumbu za vitambulisho'],
  identity_check_withdrawn: ['Took back the record of an ID card', 'Aliondoa kumbukumbu ya kitambulisho'],
  pools_listed: ['Looked at the guarantor pools', 'Aliangalia vikundi vya udhamini'],
  pool_approved: ['Approved a guarantor pool', 'Aliidhinisha kikundi cha udhamini'],
  pool_refused: ['Refused a guarantor pool', 'Alikataa kikundi cha udhamini'],
  complaints_listed: ['Looked at the complaints', 'Aliangalia malalamiko'],
  complaint_read: ['Read a complaint', 'Alisoma lalamiko'],
  complaint_upheld: ['Found a complaint right', 'Aliona lalamiko ni halali'],
  complaint_not_upheld: ['Found a complaint not right', 'Aliona lalamiko si halali'],
  proposals_listed: ['Looked at what operators proposed', 'Aliangalia mapendekezo ya waendeshaji'],
  official_taken_back: ['Took back whom they had named', 'Alimwondoa afisa aliyemtaja'],
  official_named: ['Named an official', 'Alimtaja afisa'],
  vote_title_hidden: ['Hid the title of a vote from strangers', 'Alificha kichwa cha kura kwa wasio wanachama'],
  vote_title_shown: ['Showed the title of a vote again', 'Alionyesha tena kichwa cha kura'],
  sacco_check_recorded: ['Recorded a check', 'Aliandika ukaguzi'],
} as const satisfies Readonly<Record<string, Words>>;
export type OperatorAct = keyof typeof operatorActs;

/** What an act or an exception may be about. */
export const aboutTypes = {
  sacco: ['Sacco', 'Sacco'],
  money_exception: ['Exception', 'Utata'],
  referral: ['Referral', 'Mwaliko'],
  person: ['Person', 'Mtu'],
  complaint: ['Complaint', 'Lalamiko'],
  pool: ['Guarantor pool', 'Kikundi cha udhamini'],
  vote: ['Vote of members', 'Kura ya wanachama'],
  deposit: ['Top-up', 'Uwekaji pesa'],
  withdrawal: ['Withdrawal', 'Utoaji pesa'],
  receipt_claim: ['Claim of a receipt', 'Dai la risiti'],
  paybill_payment: ['Payment to the paybill', 'Malipo kwa paybill'],
} as const satisfies Readonly<Record<string, Words>>;
export type AboutType = keyof typeof aboutTypes;

/** What waits for an operator. Its page is the one of web/src/pages.tsx that names it. */
export const deskQueues = {
  saccos: {
    name: ['Saccos that wait', 'Sacco zinazosubiri'],
    detail: ['For their activation.', 'Zinasubiri kuwezeshwa.'],
  },
  referrals: { name: ['Held referrals', 'Mialiko iliyozuiwa'], detail: ['For a review.', 'Zinasubiri kukaguliwa.'] },
  pools: {
    name: ['Pools to review', 'Vikundi vya kukagua'],
    detail: ['Before strangers see them.', 'Kabla wengine hawajaviona.'],
  },
  complaints: {
    name: ['Complaints to decide', 'Malalamiko ya kuamua'],
    detail: ['Both sides wait for you.', 'Pande zote mbili zinakusubiri.'],
  },
  /** What one operator proposed, and another has not confirmed, or its payer may still object to. */
  proposals: {
    name: ['Proposals', 'Mapendekezo'],
    detail: [
      'For a second operator, or for a payer’s 48 hours.',
      'Yanasubiri mwendeshaji wa pili, au saa 48 za mlipaji.',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly name: Words; readonly detail: Words }>>;
export type DeskQueue = keyof typeof deskQueues;
export const DESK_QUEUES = Object.keys(deskQueues) as readonly DeskQueue[];

/** One value for each. */
export function byQueue<T>(value: (queue: DeskQueue) => T): Record<DeskQueue, T> {
  return Object.fromEntries(DESK_QUEUES.map((queue) => [queue, value(queue)])) as Record<DeskQueue, T>;
}

/** Every text of this file. */
export const operatorActTexts: readonly Words[] = [
  ...Object.values(operatorActs),
  ...Object.values(aboutTypes),
  ...Object.values(deskQueues).flatMap(({ name, detail }) => [name, detail]),
];
