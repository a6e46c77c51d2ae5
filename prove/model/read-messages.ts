import { hash } from 'node:crypto';
import { createQuickPasswords } from '../../server/domains/identity/test-passwords.ts';
import { by } from './in-order.ts';
import type { Person } from './naive-books.ts';
import type { Simulation } from './simulation.ts';

const CODE_MS = 10 * 60_000;
/** A code is given up a moment before the product does: at its last second nobody uses it. */
const SPARE_MS = 1_000;

const passwords = createQuickPasswords();

/** People read the SMS that came: codes to reset a password, to confirm a phone, to take up an office. */
export async function readMessages(simulation: Simulation): Promise<void> {
  const { house, books, now } = simulation;
  const expiresAt = now + CODE_MS - SPARE_MS;
  // Jobs that ran at once sent them in any order.
  const came = house.messages.splice(0).sort(by(({ to, message }) => `${to} ${message}`));
  for (const { to, message } of came) {
    const office = /\b([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})\b/.exec(message)?.[1];
    const reset = /(?:reset code is|nenosiri ni) ([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(message)?.[1];
    const code = /Ushirika: (\d{4} \d{4}) /.exec(message)?.[1];
    const reader = books.people.find(({ recoveryPhone }) => recoveryPhone === to);
    const pledge = /(\d{4} \d{4}) (?:signs your guarantee|ni sahihi yako)/.exec(message)?.[1];
    const payer = /(?:wallet|pochi) ([\d ]{11}) .* (\d{4} \d{4})\./.exec(message);
    if (pledge) keepGuaranteeCode(simulation, to, pledge);
    else if (payer) keepPayerCode(simulation, to, payer[1] ?? '', payer[2] ?? '');
    else if (office && reader) await keepInvitation(simulation, reader, office);
    else if (reset) reader?.resetCodes.push({ code: reset, expiresAt });
    else if (code) (await askerOf(simulation, to, code))?.phoneCodes.push({ code, phone: to, at: now, expiresAt });
  }
  books.officeInvitations = books.officeInvitations.filter((invitation) => invitation.expiresAt > now - CODE_MS);
}

/** Guarantors ask one after the other, each for one loan at a time. */
function keepGuaranteeCode({ books }: Simulation, phone: string, code: string): void {
  const awaited = books.codesAwaited.find(({ person }) => person.phone === phone);
  if (!awaited) throw new Error('A code came for a guarantee, and nobody waits for it.');
  awaited.code = code;
  books.codesAwaited = books.codesAwaited.filter((each) => each !== awaited);
}

/**
 * Who asked for a code that confirms a phone. Several people may have written down one number: then the stored hashes
 * say whose code it is.
 */
async function askerOf({ house, books }: Simulation, to: string, code: string): Promise<Person | undefined> {
  const people = books.people.filter(({ phone }) => phone === to);
  if (people.length < 2) return people[0];
  const rows = await house.database.owner<{ user_id: string; code_hash: string }[]>`
    select user_id, code_hash from phone_codes where phone = ${to} order by created_at desc, id desc`;
  for (const row of rows) {
    if (!(await passwords.verify(code.replace(' ', ''), row.code_hash))) continue;
    return people.find(({ id }) => id === row.user_id);
  }
  throw new Error('A code came to a phone for which nobody asked for one.');
}

/** The newest that was asked for: codes before it count no more. */
function keepPayerCode({ books }: Simulation, phone: string, account: string, code: string): void {
  const asked = books.payerCodes.filter(
    (each) => each.phone === phone && each.person.account === account.replaceAll(' ', ''),
  );
  const waiting = asked.find((each) => each.code === '');
  if (!waiting) throw new Error('A code came to a phone whose holder nobody asked.');
  waiting.code = code;
}

/** Which of a person's invitations this code is for: the page shows a list of them, and the code fits one. */
async function keepInvitation({ house, books }: Simulation, person: Person, code: string): Promise<void> {
  const rows = await house.database.owner<
    {
      id: string;
      sacco_id: string;
      office: string;
      invited_by: string;
      code_hash: string | null;
      created_at: Date;
      expires_at: Date;
    }[]
  >`
    select id, sacco_id, office, invited_by, code_hash, coalesce(confirmed_at, created_at) as created_at, expires_at
    from office_invitations
    where id_number = ${person.idNumber} and accepted_at is null`;
  const plain = code.replaceAll('-', '');
  const row = rows.find(({ id, code_hash }) => hash('sha256', `${id}:${plain}`, 'base64url') === code_hash);
  const sacco = books.saccos.find(({ id }) => id === row?.sacco_id);
  if (!row || !sacco) throw new Error('A code came for an office that nobody was asked to take up.');
  const isByOperator = books.people.some(({ id, isOperator }) => id === row.invited_by && isOperator);
  const { id, office } = row;
  const times = { createdAt: row.created_at.getTime(), expiresAt: row.expires_at.getTime() };
  books.officeInvitations.push({ id, person, sacco, office, isByOperator, code, ...times });
}
