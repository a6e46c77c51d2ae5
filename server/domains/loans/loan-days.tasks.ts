import type { Database } from '../../db/tx.ts';
import type { Schedule, Task } from '../../jobs.ts';
import { runLoanDays } from './run-loan-days.ts';

/** What time does to loans: every day of every sacco once, looked for every quarter of an hour. */
export function loanDaysTasks({ database }: { readonly database: Database }) {
  return { run_loan_days: () => runLoanDays(database) } satisfies Record<string, Task>;
}

export const loanDaysSchedules: readonly Schedule[] = [{ task: 'run_loan_days', everySeconds: 900 }];
