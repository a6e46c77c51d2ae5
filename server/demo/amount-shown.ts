import type { RecoveryTake } from '@ushirika/contract/loan-recovery';
import { type Cents, centsFromShillings } from '@ushirika/contract/money';
import type { Tx } from '../db/tx.ts';
import type { Reader } from '../domains/loans/loan-rows.ts';
import { type LateLoan, recoveryOf } from '../domains/loans/recovery-facts.ts';
import { takesOf } from '../domains/loans/recovery-takes.ts';
import { givenUp } from '../domains/loans/write-off-sides.ts';

/**
 * What the desk shows that a step of a loan takes; 0 where that step is not to come. For those who act without the desk's page: the
 * demonstration, tests and harnesses.
 */
export async function amountShown(reader: Reader, loanId: string, step: RecoveryTake['step']): Promise<Cents> {
  const [loan] = await (reader.sql as Tx['sql'])<LateLoan[]>`select * from loans where id = ${loanId}`;
  if (!loan) return 0;
  const takes = await takesOf(reader, loan, await recoveryOf(reader, loan));
  return centsFromShillings(takes.find((take) => take.step === step)?.amount ?? 0) ?? 0;
}

/** The same of what a write-off gives up. */
export async function writeOffShown(reader: Reader, loanId: string): Promise<Cents> {
  const [loan] = await (reader.sql as Tx['sql'])<LateLoan[]>`select * from loans where id = ${loanId}`;
  return loan ? givenUp(loan) : 0;
}
