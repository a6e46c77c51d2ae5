import * as contract from '@ushirika/contract/dividends';
import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler } from '../../http/bind.ts';
import { changeById } from '../saccos/changes.queries.ts';
import type { ChangeExecutors } from '../saccos/changes.types.ts';
import { proposeChange } from '../saccos/propose-change.ts';
import { chooseDividend } from './choose-dividend.ts';
import { closingToKeep } from './close-year.ts';
import { deskOf, simulationOf } from './desk.queries.ts';
import { ownDividend, ownDividends, yearOf, yearsOf } from './dividends.queries.ts';
import { type DividendLoans, payDividends } from './pay-dividends.ts';
import { paymentsOf } from './payments.queries.ts';
import { reckonYears } from './reckon-years.ts';
import { recordResidence, residencesOf } from './record-residence.ts';

export interface DividendsDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  readonly changes: ChangeExecutors;
}

/** Dividends. Members read as themselves; for officials of the sacco the platform adds up its books and members. */
export function dividendsRoutes({ database, publicUrl, changes }: DividendsDependencies): Binding[] {
  return [
    bindHandler(contract.readDividends, ({ actor, saccoId }) => yearsOf(database, { userId: actor.userId, saccoId })),
    bindHandler(contract.readDividend, ({ actor, saccoId, params }) =>
      yearOf(database, { userId: actor.userId, saccoId }, params.year),
    ),
    bindHandler(contract.readOwnDividends, async ({ actor }) => ({
      dividends: await ownDividends(database, actor.userId),
    })),
    bindHandler(contract.readOwnDividend, ({ actor, params: { sacco, year } }) =>
      ownDividend(database, { userId: actor.userId, saccoId: sacco }, year),
    ),
    bindHandler(contract.chooseDividend, async ({ actor, saccoId, body: { into } }) => {
      await database.transaction((tx) => chooseDividend(tx, actor, { saccoId, into }));
      return { success: true as const, message: sentence('Chosen. It holds for every later dividend.'), into };
    }),
    bindHandler(contract.readDividendDesk, ({ saccoId }) => asSystem(() => deskOf(database, saccoId))),
    bindHandler(contract.readDividendPayments, ({ actor, saccoId, params: { year }, query }) =>
      paymentsOf({ database, publicUrl }, { userId: actor.userId, saccoId, year }, query),
    ),
    bindHandler(contract.recordResidence, async ({ actor, saccoId, params, body: { lives, paper } }) => {
      const input = { saccoId, membershipId: params.id, lives, paper };
      await asSystem(() => database.transaction((tx) => recordResidence(tx, actor, input)));
      return { success: true as const, message: sentence('Recorded. The member is told.'), lives };
    }),
    bindHandler(contract.listResidences, ({ saccoId }) =>
      asSystem(async () => ({ results: await residencesOf(database, saccoId) })),
    ),
    bindHandler(contract.simulateDividend, ({ actor, saccoId, query }) =>
      asSystem(() => simulationOf(database, { userId: actor.userId, saccoId }, query)),
    ),
    bindHandler(contract.closeYear, async ({ actor, saccoId, body: { year } }) => {
      const about = { saccoId, proposedBy: actor.userId };
      const kind = 'year_closing';
      const id = await asSystem(() =>
        database.transaction(async (tx) => {
          const payload = await closingToKeep(tx, saccoId, year);
          return proposeChange(tx, about, { kind, payload }, changes[kind]);
        }),
      );
      const message = sentence('Proposed. It takes effect 24 hours after a second official confirms it.');
      return { success: true as const, message, change: await changeById(database, actor, { id, saccoId }, changes) };
    }),
  ] as Binding[];
}

export function dividendsTasks({ database, loans }: { readonly database: Database; readonly loans: DividendLoans }) {
  return {
    pay_dividends: async () => {
      await reckonYears(database);
      await payDividends(database, loans);
    },
  };
}

export const dividendsSchedules = [{ task: 'pay_dividends', everySeconds: 15 }] as const;
