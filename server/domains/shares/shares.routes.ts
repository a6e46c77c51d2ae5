import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import * as contract from '@ushirika/contract/shares';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindBatched, bindHandler } from '../../http/bind.ts';
import { buyShares } from './buy-shares.ts';
import { sharesOfMember } from './shares.queries.ts';

export interface SharesDependencies {
  readonly database: Database;
  readonly publicUrl: string;
}

export function sharesRoutes(dependencies: SharesDependencies): Binding[] {
  const { database, publicUrl } = dependencies;
  return [
    bindBatched(
      contract.payShares,
      'shares',
      async (tx, calls) => {
        const purchases = calls.map(({ actor, body }) => ({
          userId: actor.userId,
          sessionId: actor.sessionId,
          saccoId: body.sacco,
          shares: body.shares,
          amountCents: body.amount,
        }));
        const answers = await buyShares(tx, purchases);
        return answers.map((answer) => {
          if (answer instanceof Refusal) return answer;
          const { receipt, holding } = answer;
          return {
            success: true as const,
            message: sentence('You have bought {what}.', { what: receipt.what }),
            receipt,
            holding,
          };
        });
      },
      ({ body }) => body.sacco,
    ),
    bindHandler(contract.readShares, ({ actor, saccoId, query }) =>
      sharesOfMember(database, publicUrl, { userId: actor.userId, saccoId }, query),
    ),
  ] as Binding[];
}
