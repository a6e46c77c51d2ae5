import { API_BASE } from '@ushirika/contract/constants';
import * as contract from '@ushirika/contract/operator';
import { sentence } from '@ushirika/contract/sentence';
import { linker } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler } from '../../http/bind.ts';
import { identityCheckById, identityChecks } from '../identity/identity-checks.queries.ts';
import { requireProof } from '../identity/prove-password.ts';
import { recordIdentityCheck } from '../identity/record-identity-check.ts';
import { withdrawIdentityCheck } from '../identity/withdraw-identity-check.ts';
import { tellOfWithdrawnCard } from '../membership/tell-of-withdrawn-card.ts';
import { notify } from '../notifications/notify.ts';
import { relatedPairs } from '../referrals/related.ts';
import { noteAction, noteLook } from './note-action.ts';

/** ID cards as operators record and supervise them (docs/decisions/180). The platform writes: the person is told. */
export function identityBindings({ database, publicUrl }: { database: Database; publicUrl: string }): Binding[] {
  return [
    bindHandler(contract.recordOperatorIdentityCheck, async ({ actor, params, body }) =>
      asSystem(async () => {
        const id = await database.transaction(async (tx) => {
          await requireProof(tx, actor);
          const recorded = await recordIdentityCheck(tx, actor, { userId: params.id, ...body, as: null });
          const about = { type: 'person', id: params.id } as const;
          await noteAction(tx, actor, {
            action: 'identity_check_recorded',
            about,
            reason: 'Recorded that an ID card was seen.',
          });
          await notify(tx, {
            userId: params.id,
            template: 'identity_card_recorded',
            causedBy: actor.userId,
            text: sentence('Ushirika recorded that your ID card was seen. If that is not true, call us.'),
          });
          return recorded.id;
        });
        const check = await identityCheckById(database, actor, id, relatedPairs);
        return { success: true as const, message: sentence('Recorded. The person is told.'), check };
      }),
    ),
    bindHandler(contract.listOperatorIdentityChecks, async ({ actor, query }) => {
      await noteLook(database, actor, {
        action: 'identity_checks_listed',
        reason: 'Looked at the records of ID cards.',
      });
      const linkTo = linker(`${publicUrl}${API_BASE}${contract.listOperatorIdentityChecks.path}`, query);
      const whose = { saccoId: null, person: query.person, seenBy: query.seen_by };
      return identityChecks(database, actor, whose, query, { relatedPairs, linkTo });
    }),
    bindHandler(contract.withdrawOperatorIdentityCheck, async ({ actor, params, body }) =>
      asSystem(async () => {
        await database.transaction(async (tx) => {
          await requireProof(tx, actor);
          const input = { checkId: params.id, saccoId: null, reason: body.reason };
          const card = await withdrawIdentityCheck(tx, actor, input);
          const about = { type: 'person', id: card.userId } as const;
          await noteAction(tx, actor, { action: 'identity_check_withdrawn', about, reason: body.reason });
          await tellOfWithdrawnCard(tx, { ...card, withdrawnBy: actor.userId, isByOperator: true });
        });
        const check = await identityCheckById(database, actor, params.id, relatedPairs);
        return { success: true as const, message: sentence('Taken back. The record stays, with your reason.'), check };
      }),
    ),
  ] as Binding[];
}
