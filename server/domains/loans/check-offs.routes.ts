import { hash } from 'node:crypto';
import * as contract from '@ushirika/contract/check-offs';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { BodyOf, Office } from '@ushirika/contract/route';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Tx } from '../../db/tx.ts';
import { type Answer, type Binding, bindBatched, bindHandler, type Call, type UploadedFile } from '../../http/bind.ts';
import type { Wrong } from './check-off-lines.rules.ts';
import { type FoundList, findLines } from './check-off-lines.ts';
import {
  type Deps,
  myCheckOff,
  myCheckOffLines,
  myCheckOffs,
  type OfficialReader,
  saccosCheckOff,
  saccosCheckOffLines,
  saccosCheckOffs,
} from './check-offs.queries.ts';
import { decideCheckOff } from './decide-check-off.ts';
import { declineCheckOff } from './decline-check-off.ts';
import { eachAlone } from './each-alone.ts';
import { type FoundPayer, findPayer } from './find-payer.ts';
import { makeCheckOff } from './make-check-off.ts';
import { lockPayments, payCheckOff } from './pay-check-off.ts';
import { withdrawCheckOff } from './withdraw-check-off.ts';

/**
 * Check-offs. Officials and payers read as themselves. The platform writes, since a step tells other people and pays loans of many
 * members. The verbs and the database's constraints say who may take which step.
 */
export function checkOffsRoutes(deps: Deps): Binding[] {
  return [...deskRoutes(deps), ...payerRoutes(deps)];
}

const officialOf = (call: {
  readonly actor: { readonly userId: string; readonly offices: readonly Office[] };
  readonly saccoId: string;
}): OfficialReader => ({ userId: call.actor.userId, saccoId: call.saccoId, offices: call.actor.offices });

function deskRoutes(deps: Deps): Binding[] {
  const { database } = deps;
  const done = async (official: OfficialReader, id: string, message: Sentence, act: (tx: Tx) => Promise<unknown>) => {
    await asSystem(() => database.transaction(act));
    return { success: true as const, message, check_off: await saccosCheckOff(database, official, id) };
  };
  return [
    bindHandler(contract.previewCheckOff, async (call) => {
      const { found, payer } = await lookedUp(deps, officialOf(call), call);
      return {
        payer: payer?.name ?? null,
        lines: found.lines.length,
        amount: shillingsFromCents(found.amountCents),
        ...told(found.wrong),
      };
    }),
    bindHandler(contract.makeCheckOff, async (call) => {
      const official = officialOf(call);
      const { found, payer } = await lookedUp(deps, official, call);
      const { lines, wrong } = found;
      if (wrong.length > 0) throw new Refusal('check_off_lines_wrong', { extra: told(wrong) });
      if (!payer) throw new Refusal('check_off_payer_unknown');
      const { employer } = call.body;
      const input = { employer, payerId: payer.id, lines, hash: hash('sha256', JSON.stringify([employer, lines])) };
      const id = await asSystem(() => database.transaction((tx) => makeCheckOff(tx, official, input)));
      const made = await saccosCheckOff(database, official, id);
      const message =
        made.state === 'listed'
          ? sentence('Listed. Another official checks it, and then the payer is asked.')
          : sentence('You have made this very list before. Another official has looked at it since.');
      return { success: true as const, message, check_off: made };
    }),
    bindHandler(contract.listCheckOffs, (call) => saccosCheckOffs(deps, officialOf(call), call.query)),
    bindHandler(contract.readCheckOff, (call) => saccosCheckOff(database, officialOf(call), call.params.id)),
    bindHandler(contract.listCheckOffLines, (call) =>
      saccosCheckOffLines(deps, officialOf(call), { id: call.params.id, query: call.query }),
    ),
    bindHandler(contract.decideCheckOff, (call) => {
      const { id } = call.params;
      const message =
        call.body.decision === 'approve'
          ? sentence('Checked. The payer is asked now.')
          : sentence('Refused. The payer hears nothing of it.');
      return done(officialOf(call), id, message, (tx) => decideCheckOff(tx, officialOf(call), { id, ...call.body }));
    }),
    bindHandler(contract.withdrawCheckOff, (call) => {
      const { id } = call.params;
      const message = sentence('Taken back. Nothing has moved.');
      return done(officialOf(call), id, message, (tx) =>
        withdrawCheckOff(tx, officialOf(call), { id, reason: call.body.reason }),
      );
    }),
  ] as Binding[];
}

interface Sent {
  readonly body: Pick<BodyOf<typeof contract.makeCheckOff>, 'list_text' | 'payer_phone'>;
  readonly file: UploadedFile | null;
}

/**
 * The list of a request and who is behind the payer's phone. Only an active sacco has them: phones are looked up for it. The payer
 * comes first: whoever has asked for too many is refused before a long list is read.
 */
async function lookedUp(
  { database }: Deps,
  official: OfficialReader,
  { body, file }: Sent,
): Promise<{ readonly found: FoundList; readonly payer: FoundPayer | null }> {
  const [sacco] = await database.sql<{ state: string }[]>`select state from saccos where id = ${official.saccoId}`;
  if (sacco?.state !== 'active') throw new Refusal('sacco_inactive');
  const bytesOfList = file ? file.bytes.length : 0;
  const payer = await findPayer(database, official, { phone: body.payer_phone, bytesOfList });
  const found = await asSystem(() => findLines(database, official.saccoId, file?.bytes ?? body.list_text));
  if (found.problem === null) return { found, payer };
  throw new Refusal('validation_failed', { message: found.problem, errors: { list_text: [found.problem] } });
}

const TEXT_SHOWN = 60;

const told = (wrong: readonly Wrong[]) => ({
  wrong: wrong
    .slice(0, contract.WRONG_LINES_TOLD)
    .map(({ line, text, cell, why }) => ({ line, text: text.slice(0, TEXT_SHOWN), cell, why })),
  wrong_count: wrong.length,
});

function payerRoutes(deps: Deps): Binding[] {
  const { database } = deps;
  return [
    bindHandler(contract.listMyCheckOffs, ({ actor, query }) => myCheckOffs(deps, actor.userId, query)),
    bindHandler(contract.readMyCheckOff, ({ actor, params }) => myCheckOff(database, actor.userId, params.id)),
    bindHandler(contract.listMyCheckOffLines, ({ actor, params: { id }, query }) =>
      myCheckOffLines(deps, actor.userId, { id, query }),
    ),
    // In a batch queue, which keeps the key and runs as the platform.
    bindBatched(contract.payCheckOff, 'check_off_payments', async (tx, calls) => {
      await lockPayments(
        tx,
        calls.map(({ actor, params }) => ({ userId: actor.userId, id: params.id })),
      );
      return eachAlone(tx, calls, (call) => paid(tx, call));
    }),
    bindHandler(contract.declineCheckOff, async ({ actor, params: { id }, body: { reason } }) => {
      await asSystem(() => database.transaction((tx) => declineCheckOff(tx, actor, { id, reason })));
      const message = sentence('Declined. The officials of the sacco are told why.');
      return { success: true as const, message, check_off: await myCheckOff(database, actor.userId, id) };
    }),
  ] as Binding[];
}

async function paid(
  tx: Tx,
  { actor, params: { id }, body }: Call<typeof contract.payCheckOff>,
): Promise<Answer<typeof contract.payCheckOff>> {
  const receipt = await payCheckOff(tx, actor, { id, amountCents: body.amount });
  const message = sentence('Paid. It is shared out to the members now.');
  return { success: true as const, message, check_off: await myCheckOff(tx, actor.userId, id), receipt };
}
