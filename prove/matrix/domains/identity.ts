import { recordCard } from '../../../server/domains/membership/record-card.ts';
import { confirmNaming } from '../../../server/domains/saccos/decide-naming.ts';
import { inviteToOffice } from '../../../server/domains/saccos/invite-to-office.ts';
import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, NOBODYS, of } from '../domain-part.ts';
import type { RoutePolicy } from '../policy.ts';

/** Who sees cards: every official but those who supervise the records. */
const sees = (side: string) =>
  ['chair', 'vice_chair', 'secretary', 'treasurer', 'credit_committee', 'manager']
    .map((office) => `${office} of ${side}`)
    .join('/');

/** ID cards that officials and operators record, and offices for which a chair invites (docs/decisions/180 and 181). */
export const identity: DomainPart = {
  policies: {
    recordIdentityCheck: {
      caller: 'official',
      offices: ['chair', 'vice_chair', 'secretary', 'treasurer', 'credit_committee', 'manager'],
      lines: `
      signed in    | saccoId malformed/absent          | 400 sacco_required
      ${sees('A')} | saccoId A, id unseen              | 201
      ${sees('A')} | saccoId A, id hers                | 422 card_not_of_account
      ${sees('A')} | saccoId A, id self                | 422 own_card
      ${sees('A')} | saccoId A                         | 404 not_found
      ${sees('B')} | saccoId B, id foreign             | 422 card_not_of_account
      ${sees('B')} | saccoId B, id self                | 422 own_card
      ${sees('B')} | saccoId B                         | 404 not_found
      founder      | saccoId waiting/rejected, id malformed | 404 not_found
      founder      | saccoId waiting/rejected          | 422 sacco_inactive
      signed in    | *                                 | 403 not_allowed`,
      shows: `
      ${sees('A')} | names of A
      ${sees('B')} | names of B`,
      counterparty: ['public.identity_checks', 'public.notifications'],
    },
    listIdentityChecks: {
      ...officialList(),
      shows: `
      officials of A | names of A
      officials of B | names of B`,
      notes: 'public.member_record_readings',
    },
    withdrawIdentityCheck: {
      ...saccosOwn(),
      counterparty: ['public.identity_checks', 'public.notifications'],
    },
    recordOperatorIdentityCheck: {
      caller: 'operator',
      lines: `
      operator | id self    | 422 own_card
      operator | id another | 201
      operator | *          | 404 not_found`,
      shows: 'operator | names',
      counterparty: ['public.identity_checks', 'public.notifications'],
    },
    listOperatorIdentityChecks: {
      caller: 'operator',
      lines: `
      operator | cursor malformed  | 400 validation_failed
      operator | person malformed  | 400 validation_failed
      operator | seen_by malformed | 400 validation_failed
      operator | *                 | 200`,
      shows: 'operator | names',
      notes: 'public.operator_actions',
    },
    withdrawOperatorIdentityCheck: {
      caller: 'operator',
      lines: `
      operator | id hers/foreign | 200
      operator | *               | 404 not_found`,
      shows: 'operator | names',
      counterparty: ['public.identity_checks', 'public.notifications'],
    },
    inviteToOffice: {
      caller: 'official',
      offices: ['chair'],
      lines: `
      chair of A | saccoId A                | 202
      chair of B | saccoId B                | 202
      founder    | saccoId waiting/rejected | 422 sacco_inactive
      signed in  | saccoId malformed/absent | 400 sacco_required
      signed in  | *                        | 403 not_allowed`,
      shows: `
      chair of A | particulars of A
      chair of B | particulars`,
      counterparty: ['public.notifications'],
    },
    listOfficeNamings: {
      caller: 'official',
      lines: `
      officials of A | saccoId A                | 200
      officials of B | saccoId B                | 200
      founder        | saccoId waiting/rejected | 200
      signed in      | saccoId malformed/absent | 400 sacco_required
      signed in      | *                        | 403 not_allowed`,
      // Founders have typed the ID numbers of the people whom they named.
      shows: `
      officials of A | particulars of A
      officials of B | particulars of B
      founder        | particulars of A`,
    },
    confirmOfficeNaming: {
      ...saccosOwn('409 second_official_required', 'chair'),
      counterparty: ['public.notifications', 'public.office_invitations'],
    },
    refuseOfficeNaming: {
      ...saccosOwn('200', 'chair'),
      counterparty: ['public.notifications', 'public.office_invitations'],
    },
    withdrawOfficial: { caller: 'signed_in', lines: 'signed in | * | 404 not_found' },
    withdrawOfficeNaming: {
      caller: 'official',
      lines: `
      signed in                 | saccoId malformed/absent | 400 sacco_required
      chair of A                | saccoId A, id hers       | 200
      chair of B                | saccoId B, id foreign    | 200
      officials of A            | saccoId A                | 404 not_found
      officials of B            | saccoId B                | 404 not_found
      founder                   | saccoId waiting/rejected | 404 not_found
      signed in                 | *                        | 403 not_allowed`,
      shows: `
      officials of A | particulars of A
      officials of B | particulars of B`,
    },
  },
  fixtures: {
    'recordIdentityCheck.id': id('membership'),
    'withdrawIdentityCheck.id': id('identity check'),
    'recordOperatorIdentityCheck.id': id('person'),
    'withdrawOperatorIdentityCheck.id': id('identity check'),
    person: id('person'),
    seen_by: id('person'),
    document: is('passport'),
    number: of((_, cast) => cast.person('bystander').idNumber),
    'confirmOfficeNaming.id': id('office naming'),
    'refuseOfficeNaming.id': id('office naming'),
    'withdrawOfficeNaming.id': id('office naming'),
    'withdrawOfficial.id': id('waiting sacco'),
    'withdrawOfficial.office': is('credit_committee'),
    'withdrawOfficial.id_number': of((_, cast) => cast.person('bystander').idNumber),
    'inviteToOffice.office': is('credit_committee'),
    'inviteToOffice.id_number': of((_, cast) => cast.person('bystander').idNumber),
  },
  raise: raiseIdentity,
  async attacked({ product, victim, founder, operator, sacco, canary }) {
    const { owner, now, newId } = product.database;
    const [membership] = await owner<{ id: string }[]>`
      select id from memberships where user_id = ${victim.id} and sacco_id = ${sacco}`;
    await owner`
      insert into identity_checks
        (id, user_id, seen_by, sacco_id, office, document, seen_at, ended_at, end_kind, ended_by, end_reason)
      values (${newId()}, ${victim.id}, ${founder.id}, ${sacco}, 'chair', 'passport', ${now()}, ${now()}, 'withdrawn',
              ${founder.id}, ${`${canary}: it was another's`})`;
    // Two that still stand, to be taken back.
    const [officials, operators] = [newId(), newId()];
    await owner`
      insert into identity_checks (id, user_id, seen_by, sacco_id, office, document, seen_at)
      values (${officials}, ${victim.id}, ${founder.id}, ${sacco}, 'chair', 'passport', ${now()}),
             (${operators}, ${founder.id}, ${operator.id}, null, null, 'passport', ${now()})`;
    const naming = newId();
    await owner`
      insert into office_invitations (id, sacco_id, office, id_number, invited_by, created_at, expires_at, state, named_as)
      values (${naming}, ${sacco}, 'manager', ${victim.idNumber}, ${founder.id}, ${now()},
              ${new Date(now().getTime() + 86_400_000)}, 'waiting', 'chair')`;
    const card = { document: 'passport', number: victim.idNumber };
    const reason = { reason: 'Nobody stops me when I do this.' };
    return {
      recordIdentityCheck: [[`/sacco/members/${membership?.id}/identity-checks`, { sacco, body: card }]],
      listIdentityChecks: [['/sacco/identity-checks', { sacco }]],
      withdrawIdentityCheck: [[`/sacco/identity-checks/${officials}/withdrawal`, { sacco, body: reason }]],
      recordOperatorIdentityCheck: [[`/operator/people/${victim.id}/identity-checks`, { body: card }]],
      listOperatorIdentityChecks: [['/operator/identity-checks']],
      withdrawOperatorIdentityCheck: [[`/operator/identity-checks/${operators}/withdrawal`, { body: reason }]],
      inviteToOffice: [
        ['/sacco/office-invitations', { sacco, body: { office: 'manager', id_number: victim.idNumber } }],
      ],
      listOfficeNamings: [['/sacco/office-invitations', { sacco }]],
      confirmOfficeNaming: [[`/sacco/office-invitations/${naming}/confirmation`, { sacco }]],
      refuseOfficeNaming: [[`/sacco/office-invitations/${naming}/refusal`, { sacco, body: reason }]],
      withdrawOfficial: [
        [`/sacco/${sacco}/officials/withdrawal`, { body: { office: 'manager', id_number: victim.idNumber } }],
      ],
      withdrawOfficeNaming: [[`/sacco/office-invitations/${naming}/withdrawal`, { sacco }]],
    };
  },
  withoutActs: {
    recordIdentityCheck: 'it moves no money, and who saw what is an invariant: server/domains/membership/cards.test.ts',
    withdrawIdentityCheck: 'the same',
    recordOperatorIdentityCheck: 'the same: server/domains/operator/identity-checks.test.ts',
    withdrawOperatorIdentityCheck: 'the same',
    inviteToOffice: 'it moves no money; offices are taken up in acts/saccos.ts: server/domains/saccos/namings.test.ts',
    confirmOfficeNaming: 'the same',
    refuseOfficeNaming: 'the same',
    withdrawOfficeNaming: 'the same',
    withdrawOfficial: 'the same',
  },
};

/** A list for every official of a sacco, page by page. */
function officialList(): RoutePolicy {
  return {
    caller: 'official',
    lines: `
      officials of A | saccoId A, cursor malformed                | 400 validation_failed
      officials of B | saccoId B, cursor malformed                | 400 validation_failed
      founder        | saccoId waiting/rejected, cursor malformed | 400 validation_failed
      officials of A | saccoId A                                  | 200
      officials of B | saccoId B                                  | 200
      founder        | saccoId waiting/rejected                   | 200
      signed in      | saccoId malformed/absent                   | 400 sacco_required
      signed in      | *                                          | 403 not_allowed`,
  };
}

/** A thing of a sacco that any of its officials decides; whoever it comes from gets another answer. */
function saccosOwn(ownAnswer = '', own?: string): RoutePolicy {
  const ofA = own ? `${own} of A | saccoId A, id hers | ${ownAnswer}` : '';
  const ofB = own ? `${own} of B | saccoId B, id foreign | ${ownAnswer}` : '';
  return {
    caller: 'official',
    lines: `
      signed in      | saccoId malformed/absent | 400 sacco_required
      ${ofA}
      ${ofB}
      officials of A | saccoId A, id hers       | 200
      officials of B | saccoId B, id foreign    | 200
      officials of A | saccoId A                | 404 not_found
      officials of B | saccoId B                | 404 not_found
      founder        | saccoId waiting/rejected | 404 not_found
      signed in      | *                        | 403 not_allowed`,
    shows: `
      officials of A | particulars of A
      officials of B | particulars of B`,
  };
}

/** Memberships, cards that were seen in each sacco, and one invitation to an office of each that waits. */
async function raiseIdentity({ database }: Product, cast: Cast): Promise<Kinds> {
  const membershipOf = async (name: string) => {
    const { id: userId, sacco } = cast.person(name);
    const [row] = await database.owner<{ id: string }[]>`
      select id from memberships where user_id = ${userId} and sacco_id = ${cast.saccos[sacco ?? 'A']}`;
    return row?.id as string;
  };
  const own = new Map<string, string>();
  for (const { person } of cast.identities) {
    if (person?.sacco) own.set(person.id, await membershipOf(person.name));
  }
  const see = async (name: string, side: 'A' | 'B') => {
    const membershipId = await membershipOf(name);
    const card = { saccoId: cast.saccos[side], membershipId, document: 'national_id' as const };
    const seen = { ...card, number: cast.person(name).idNumber };
    const chair = { userId: cast.person(`chair of ${side}`).id };
    return database.transaction((tx) => recordCard(tx, chair, seen, async () => new Set()));
  };
  const invite = async (side: 'A' | 'B', idNumber: string) => {
    const naming = { saccoId: cast.saccos[side], idNumber, office: 'supervisory_committee' as const };
    return database.transaction((tx) => inviteToOffice(tx, { userId: cast.person(`chair of ${side}`).id }, naming));
  };
  // So that the lists have a second page.
  await see('treasurer of A', 'A');
  await see('treasurer of B', 'B');
  const confirmed = await invite('B', '77777777');
  const second = { userId: cast.person('secretary of B').id };
  await database.transaction((tx) => confirmNaming(tx, second, { namingId: confirmed, saccoId: cast.saccos.B }));
  return {
    membership: {
      objects: {
        unseen: await membershipOf('bystander'),
        hers: await membershipOf('owner'),
        foreign: await membershipOf('other'),
        self: (asker) => own.get(asker?.id ?? '') ?? NOBODYS.nonexistent,
        ...NOBODYS,
      },
    },
    'identity check': {
      objects: { hers: await see('owner', 'A'), foreign: await see('other', 'B'), ...NOBODYS },
    },
    'office naming': {
      objects: {
        hers: await invite('A', cast.person('owner').idNumber),
        foreign: await invite('B', cast.person('other').idNumber),
        ...NOBODYS,
      },
    },
  };
}
