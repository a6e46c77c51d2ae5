import type { Tx } from '../../db/tx.ts';
import { decideCheckOff } from '../../domains/loans/decide-check-off.ts';
import { makeCheckOff } from '../../domains/loans/make-check-off.ts';
import { payCheckOff } from '../../domains/loans/pay-check-off.ts';
import { runCheckOffs } from '../../domains/loans/run-check-offs.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { register } from '../member-acts.ts';
import { topUp } from '../money-acts.ts';
import { type DemoPerson, treasurer, wanjiru } from '../people.ts';
import { mwangaza } from '../saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from '../scene.ts';
import { signedIn } from '../signed-in.ts';
import { committee } from './loan-stories.ts';

/** Pays the wages of some members, and is a member of no sacco. */
const payroll: DemoPerson = {
  idNumber: '29114406',
  firstName: 'Salome',
  lastName: 'Wekulo',
  phone: '254726118207',
};

interface DemoList {
  readonly employer: string;
  readonly payer: DemoPerson;
  readonly by: DemoPerson;
  readonly day: number;
  /** Members and what was kept back of their wages, in shillings. */
  readonly lines: readonly (readonly [DemoPerson, number])[];
}

const staff = mwangaza.members.slice(3, 11);
const amounts = [1_800, 2_400, 950, 1_500, 1_200, 3_000, 700, 1_250];
const lines = staff.map((person, index) => [person, amounts[index] ?? 1_000] as const);

const paid: DemoList = {
  employer: 'Marikiti Cold Stores',
  payer: payroll,
  by: treasurer,
  day: 359,
  lines: [[wanjiru, 1_600], ...lines],
};
const listed: DemoList = {
  employer: 'Gikomba Market Offices',
  payer: payroll,
  by: committee.manager,
  day: 363,
  lines: lines.slice(0, 6),
};
const checked: DemoList = {
  employer: 'Wanjiru Tailors',
  payer: wanjiru,
  by: treasurer,
  day: 362,
  lines: lines.slice(4, 7),
};

/** Three lists of Mwangaza: one that is paid and shared out, one that waits for its payer, one for the second official. */
export const checkOffs: DemoPart = {
  happenings(scene, cast) {
    const ids = new Map<DemoList, string>();
    const total = paid.lines.reduce((sum, [, shillings]) => sum + shillings, 0);
    return [
      register(scene, cast, payroll, at(scene, 356)),
      topUp(scene, cast, payroll, (total + 500) * 100, at(scene, 357)),
      ...[paid, checked, listed].map((list) => makes(scene, cast, ids, list)),
      ...[paid, checked].map((list) => checks(scene, cast, ids, list)),
      pays(scene, cast, ids),
      // As the job does that the payment enqueues.
      {
        at: new Date(at(scene, paid.day + 1).getTime() + 60_000),
        what: `the check-off of ${paid.employer} is shared out`,
        act: () => runCheckOffs(scene.database),
      },
    ];
  },
  async missing(sql) {
    const rows = await sql<{ state: string }[]>`select distinct state from check_offs`;
    const found = new Set(rows.map(({ state }) => state));
    return ['listed', 'checked', 'done'].filter((state) => !found.has(state)).map((state) => `a check-off: ${state}`);
  },
};

function makes(scene: Scene, cast: Cast, ids: Map<DemoList, string>, list: DemoList): Happening {
  const { by, employer, payer, day } = list;
  return {
    at: at(scene, day),
    what: `the check-off of ${employer} is listed`,
    async act(tx: Tx) {
      const saccoId = cast.sacco(mwangaza);
      const input = { employer, payerId: cast.person(payer).userId, lines: await linesOf(tx, cast, list) };
      ids.set(list, await makeCheckOff(tx, { ...cast.person(by), saccoId }, input));
    },
  };
}

/** The other one of the two who make lists. */
function checks(scene: Scene, cast: Cast, ids: Map<DemoList, string>, list: DemoList): Happening {
  return {
    at: at(scene, list.day, 4),
    what: `the check-off of ${list.employer} is checked`,
    act: (tx: Tx) =>
      decideCheckOff(
        tx,
        { ...cast.person(committee.manager), saccoId: cast.sacco(mwangaza) },
        { id: ids.get(list) ?? '', decision: 'approve' },
      ),
  };
}

function pays(scene: Scene, cast: Cast, ids: Map<DemoList, string>): Happening {
  return {
    at: at(scene, paid.day + 1),
    what: `${payroll.firstName} pays the check-off of ${paid.employer}`,
    act: (tx: Tx) =>
      signedIn(tx, cast, payroll, (actor) =>
        payCheckOff(tx, actor, {
          id: ids.get(paid) ?? '',
          amountCents: paid.lines.reduce((sum, [, shillings]) => sum + shillings * 100, 0),
        }),
      ),
  };
}

async function linesOf(tx: Tx, cast: Cast, list: DemoList) {
  const userIds = list.lines.map(([person]) => cast.person(person).userId);
  const rows = await tx.sql<{ id: string; user_id: string }[]>`
    select id, user_id from memberships
    where sacco_id = ${cast.sacco(mwangaza)} and user_id = any (${texts(userIds)}::uuid[])`;
  const memberOf = new Map(rows.map(({ id, user_id }) => [user_id, id]));
  return list.lines.map(([person, shillings]) => ({
    member: memberOf.get(cast.person(person).userId) ?? '',
    amountCents: shillings * 100,
  }));
}
