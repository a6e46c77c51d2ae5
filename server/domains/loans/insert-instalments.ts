import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { integers, texts } from '../../ledger/sql-arrays.ts';

export interface NewInstalment {
  readonly number: number;
  readonly startsOn: string;
  readonly dueOn: string;
  readonly principal: Cents;
  readonly interest: Cents;
}

/** Writes instalments that are still to come, of one loan or of several: as it is paid out, and where its schedule is made anew. */
export async function insertInstalments(
  tx: Tx,
  schedules: readonly { readonly loanId: string; readonly instalments: readonly NewInstalment[] }[],
): Promise<void> {
  const rows = schedules.flatMap(({ loanId, instalments }) => instalments.map((each) => ({ loanId, each })));
  if (rows.length === 0) return;
  await tx.sql`
    insert into loan_instalments (loan_id, number, starts_on, due_on, principal_cents, interest_cents)
    select * from unnest(${texts(rows.map(({ loanId }) => loanId))}::uuid[],
      ${integers(rows.map(({ each }) => each.number))}::smallint[], ${texts(rows.map(({ each }) => each.startsOn))}::date[],
      ${texts(rows.map(({ each }) => each.dueOn))}::date[], ${integers(rows.map(({ each }) => each.principal))}::bigint[],
      ${integers(rows.map(({ each }) => each.interest))}::bigint[])`;
}
