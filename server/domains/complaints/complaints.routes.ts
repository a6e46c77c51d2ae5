import * as contract from '@ushirika/contract/complaints';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { type Binding, bindFile, bindHandler } from '../../http/bind.ts';
import { requireProof } from '../identity/prove-password.ts';
import { noteAction, noteLook } from '../operator/note-action.ts';
import { changeById } from '../saccos/changes.queries.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { type PictureRule, redrawPicture } from '../saccos/redraw-picture.ts';
import { answerComplaint } from './answer-complaint.ts';
import { carryClocks } from './carry-clocks.ts';
import { complaintFigures, termsFor } from './complaint-figures.ts';
import {
  type Asker,
  complaintOf,
  myComplaints,
  operatorComplaints,
  pictureOf,
  refuseUnseen,
  saccoComplaints,
} from './complaints.queries.ts';
import { appealComplaint, closeComplaint, resolveComplaint } from './end-complaint.ts';
import { judgeComplaint, makeComplaint } from './make-complaint.ts';

export interface ComplaintsDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly changes: ChangeExecutors;
}

/** What is written on a paper can be read; and what complaint_pictures holds. */
const PICTURE: PictureRule = { sideMax: 1_600, bytesMax: 1_048_576, refused: 'picture_not_accepted' };

interface Actor {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Complaints. Each side reads as itself. The platform writes: each step is told to the other side, and counted on the
 * public page; who may take it, the verbs and the database say.
 */
export function complaintsRoutes(deps: ComplaintsDependencies): Binding[] {
  return [...memberRoutes(deps), ...officialRoutes(deps), ...operatorRoutes(deps)];
}

/**
 * Does it, and answers with the complaint as whoever did it reads it then. The platform does it; first the person's own policies
 * are asked whether there is such a complaint for them.
 */
async function done(
  database: Database,
  message: Sentence,
  asker: Asker,
  id: string,
  act: (tx: Tx) => Promise<unknown>,
) {
  await refuseUnseen(database, asker, id);
  await asSystem(() => database.transaction(act));
  return { success: true as const, message, complaint: await complaintOf(database, asker, id) };
}

const asMember = ({ userId }: Actor): Asker => ({ userId, side: 'member' });
const asOperator = ({ userId }: Actor): Asker => ({ userId, side: 'operator' });
const asOfficial = ({ userId }: Actor, saccoId: string): Asker => ({ userId, side: 'sacco', saccoId });

function memberRoutes(deps: ComplaintsDependencies): Binding[] {
  const { database } = deps;
  return [
    bindHandler(contract.readComplaintTerms, ({ actor, params }) => termsFor(database, actor.userId, params.id)),
    bindHandler(contract.makeComplaint, async ({ actor, body, file }) => {
      const wanted = { saccoId: body.sacco, kind: body.kind, text: body.text, aboutOffice: body.about ?? null };
      // Drawn before the transaction begins: it takes a while and needs no lock. What is refused anyhow is not drawn.
      await asSystem(() => judgeComplaint({ sql: database.sql, now: database.now() }, actor, wanted));
      const picture = file ? (await redrawPicture(file.bytes, PICTURE, actor.userId)).webp : null;
      const input = { ...wanted, picture };
      const id = await asSystem(() => database.transaction((tx) => makeComplaint(tx, actor, input)));
      const message = sentence('Your complaint is sent. You will be told of each step.');
      return { success: true as const, message, complaint: await complaintOf(database, asMember(actor), id) };
    }),
    bindHandler(contract.listMyComplaints, ({ actor, query }) => myComplaints(deps, actor.userId, query)),
    bindHandler(contract.readMyComplaint, ({ actor, params }) => complaintOf(database, asMember(actor), params.id)),
    bindFile(contract.readMyComplaintPicture, ({ actor, params }) => webp(database, asMember(actor), params.id)),
    bindHandler(contract.closeComplaint, ({ actor, params: { id } }) =>
      done(database, sentence('Closed.'), asMember(actor), id, (tx) => closeComplaint(tx, actor, { complaintId: id })),
    ),
    bindHandler(contract.appealComplaint, ({ actor, params: { id }, body: { text } }) =>
      done(database, sentence('Ushirika decides now. You will be told.'), asMember(actor), id, (tx) =>
        appealComplaint(tx, actor, { complaintId: id, text }),
      ),
    ),
    // For everybody: asked as the platform.
    bindHandler(contract.readComplaintFigures, ({ params }) => asSystem(() => complaintFigures(database, params.id))),
  ] as Binding[];
}

async function webp(database: Database, asker: Asker, id: string) {
  return { contentType: 'image/webp', bytes: await pictureOf(database, asker, id) };
}

function officialRoutes(deps: ComplaintsDependencies): Binding[] {
  const { database, changes } = deps;
  return [
    bindHandler(contract.listSaccoComplaints, ({ actor, saccoId, query }) =>
      saccoComplaints(deps, { userId: actor.userId, saccoId }, query),
    ),
    bindHandler(contract.readSaccoComplaint, ({ actor, saccoId, params }) =>
      complaintOf(database, asOfficial(actor, saccoId), params.id),
    ),
    bindFile(contract.readSaccoComplaintPicture, ({ actor, saccoId, params }) =>
      webp(database, asOfficial(actor, saccoId), params.id),
    ),
    bindHandler(contract.answerComplaint, ({ actor, saccoId, params: { id }, body }) => {
      const input = { complaintId: id, saccoId, text: body.text, isFinal: body.is_final };
      const message = body.is_final
        ? sentence('Answered. The member is told.')
        : sentence('Sent. The final answer is still due.');
      return done(database, message, asOfficial(actor, saccoId), id, (tx) => answerComplaint(tx, actor, input));
    }),
    bindHandler(contract.changeComplaintTerms, async ({ actor, saccoId, body: payload }) => {
      const about = { saccoId, proposedBy: actor.userId };
      const kind = 'complaint_terms';
      const id = await asSystem(() =>
        database.transaction((tx) => proposeChange(tx, about, { kind, payload }, changes[kind])),
      );
      const message = sentence('Proposed. It takes effect 24 hours after a second official confirms it.');
      return { success: true as const, message, change: await changeById(database, actor, { id, saccoId }, changes) };
    }),
  ] as Binding[];
}

function operatorRoutes(deps: ComplaintsDependencies): Binding[] {
  const { database } = deps;
  return [
    bindHandler(contract.listOperatorComplaints, async ({ actor, query }) => {
      await noteLook(database, actor, { action: 'complaints_listed', reason: 'Looked at the complaints.' });
      return operatorComplaints(deps, actor.userId, query);
    }),
    bindHandler(contract.readOperatorComplaint, async ({ actor, params: { id } }) => {
      const found = await complaintOf(database, asOperator(actor), id);
      const about = { type: 'complaint', id } as const;
      await noteLook(database, actor, { action: 'complaint_read', reason: 'Read a complaint.', about });
      return found;
    }),
    bindFile(contract.readOperatorComplaintPicture, async ({ actor, params: { id } }) => {
      const picture = await webp(database, asOperator(actor), id);
      const about = { type: 'complaint', id } as const;
      await noteLook(database, actor, {
        action: 'complaint_read',
        reason: 'Looked at the picture of a complaint.',
        about,
      });
      return picture;
    }),
    bindHandler(contract.resolveComplaint, ({ actor, params: { id }, body: { outcome, reason } }) =>
      done(database, sentence('Decided. Both sides are told.'), asOperator(actor), id, async (tx) => {
        await requireProof(tx, actor);
        await resolveComplaint(tx, actor, { complaintId: id, outcome, reason });
        const about = { type: 'complaint', id } as const;
        await noteAction(tx, actor, { action: `complaint_${outcome}`, about, reason: logged(reason) });
      }),
    ),
  ] as Binding[];
}

/** The log holds 500 characters; the whole reason stands in the complaint. */
const logged = (reason: string) => ([...reason].length > 500 ? `${[...reason].slice(0, 499).join('')}…` : reason);

export function complaintsTasks({ database }: Pick<ComplaintsDependencies, 'database'>) {
  return { carry_complaint_clocks: () => carryClocks(database) };
}

export const complaintsSchedules = [{ task: 'carry_complaint_clocks', everySeconds: 15 }] as const;
