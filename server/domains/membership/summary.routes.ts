import { readSummary } from '@ushirika/contract/summary';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler } from '../../http/bind.ts';
import type { SummaryPart } from '../wallet/summary-part.ts';
import { summaries } from './summary.queries.ts';

export interface SummaryDependencies {
  readonly database: Database;
  /** What each domain adds. */
  readonly parts: readonly SummaryPart[];
}

export function summaryRoutes({ database, parts }: SummaryDependencies): Binding[] {
  const summaryOf = summaries(database, parts);
  return [bindHandler(readSummary, ({ actor }) => summaryOf(actor.userId))] as Binding[];
}
