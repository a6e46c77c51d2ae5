import type { Tx } from '../../db/tx.ts';
import { type ExceptionAction, examineResolution, resolveException } from './resolve-exception.ts';

/** For tests: two operators resolve an exception. The second is any person whose money it is not. */
export async function resolveByTwo(
  tx: Tx,
  operator: { readonly userId: string },
  input: {
    readonly exceptionId: string;
    readonly action: ExceptionAction;
    readonly userId?: string | undefined;
    readonly reason: string;
  },
): Promise<void> {
  const { exceptionId, action, reason } = input;
  const { beneficiaryId, amountCents } = await examineResolution(tx, input);
  if (action === 'dismiss') return resolveException(tx, operator, { ...input, proposalId: null });
  const proposalId = tx.newId();
  await tx.sql`
    insert into operator_proposals
      (id, kind, about_id, beneficiary_id, amount_cents, reason, state, proposed_by, proposed_at, lapses_at, confirmed_by,
       confirmed_at, confirmation)
    select ${proposalId}, ${action === 'credit' ? 'money_exception_credit' : 'money_exception_return'}, ${exceptionId},
      ${beneficiaryId}, ${amountCents}, ${reason.padEnd(5, '.')}, 'proposed', ${operator.userId}, ${tx.now},
      ${new Date(tx.now.getTime() + 1_000)}, second.id, ${tx.now}, 'Seen, too'
    from (select id from users where id <> ${operator.userId} and id is distinct from ${beneficiaryId}::uuid
          order by id limit 1) second`;
  await resolveException(tx, operator, { ...input, proposalId });
  await tx.sql`update operator_proposals set state = 'done', closed_at = ${tx.now} where id = ${proposalId}`;
}
