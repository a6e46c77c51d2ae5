import type { AboutType, OperatorAct } from '@ushirika/contract/operator-acts';
import { publicFigures as publicFiguresRoute } from '@ushirika/contract/public';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import * as contract from '@ushirika/contract/saccos';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindFile, bindHandler, bindVerb } from '../../http/bind.ts';
import { requireProof } from '../identity/prove-password.ts';
import { activationChecklist } from './activation-checklist.ts';
import { changesRoutes, changesSchedules, changesTasks } from './changes.routes.ts';
import type { ChangeExecutors } from './changes.types.ts';
import { confirmNaming, refuseNaming, takeBackOfficial, withdrawNaming } from './decide-naming.ts';
import { inviteToOffice } from './invite-to-office.ts';
import { lapseSuspensions } from './lapse-suspensions.ts';
import { namingById, namingsOf } from './namings.queries.ts';
import { acceptOffice, invitationsOf, sendOfficeInvitation } from './office-invitations.ts';
import { publicFigures } from './public-figures.ts';
import { readLogo } from './read-logo.ts';
import { readSacco, saccoById } from './read-sacco.ts';
import { recordCheck } from './record-check.ts';
import { recordOfficial } from './record-official.ts';
import { redrawLogo } from './redraw-picture.ts';
import { registerSacco } from './register-sacco.ts';
import { resubmitSacco } from './resubmit-sacco.ts';
import { termsOnDay } from './sacco-terms.ts';
import { listOfSaccos } from './saccos.queries.ts';
import { POINTS_BY_HAND } from './saccos.rules.ts';
import { tellOfSuspensions } from './tell-of-suspensions.ts';

export interface SaccosDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly changes: ChangeExecutors;
  /** Keeps what an operator did in the log of operators (operator/note-action.ts). */
  readonly noteOperatorAct: (
    tx: Tx,
    actor: { readonly userId: string },
    act: { readonly action: OperatorAct; readonly about: { type: AboutType; id: string }; readonly reason: string },
  ) => Promise<void>;
  /** Names an official once a second operator confirms it (operator/proposals.ts). */
  readonly proposeNaming: (
    tx: Tx,
    actor: { readonly userId: string },
    naming: { readonly namingId: string; readonly reason: Text },
  ) => Promise<unknown>;
  /** How an uploaded picture becomes ours; `prove/uploads/` puts a weaker one here to see that it is noticed. */
  readonly redraw?: typeof redrawLogo;
}

const YEAR_SECONDS = 31_536_000;
const MINUTE_SECONDS = 60;

export function saccosRoutes(deps: SaccosDependencies): Binding[] {
  return [...changesRoutes(deps), ...saccoRoutes(deps), ...officeRoutes(deps), ...activationRoutes(deps)];
}

/** The log of the desk says this of it. */
const AS_OFFICE: Readonly<Record<Office, Text>> = {
  chair: 'As chair.',
  vice_chair: 'As vice chair.',
  secretary: 'As secretary.',
  treasurer: 'As treasurer.',
  credit_committee: 'As credit committee member.',
  supervisory_committee: 'As supervisory committee member.',
  manager: 'As manager.',
};

const NAMED = {
  recorded: sentence('Your office is recorded.'),
  asked: sentence('If somebody with that ID number is registered here, an SMS asks them to accept.'),
  proposed: sentence('Your word is kept. A second operator must confirm it.'),
} as const;

/** Routes that lead up to an activation; the acts of operators are in their log. */
function activationRoutes({ database, noteOperatorAct, proposeNaming }: SaccosDependencies): Binding[] {
  return [
    bindHandler(contract.withdrawOfficial, async ({ actor, params, body }) => {
      const input = { saccoId: params.id, idNumber: body.id_number, office: body.office };
      // The platform writes: whoever named somebody does not change the row.
      await asSystem(() =>
        database.transaction(async (tx) => {
          const { isByOperator } = await takeBackOfficial(tx, actor, input);
          const about = { type: 'sacco', id: params.id } as const;
          if (isByOperator) {
            await noteOperatorAct(tx, actor, { action: 'official_taken_back', about, reason: AS_OFFICE[body.office] });
          }
        }),
      );
      const message = sentence('Taken back. Whoever was asked cannot take the office up any more.');
      return { success: true as const, message };
    }),
    bindHandler(contract.recordOfficial, async ({ actor, params, body }) => {
      const input = { saccoId: params.id, idNumber: body.id_number, office: body.office };
      const act = async (tx: Tx) => {
        const { state, namingId } = await recordOfficial(tx, actor, input);
        if (state === 'proposed') {
          await requireProof(tx, actor);
          await proposeNaming(tx, actor, { namingId: namingId as string, reason: AS_OFFICE[body.office] });
        }
        return state;
      };
      // The platform writes: whose account looks like that of whoever holds an office is nobody's to read.
      const state = await asSystem(() => database.transaction(act));
      return { success: true as const, message: NAMED[state], official: { office: body.office, state } };
    }),
    bindVerb(contract.recordSaccoCheck, async (tx, { actor, params, body }) => {
      const sasraNumber = body.sasra_number ?? null;
      await recordCheck(tx, actor, { saccoId: params.id, point: params.point, note: body.note, sasraNumber });
      const about = { type: 'sacco', id: params.id } as const;
      const reason = `${POINTS_BY_HAND[params.point]}: ${body.note}`.slice(0, 500);
      await noteOperatorAct(tx, actor, { action: 'sacco_check_recorded', about, reason });
      return {
        success: true as const,
        message: sentence('Noted.'),
        checklist: await activationChecklist(tx, params.id),
      };
    }),
  ] as Binding[];
}

function saccoRoutes(deps: SaccosDependencies): Binding[] {
  const { database, publicUrl, redraw = redrawLogo } = deps;
  return [
    bindHandler(contract.listSaccos, ({ actor, query }) => listOfSaccos(database, publicUrl, actor, query)),
    bindHandler(contract.readSacco, ({ actor, params }) => readSacco(database, params.id, actor)),
    bindHandler(contract.readSaccoTerms, ({ params, query }) => termsOnDay(database, params.id, query.on)),
    bindHandler(contract.createSacco, async ({ actor, body, file }) => {
      if (body.created_by !== actor.userId) {
        throw new Refusal('not_allowed', { message: sentence('You register a sacco in your own name only.') });
      }
      // Drawn before the transaction begins: it takes a while and needs no lock.
      const logo = file ? await redraw(file.bytes, actor.userId) : null;
      const { id } = await database.transaction((tx) => registerSacco(tx, actor, { ...particularsOf(body), logo }));
      const message = sentence('Your sacco is registered. It becomes active once an operator has checked it.');
      return { success: true as const, message, sacco: await saccoById(database, id, actor) };
    }),
    bindHandler(contract.resubmitSacco, async ({ actor, params, body }) => {
      await database.transaction((tx) => resubmitSacco(tx, actor, { ...particularsOf(body), saccoId: params.id }));
      const message = sentence('Submitted again. It becomes active once an operator has checked it.');
      return { success: true as const, message, sacco: await saccoById(database, params.id, actor) };
    }),
    bindFile(contract.readSaccoLogo, async ({ actor, params, query }) => {
      const { webp, version, isPublic } = await readLogo(database, params.id, actor);
      // With its version in the address a picture never changes. One that nobody has looked at is kept by nobody.
      const cacheSeconds = query.v === version ? YEAR_SECONDS : MINUTE_SECONDS;
      return { contentType: 'image/webp', bytes: webp, ...(isPublic ? { cacheSeconds } : {}) };
    }),
    bindHandler(publicFiguresRoute, () => publicFigures(database)),
  ] as Binding[];
}

/** Offices that people are asked to take up. The platform writes: nobody puts a person into an office, not even that person. */
function officeRoutes({ database }: SaccosDependencies): Binding[] {
  const decided = async (message: Sentence, asker: { userId: string; saccoId: string }, id: string) => ({
    success: true as const,
    message,
    invitation: await namingById(database, asker, id),
  });
  return [
    bindHandler(contract.listOfficeInvitations, async ({ actor }) => {
      const results = await invitationsOf(database, actor);
      return { count: results.length, next: null, previous: null, results };
    }),
    bindHandler(contract.acceptOffice, async ({ actor, params, body }) => {
      const input = { invitationId: params.id, code: body.code };
      const { saccoName, office } = await asSystem(() => database.transaction((tx) => acceptOffice(tx, actor, input)));
      return {
        success: true as const,
        message: sentence('You are now an official of {name}.', { name: saccoName }),
        office,
      };
    }),
    bindHandler(contract.inviteToOffice, async ({ actor, saccoId, body }) => {
      const input = { saccoId, idNumber: body.id_number, office: body.office };
      const id = await asSystem(() => database.transaction((tx) => inviteToOffice(tx, actor, input)));
      const message = sentence('Written down. Nobody is asked before a second official confirms it.');
      return decided(message, { userId: actor.userId, saccoId }, id);
    }),
    bindHandler(contract.listOfficeNamings, async ({ actor, saccoId }) => {
      const results = await namingsOf(database, { userId: actor.userId, saccoId });
      return { count: results.length, next: null, previous: null, results };
    }),
    bindHandler(contract.confirmOfficeNaming, async ({ actor, saccoId, params: { id } }) => {
      await asSystem(() => database.transaction((tx) => confirmNaming(tx, actor, { namingId: id, saccoId })));
      const message = sentence(
        'Confirmed. If somebody with that ID number is registered here, an SMS asks them to accept.',
      );
      return decided(message, { userId: actor.userId, saccoId }, id);
    }),
    bindHandler(contract.refuseOfficeNaming, async ({ actor, saccoId, params: { id }, body: { reason } }) => {
      const input = { namingId: id, saccoId, reason };
      const became = await asSystem(() => database.transaction((tx) => refuseNaming(tx, actor, input)));
      const message =
        became === 'refused'
          ? sentence('Refused. Nothing changes.')
          : sentence(
              'Your no is recorded. You have refused somebody for this office lately, so another official must say no too.',
            );
      return decided(message, { userId: actor.userId, saccoId }, id);
    }),
    bindHandler(contract.withdrawOfficeNaming, async ({ actor, saccoId, params: { id } }) => {
      await asSystem(() => database.transaction((tx) => withdrawNaming(tx, actor, { namingId: id, saccoId })));
      return decided(sentence('Taken back. Nothing changes.'), { userId: actor.userId, saccoId }, id);
    }),
  ] as Binding[];
}

export function saccosTasks({ database, changes }: Pick<SaccosDependencies, 'database' | 'changes'>) {
  return {
    ...changesTasks({ database, changes }),
    lapse_sacco_suspensions: () => lapseSuspensions(database),
    tell_of_sacco_suspensions: () => tellOfSuspensions(database),
    send_office_invitation: (payload: unknown) => sendOfficeInvitation(database, payload),
  };
}

export const saccosSchedules = [
  ...changesSchedules,
  { task: 'lapse_sacco_suspensions', everySeconds: 60 },
  { task: 'tell_of_sacco_suspensions', everySeconds: 60 },
];

type Terms = {
  name: string;
  description: string;
  reg_no: string;
  reg_fee: number;
  min_shares: number;
  share_value: number;
};

function particularsOf(body: Terms & { readonly type: contract.SaccoType }) {
  return {
    name: body.name,
    description: body.description,
    regNo: body.reg_no,
    regFeeCents: body.reg_fee,
    minShares: body.min_shares,
    shareValueCents: body.share_value,
    type: body.type,
  };
}
