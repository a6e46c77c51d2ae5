import { z } from 'zod';
import { check } from './checks.ts';
import { phoneNumber } from './identity.ts';
import { positiveAmount, shillings } from './money.ts';
import { fullReason, groupName, plainWords } from './plain-text.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, type Office, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { sentence } from './sentence.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * An employer keeps instalments back from wages and pays one sum. An official lists it, another one checks the list, the payer
 * pays it from their wallet, and it is shared out to the members' loans and wallets (docs/decisions/185).
 */

/**
 * - `listed`: an official has made the list. Another one checks it.
 * - `checked`: it waits for its payer.
 * - `refused`: the second official said no. `withdrawn`: officials took it back. `declined`: the payer said no. `expired`: nobody did
 *   the next step in 30 days. Nothing has moved.
 * - `running`: it is paid, and is being shared out. `done`: every member has what was meant for them.
 */
export const CHECK_OFF_STATES = [
  'listed',
  'checked',
  'refused',
  'withdrawn',
  'declined',
  'expired',
  'running',
  'done',
] as const;
export type CheckOffState = (typeof CHECK_OFF_STATES)[number];

/** These officials make lists and check those of others. Other officials read lists. */
export const CHECK_OFF_OFFICES = ['treasurer', 'manager', 'chair', 'vice_chair'] as const satisfies Office[];
/** Days in which a list is checked, and then days in which it is paid. */
export const CHECK_OFF_DAYS = 30;
/** Whether a payer has paid a list of the sacco before: then they are known to it. */
export type PayerStanding = 'stranger' | 'known';
/** Lists of one sacco that one payer may have open. */
export const CHECK_OFFS_OPEN_MAX = { stranger: 3, known: 10 } as const satisfies Record<PayerStanding, number>;
/** A sacco asks a payer no more who has declined so many of its lists within 30 days. */
export const CHECK_OFFS_DECLINED_MAX = 3;
/** Lists of one sacco of which one payer is told within 30 days, whatever became of them. Forty are one a week of each of eight branches. */
export const CHECK_OFFS_ASKED_MAX = { stranger: 10, known: 40 } as const satisfies Record<PayerStanding, number>;
/** Lists that one official makes within 24 hours, whatever became of them. */
export const CHECK_OFFS_BY_ONE_MAX = 8;
/** The lines of all these lists together. */
export const CHECK_OFF_LINES_BY_ONE_MAX = 500_000;
/** Lists that a sacco makes within 24 hours. One that ended before another official had checked it does not count. */
export const CHECK_OFFS_MADE_MAX = 20;
/** The lines of all these lists together. */
export const CHECK_OFF_LINES_MADE_MAX = 1_000_000;
export const CHECK_OFF_LINES_MAX = 250_000;
export const CHECK_OFF_BYTES_MAX = 8 * 1_024 * 1_024;
/** An answer names so many wrong lines. */
export const WRONG_LINES_TOLD = 20;
/** An official is shown so many of the largest lines before they decide, and the marked ones. */
export const NOTABLE_LINES = 10;

const person = z.object({ id: z.uuid(), name: z.string() });
const params = z.object({ id: z.uuid() });
const reason = plainWords(500, check('Write the reason.'));

const checkOff = z.object({
  id: z.uuid(),
  employer: z.string(),
  amount: shillings,
  lines: z.number().int(),
  state: z.enum(CHECK_OFF_STATES),
  listed_by: person,
  listed_at: instant,
  checked_by: person.nullable(),
  checked_at: instant.nullable(),
  /** By when the next step must be done; null once it is paid or over. */
  expires_at: instant.nullable(),
  paid_at: instant.nullable(),
  /** When the last member had their share. */
  finished_at: instant.nullable(),
  /** When it was taken back or declined, or had expired. */
  ended_at: instant.nullable(),
  /** Of a refusal, of declining, or of taking it back. */
  reason: z.string().nullable(),
});

export const saccoCheckOff = checkOff.extend({
  /** The payer's first name and the first letter of the other. */
  payer: z.string(),
  /** The official who took it back; null where nobody did. */
  taken_back_by: person.nullable(),
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(['approve', 'refuse', 'withdraw'])),
  /** Why whoever asks may refuse it and not approve it: another account that looks like theirs made the list (docs/decisions/189). */
  second_account: said.nullable(),
});
export type SaccoCheckOff = z.infer<typeof saccoCheckOff>;

/** Why a line is marked: its member reads it, made the list, checked it or pays it. */
export const LINE_MARKS = ['you', 'maker', 'checker', 'payer'] as const;

export const saccoCheckOffLine = z.object({
  line: z.number().int(),
  member: z.string(),
  amount: shillings,
  marks: z.array(z.enum(LINE_MARKS)),
  /** What paid loans and what went to the wallet; null before it is shared out. */
  outcome: z.object({ to_loans: shillings, to_wallet: shillings }).nullable(),
});
export type SaccoCheckOffLine = z.infer<typeof saccoCheckOffLine>;

export const saccoCheckOffDetail = saccoCheckOff.extend({
  /** Null before it is paid. */
  shared: z.object({ lines: z.number().int(), to_loans: shillings, to_wallet: shillings }).nullable(),
  /** The largest lines first, with the lines of those who have a hand in it. */
  notable: z.array(saccoCheckOffLine),
});
export type SaccoCheckOffDetail = z.infer<typeof saccoCheckOffDetail>;

export const myCheckOff = checkOff.extend({
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  may: z.array(z.enum(['pay', 'decline'])),
});
export type MyCheckOff = z.infer<typeof myCheckOff>;

export const myCheckOffLine = z.object({ line: z.number().int(), member: z.string(), amount: shillings });
export type MyCheckOffLine = z.infer<typeof myCheckOffLine>;

export const wrongLine = z.object({
  line: z.number().int(),
  text: z.string(),
  /** The cell that is wrong, as a spreadsheet names it, B3; null where it is the whole line. */
  cell: z.string().nullable(),
  why: said,
});
export type WrongLine = z.infer<typeof wrongLine>;

const list = z.object({
  employer: groupName({ least: 3, most: 60, label: sentence('The name of the employer') }),
  payer_phone: phoneNumber,
  /** A short list: one line for each member, with the phone number and the amount in shillings. A long one comes as the file, and counts. */
  list_text: z.string().trim().max(20_000),
});
const file = { field: 'list', bytesMax: CHECK_OFF_BYTES_MAX };
const linesQuery = { limit: wholeNumber(1, 100).default(50), cursor: z.string().max(300).optional() };

export const previewCheckOff = route({
  name: 'previewCheckOff',
  method: 'POST',
  path: '/sacco/check-off-previews',
  summary:
    'What a list would come to, who is behind the payer’s phone (a shortened name), and which lines are wrong. It keeps nothing.',
  caller: 'official',
  offices: CHECK_OFF_OFFICES,
  repetition: 'natural',
  body: list,
  bodyType: 'multipart',
  file,
  reply: z.object({
    /** Null where no account has confirmed that phone. */
    payer: z.string().nullable(),
    lines: z.number().int(),
    amount: shillings,
    /** The first 20, in their order. */
    wrong: z.array(wrongLine),
    wrong_count: z.number().int(),
  }),
  refusals: ['sacco_inactive'],
});

export const makeCheckOff = route({
  name: 'makeCheckOff',
  method: 'POST',
  path: '/sacco/check-offs',
  summary:
    'List what an employer pays for whom: by the members’ confirmed phones. The same list of the same official, while it is open, is the same check-off.',
  caller: 'official',
  offices: CHECK_OFF_OFFICES,
  repetition: 'natural',
  body: list,
  bodyType: 'multipart',
  file,
  status: 201,
  reply: acted({ check_off: saccoCheckOffDetail }),
  refusals: [
    'not_allowed',
    'sacco_inactive',
    'check_off_lines_wrong',
    'check_off_payer_unknown',
    'check_off_limit_reached',
    'check_off_conflict',
  ],
});

export const listCheckOffs = route({
  name: 'listCheckOffs',
  method: 'GET',
  path: '/sacco/check-offs',
  summary:
    'The check-offs of the sacco: those that wait for officials or payers, the oldest first, or all, the newest first.',
  caller: 'official',
  repetition: 'read',
  query: z.object({ status: z.enum(['to_check', 'to_pay', 'all']).default('all'), ...pageQuery }),
  reply: listOf(saccoCheckOff),
});

export const readCheckOff = route({
  name: 'readCheckOff',
  method: 'GET',
  path: '/sacco/check-offs/{id}',
  summary:
    'One check-off with its totals, its largest lines and the lines of those who have a hand in it. The reading is recorded.',
  caller: 'official',
  repetition: 'read',
  params,
  reply: saccoCheckOffDetail,
});

export const listCheckOffLines = route({
  name: 'listCheckOffLines',
  method: 'GET',
  path: '/sacco/check-offs/{id}/lines',
  summary: 'The lines of one check-off, and what became of each. The reading is recorded.',
  caller: 'official',
  repetition: 'read',
  params,
  query: z.object(linesQuery),
  reply: listOf(saccoCheckOffLine),
});

export const decideCheckOff = route({
  name: 'decideCheckOff',
  method: 'POST',
  path: '/sacco/check-offs/{id}/decision',
  summary: 'A second official says that the list is right, or that it is not and why. Then its payer is asked.',
  caller: 'official',
  offices: CHECK_OFF_OFFICES,
  repetition: 'natural',
  params,
  body: z
    .object({ decision: z.enum(['approve', 'refuse']), reason: reason.optional() })
    .refine(({ decision, reason }) => decision === 'approve' || reason !== undefined, {
      path: ['reason'],
      error: check('Write the reason.'),
    }),
  reply: acted({ check_off: saccoCheckOffDetail }),
  refusals: ['not_allowed', 'sacco_inactive', 'check_off_limit_reached', 'check_off_conflict'],
});

export const withdrawCheckOff = route({
  name: 'withdrawCheckOff',
  method: 'POST',
  path: '/sacco/check-offs/{id}/withdrawal',
  summary:
    'An official who made or checked a check-off takes it back before it is paid, and says why: its payer reads it.',
  caller: 'official',
  repetition: 'natural',
  params,
  body: z.object({ reason: fullReason }),
  reply: acted({ check_off: saccoCheckOffDetail }),
  refusals: ['not_allowed', 'check_off_conflict'],
});

export const listMyCheckOffs = route({
  name: 'listMyCheckOffs',
  method: 'GET',
  path: '/check-offs',
  summary:
    'The check-offs that one pays, of all saccos, once they are checked: those that wait, or all, the newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ status: z.enum(['to_pay', 'all']).default('all'), ...pageQuery }),
  reply: listOf(myCheckOff),
});

export const readMyCheckOff = route({
  name: 'readMyCheckOff',
  method: 'GET',
  path: '/check-offs/{id}',
  summary: 'One check-off that one pays: the sum, the sacco, and who listed and checked it.',
  caller: 'signed_in',
  repetition: 'read',
  params,
  reply: myCheckOff,
});

export const listMyCheckOffLines = route({
  name: 'listMyCheckOffLines',
  method: 'GET',
  path: '/check-offs/{id}/lines',
  summary: 'For whom one pays how much. What becomes of it is the members’ own affair.',
  caller: 'signed_in',
  repetition: 'read',
  params,
  query: z.object(linesQuery),
  reply: listOf(myCheckOffLine),
});

export const payCheckOff = route({
  name: 'payCheckOff',
  method: 'POST',
  path: '/check-offs/{id}/payment',
  summary: 'Pay the whole sum from the wallet, as it was shown. It is shared out at once.',
  caller: 'signed_in',
  repetition: 'key',
  params,
  body: z.object({ amount: positiveAmount }),
  reply: acted({ check_off: myCheckOff, receipt }),
  refusals: [
    'sacco_inactive',
    'check_off_conflict',
    'loan_terms_changed',
    'insufficient_funds',
    'proof_required',
    'payout_held',
  ],
});

export const declineCheckOff = route({
  name: 'declineCheckOff',
  method: 'POST',
  path: '/check-offs/{id}/refusal',
  summary: 'Whoever was named as the payer says no, and why. The officials who made and checked the list are told.',
  caller: 'signed_in',
  repetition: 'natural',
  params,
  body: z.object({ reason }),
  reply: acted({ check_off: myCheckOff }),
  refusals: ['check_off_conflict'],
});

export const checkOffsContract = [
  previewCheckOff,
  makeCheckOff,
  listCheckOffs,
  readCheckOff,
  listCheckOffLines,
  decideCheckOff,
  withdrawCheckOff,
  listMyCheckOffs,
  readMyCheckOff,
  listMyCheckOffLines,
  payCheckOff,
  declineCheckOff,
] as const;
