import type { Office } from '@ushirika/contract/route';
import type { INVITED_OFFICES } from '@ushirika/contract/saccos';
import type { Tx } from '../db/tx.ts';
import { comparePayerName, keepMpesaName } from '../domains/identity/mpesa-names.ts';
import { recordCard } from '../domains/membership/record-card.ts';
import { withdrawCard } from '../domains/membership/withdraw-card.ts';
import { relatedPairs } from '../domains/referrals/related.ts';
import { confirmNaming } from '../domains/saccos/decide-naming.ts';
import { inviteToOffice } from '../domains/saccos/invite-to-office.ts';
import { acceptOffice, sendOfficeInvitation } from '../domains/saccos/office-invitations.ts';
import { openOffice } from '../domains/saccos/offices.ts';
import { type DemoPerson, members, newcomer, operator, secondOfficial, secondOperator, treasurer } from './people.ts';
import { type DemoSacco, mwangaza, nuru, umoja } from './saccos.ts';
import { at, type Cast, type DemoPart, type Happening, type Scene } from './scene.ts';

const [secretary, viceChair, manager, asked] = [31, 32, 34, 35].map((place) => members[place] as DemoPerson) as [
  DemoPerson,
  DemoPerson,
  DemoPerson,
  DemoPerson,
];
/** Whom the simulated M-Pesa knows by another name than their account. */
const OTHERWISE = members[11] as DemoPerson;

/** Cards that officials saw, names at M-Pesa, and offices that were taken up in Umoja after its activation. */
export const identity: DemoPart = {
  happenings: (scene, cast) => [
    namesAtMpesa(scene),
    payersName(scene, cast),
    ...cards(scene, cast, mwangaza, [treasurer, secondOfficial]),
    ...cards(scene, cast, umoja, [umoja.founder, secretary]),
    ...cards(scene, cast, nuru, [nuru.founder, nuru.founder]),
    mistake(scene, cast),
    ...offices(scene, cast),
  ],
  async missing(sql) {
    const [found] = await sql<
      { seen: number; unseen: number; taken_back: number; offices: string[]; waiting: number }[]
    >`
      select
        (select count(*)::int from memberships m where exists (
          select from identity_checks c where c.user_id = m.user_id and c.ended_at is null)) as seen,
        (select count(*)::int from memberships m where not exists (
          select from identity_checks c where c.user_id = m.user_id and c.ended_at is null)) as unseen,
        (select count(*)::int from identity_checks where end_kind = 'withdrawn') as taken_back,
        (select array_agg(office) from offices where ended_at is null) as offices,
        (select count(*)::int from office_invitations where state = 'waiting') as waiting`;
    return [
      ...((found?.seen ?? 0) > 2 * (found?.unseen ?? 0) ? [] : ['most members with a card that was seen']),
      ...((found?.unseen ?? 0) > 3 ? [] : ['members whose card nobody has seen']),
      ...(found?.taken_back === 1 ? [] : ['a record that was taken back']),
      ...(['vice_chair', 'manager'].every((office) => found?.offices.includes(office)) ? [] : ['the new offices']),
      ...(found?.waiting === 1 ? [] : ['an invitation that waits for a second official']),
    ];
  },
};

/** Three of four members are seen a few days after they joined, by one official; the officials by one another. */
function cards(
  scene: Scene,
  cast: Cast,
  sacco: DemoSacco,
  [first, second]: readonly [DemoPerson, DemoPerson],
): Happening[] {
  return sacco.members.flatMap((person, position) => {
    if (position % 4 === 3 || (person === first && first === second)) return [];
    return [
      {
        at: at(scene, 200 + position, 6),
        what: `${person.firstName} of ${sacco.name} shows the ID card`,
        act: (tx: Tx) => see(tx, cast, sacco, person, person === first ? second : first),
      },
    ];
  });
}

/** Another part of the demonstration may have needed it earlier. */
export async function see(tx: Tx, cast: Cast, sacco: DemoSacco, person: DemoPerson, by: DemoPerson): Promise<void> {
  const saccoId = cast.sacco(sacco);
  const { userId } = cast.person(person);
  const [seen] = await tx.sql`
    select from identity_checks where user_id = ${userId} and sacco_id = ${saccoId} and ended_at is null`;
  if (seen) return;
  const [member] = await tx.sql<{ id: string }[]>`
    select id from memberships where sacco_id = ${saccoId} and user_id = ${userId}`;
  const card = { document: 'national_id', number: person.idNumber } as const;
  await recordCard(tx, cast.person(by), { saccoId, membershipId: member?.id ?? '', ...card }, relatedPairs);
}

/** One was recorded under the wrong member, and taken back. */
function mistake(scene: Scene, cast: Cast): Happening {
  const person = members[9] as DemoPerson;
  return {
    at: at(scene, 340, 6),
    what: `the card of ${person.firstName} was another's`,
    async act(tx: Tx) {
      const saccoId = cast.sacco(mwangaza);
      const [check] = await tx.sql<{ id: string }[]>`
        select id from identity_checks
        where user_id = ${cast.person(person).userId} and sacco_id = ${saccoId} and ended_at is null`;
      const reason = 'It was the card of his brother: I looked at the number, not at the face.';
      await withdrawCard(tx, cast.person(treasurer), { checkId: check?.id ?? '', saccoId, reason });
    },
  };
}

/** As the simulated M-Pesa has them: what is paid from these phones carries the names of the accounts. */
function namesAtMpesa(scene: Scene): Happening {
  const people = [...members, ...mwangaza.members.slice(0, 3), newcomer, operator, secondOperator];
  return {
    at: at(scene, 0),
    what: 'M-Pesa knows the phones by their names',
    async act(tx: Tx) {
      const names = people.map((person) =>
        person === OTHERWISE ? 'MERCY ADHIAMBO' : `${person.firstName} ${person.lastName}`.toUpperCase(),
      );
      await tx.sql`
        insert into simulator.subscriber (phone, name, balance_cents, paid_on)
        select phone, name, 25000000, '2020-01-01'::date
        from unnest(${people.map(({ phone }) => phone)}::text[], ${names}::text[]) as known (phone, name)
        on conflict do nothing`;
    },
  };
}

/** The newcomer's top-up named him as his account does. */
function payersName(scene: Scene, cast: Cast): Happening {
  return {
    at: at(scene, 359, 1),
    what: 'M-Pesa names the newcomer',
    async act(tx: Tx) {
      const { phone, firstName, lastName } = newcomer;
      const compared = await comparePayerName(tx, { phone, name: `${firstName} ${lastName}`.toUpperCase() });
      if (compared?.userId !== cast.person(newcomer).userId) throw new Error('The newcomer has no confirmed phone.');
      await keepMpesaName(tx, compared, { phone, paidAt: tx.now });
    },
  };
}

/** An operator names a second official on the strength of the minutes; from then on chair and secretary invite others. */
function offices(scene: Scene, cast: Cast): Happening[] {
  const named: Happening = {
    at: at(scene, 130),
    what: `${secretary.firstName} becomes secretary of ${umoja.name}`,
    act: (tx: Tx) =>
      openOffice(tx, cast.operator(), {
        saccoId: cast.sacco(umoja),
        userId: cast.person(secretary).userId,
        office: 'secretary',
      }),
  };
  return [
    named,
    ...takenUp(scene, cast, viceChair, 'vice_chair', 150),
    ...takenUp(scene, cast, manager, 'manager', 180),
    {
      at: at(scene, 363, 3),
      what: `${asked.firstName} is to come into the credit committee`,
      act: (tx: Tx) => invite(tx, cast, asked, 'credit_committee'),
    },
  ];
}

function invite(tx: Tx, cast: Cast, { idNumber }: DemoPerson, office: (typeof INVITED_OFFICES)[number]) {
  return inviteToOffice(tx, cast.person(umoja.founder), { saccoId: cast.sacco(umoja), idNumber, office });
}

/** The code is read from the message that went to the phone, as its owner would. */
function takenUp(
  scene: Scene,
  cast: Cast,
  person: DemoPerson,
  office: Extract<Office, 'vice_chair' | 'manager'>,
  day: number,
): Happening[] {
  const { database } = scene;
  const what = `${person.firstName} becomes ${office} of ${umoja.name}`;
  let namingId = '';
  return [
    {
      at: at(scene, day, 1),
      what,
      async act(tx: Tx) {
        namingId = await invite(tx, cast, person, office);
      },
    },
    {
      at: at(scene, day + 1, 1),
      what,
      act: (tx: Tx) => confirmNaming(tx, cast.person(secretary), { namingId, saccoId: cast.sacco(umoja) }),
    },
    {
      at: at(scene, day + 1, 2),
      what,
      async act() {
        await sendOfficeInvitation(database, { id: namingId });
        const actor = cast.person(person);
        // Their own phones: the SMS with the code is told of once, with whoever came last.
        await database.sql`
          update users set phone_confirmed_at = ${database.now()} where id = ${actor.userId} and phone_confirmed_at is null`;
        const [message] = await database.sql<{ text: string }[]>`
          select text from sms_messages where user_id = ${actor.userId} order by id desc limit 1`;
        const code = /[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/.exec(message?.text ?? '')?.[0] ?? '';
        await database.transaction((tx) => acceptOffice(tx, actor, { invitationId: namingId, code }));
      },
    },
  ];
}
