import { shillingsFromCents } from '@ushirika/contract/money';
import type { DisputedPayment } from '@ushirika/contract/proposals';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import { z } from 'zod';
import type { Database, Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { crockfordCode, fastHash, inGroups, readCrockford } from '../identity/codes.rules.ts';
import { notify, trySendAsked } from '../notifications/notify.ts';
import { amountValue, codeValue, linkValue, receiptValue } from '../notifications/sms-values.ts';
import { inWords } from '../wallet/wallet.rules.ts';
import { operatorSms } from './operator.sms.ts';
import { kindOf } from './proposal-kinds.ts';
import { closeProposal, lockProposal, OBJECTION_MS, type ProposalRow } from './proposals.ts';

/** 80 random bits: nobody guesses them, so that no tries are counted and a fast hash keeps them. */
const CODE_LENGTH = 16;
const KENYAN_PHONE = /^254[17]\d{8}$/;

const payloadSchema = z.object({ id: z.uuid() });

/**
 * The job after a second operator confirmed: tells whoever's phone paid that the money is about to go to somebody else, and how
 * to object: by a code, since they may have no account. The text is ours to the letter; nothing that anybody typed is in it.
 * A job, since no operator's session reads or writes what the payer alone is to know. Running again tells nobody twice.
 */
export async function tellPayer(
  { database, publicUrl }: { readonly database: Database; readonly publicUrl: string },
  payload: unknown,
): Promise<void> {
  const { id } = payloadSchema.parse(payload);
  await database.transaction(async (tx) => {
    const proposal = await lockProposal(tx, id);
    if (proposal.state !== 'waiting') return;
    const payer = await payerToTell(tx, proposal);
    if (!payer) return;
    const { phone, receipt, amountCents } = payer;
    const code = crockfordCode(CODE_LENGTH, (length) => database.randomBytes(length));
    const expiresAt = new Date(tx.now.getTime() + OBJECTION_MS);
    const told = await tx.sql`
      insert into payer_notices (proposal_id, phone, code_hash, told_at, expires_at)
      values (${id}, ${phone}, ${fastHash(code)}, ${tx.now}, ${expiresAt}) on conflict (proposal_id) do nothing`;
    if (told.count === 0) return;
    const [amount, paidBy] = [amountValue(amountCents), receiptValue(receipt)];
    const sms = operatorSms.paymentDisputed(
      amount,
      paidBy,
      linkValue(publicUrl, '/objection'),
      codeValue(inGroups(code)),
    );
    const causedBy = proposal.confirmed_by;
    const until = await trySendAsked(tx, { phone, sms, causedBy, sendBefore: expiresAt });
    // Nothing is written then, and the job tries again: until the payer was told, nothing is carried out.
    if (until !== null) throw new Error('The payer has been sent enough messages for now.');
    const [owner] = await tx.sql<{ id: string }[]>`
      select id from users where phone = ${phone} and phone_confirmed_at is not null`;
    if (!owner) return;
    const text = textOf(inWords(amountCents), receipt);
    await notify(tx, { userId: owner.id, template: 'payment_disputed', text, causedBy });
  });
}

const textOf = (amount: string, receipt: string) =>
  sentence(
    '{amount} paid from your phone (M-Pesa {receipt}) will be given to another member in 48 hours. Not right? Object in your wallet.',
    { amount, receipt },
  );

/** Whom an SMS can reach before a proposal is carried out; null where nobody has to be told, or nobody can be. */
async function payerToTell(tx: Tx, proposal: ProposalRow) {
  const payer = (await kindOf(proposal.kind).payerOf?.(tx, proposal)) ?? null;
  const phone = payer?.phone ?? '';
  return payer && KENYAN_PHONE.test(phone) ? { ...payer, phone } : null;
}

/**
 * Whether the payer has had 48 hours from when they were told: before that nothing is carried out, however late the job is that
 * tells them. Has it run again where it has not.
 */
export async function hasPayerHadTime(tx: Tx, proposal: ProposalRow): Promise<boolean> {
  const [notice] = await tx.sql<{ expires_at: Date }[]>`
    select expires_at from payer_notices where proposal_id = ${proposal.id}`;
  if (notice) return notice.expires_at <= tx.now;
  if ((await payerToTell(tx, proposal)) === null) return true;
  await enqueue(tx, 'tell_payer', { id: proposal.id }, { key: `tell_payer:${proposal.id}` });
  return false;
}

interface Notice {
  readonly proposal_id: string;
  readonly amount_cents: number;
  readonly receipt: string;
  readonly objected_at: Date | null;
  readonly told_at: Date;
  readonly expires_at: Date;
}

/** Payments from the confirmed phone of a person that somebody else is about to be given. */
export async function disputedPayments(
  database: Database,
  actor: { readonly userId: string },
): Promise<DisputedPayment[]> {
  const rows = await database.sql<Notice[]>`
    select n.proposal_id, p.amount_cents, e.receipt, n.objected_at, n.told_at, n.expires_at
    from payer_notices n join operator_proposals p on p.id = n.proposal_id join money_exceptions e on e.id = p.about_id
    where n.phone = (select phone from users where id = ${actor.userId} and phone_confirmed_at is not null)
      and n.expires_at > ${database.now()} and p.state = 'waiting'
    order by n.expires_at, n.proposal_id limit 100`;
  return rows.map((row) => ({
    id: row.proposal_id,
    amount: shillingsFromCents(row.amount_cents),
    receipt: row.receipt,
    told_at: row.told_at.toISOString(),
    due_at: row.expires_at.toISOString(),
  }));
}

/** Who objects: by the code of the SMS, or signed in with the phone that paid as the confirmed one. */
export type Objector = { readonly code: string } | { readonly userId: string; readonly proposalId: string };

/**
 * The payer objects: the money stays in suspense, and operators see that and when. Runs as the platform; what allows it is the
 * code, or the phone. Objecting again changes nothing.
 * @throws Refusal `otp_not_accepted`, `not_found`, `proposal_closed` where it was paid or given up already
 */
export async function objectToPayment(tx: Tx, objector: Objector): Promise<{ amountCents: number; receipt: string }> {
  const seen = await noticeOf(tx, objector);
  const proposal = await lockProposal(tx, seen.proposal_id);
  // What was seen before the lock may have changed while it was awaited.
  const notice = await noticeOf(tx, objector);
  const answer = { amountCents: notice.amount_cents, receipt: notice.receipt };
  if (notice.objected_at) return answer;
  if (proposal.state !== 'waiting') {
    const message =
      proposal.state === 'done'
        ? sentence('It is too late: the money was given to the other member. Write to us, and we look into it.')
        : sentence('There is nothing to object to any more: the money is not given to anybody.');
    throw new Refusal('proposal_closed', { message });
  }
  await tx.sql`
    update payer_notices set objected_at = ${tx.now}, objected_by = ${'userId' in objector ? objector.userId : null}
    where proposal_id = ${proposal.id}`;
  await closeProposal(tx, proposal.id, 'objected', 'The payer objected.' satisfies Text);
  return answer;
}

async function noticeOf(tx: Tx, objector: Objector): Promise<Notice> {
  const code = 'code' in objector ? readCrockford(objector.code, CODE_LENGTH) : null;
  const which =
    'code' in objector
      ? tx.sql`n.code_hash = ${code === null ? '' : fastHash(code)}`
      : tx.sql`n.proposal_id = ${objector.proposalId}
          and n.phone = (select phone from users where id = ${objector.userId} and phone_confirmed_at is not null)`;
  const [row] = await tx.sql<Notice[]>`
    select n.proposal_id, p.amount_cents, e.receipt, n.objected_at, n.told_at, n.expires_at
    from payer_notices n join operator_proposals p on p.id = n.proposal_id join money_exceptions e on e.id = p.about_id
    where ${which}`;
  if (row) return row;
  if (!('code' in objector)) throw new Refusal('not_found');
  const message = sentence('That code is not right. Copy it from our SMS.');
  throw new Refusal('otp_not_accepted', { message, errors: { code: [message] } });
}
