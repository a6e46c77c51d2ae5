import type { Product } from '../../support/product.ts';
import type { Cast, Member } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS, of } from '../domain-part.ts';
import { ownList, ownThing } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

const MAKERS = ['treasurer', 'manager', 'chair', 'vice_chair'] as const;
const TOLD = ['public.notifications', 'public.sms_messages'];
const NAMES = `
      officials of A | names of A
      officials of B | names of B`;
const READ = 'public.member_record_readings';

/** Check-offs: those of one's sacco for its officials, and those that one pays. */
export const checkOffs: DomainPart = {
  policies: {
    // Asked with one’s own phone, of the payer and in the list: the name of nobody else is in the answer.
    previewCheckOff: ofMakers('200'),
    makeCheckOff: { ...ofMakers('201'), notes: READ },
    // A payer reads who made and checked a list of theirs anyhow.
    listCheckOffs: {
      ...ofOfficials(),
      shows: `${NAMES}
      owner/fellow/other | names`,
    },
    readCheckOff: { ...ofOne('officials', '200'), shows: NAMES, notes: READ },
    listCheckOffLines: { ...ofOne('officials', '200'), shows: NAMES, notes: READ },
    decideCheckOff: { ...ofOne(MAKERS, '200'), shows: NAMES, notes: READ, counterparty: TOLD },
    withdrawCheckOff: { ...ofMaker(), shows: NAMES, notes: READ },
    listMyCheckOffs: { ...ownList(), shows: 'owner/fellow/other | names' },
    readMyCheckOff: { ...ownThing('id'), shows: 'owner/fellow/other | names' },
    listMyCheckOffLines: { ...ownThing('id'), shows: 'owner/fellow/other | names' },
    payCheckOff: { ...ownThing('id'), shows: 'owner/fellow/other | names', counterparty: TOLD },
    declineCheckOff: { ...ownThing('id'), shows: 'owner/fellow/other | names', counterparty: TOLD },
  },
  fixtures: {
    'readCheckOff.id': id('listed check-off'),
    'listCheckOffLines.id': id('listed check-off'),
    'decideCheckOff.id': id('listed check-off'),
    'withdrawCheckOff.id': id('listed check-off'),
    'readMyCheckOff.id': id('check-off to pay'),
    'listMyCheckOffLines.id': id('check-off to pay'),
    'payCheckOff.id': id('check-off to pay'),
    'declineCheckOff.id': id('check-off to pay'),
    // A mark is the number of a line, and no secret.
    'listCheckOffLines.cursor': leftOut,
    'listMyCheckOffLines.cursor': leftOut,
    'decideCheckOff.decision': is('approve'),
    'decideCheckOff.reason': leftOut,
    'payCheckOff.amount': is(3),
    employer: is('County of Nairobi'),
    payer_phone: of(({ phone }) => phone),
    list_text: of(({ phone }) => `${phone},10`),
  },
  raise: raiseCheckOffs,
  /** One that she pays, with a line of her own. */
  async attacked({ product, victim, founder, sacco, canary }) {
    const { database } = product;
    const made = { sacco, payer: victim.id, maker: founder.id, lines: [victim.id], employer: canary };
    const checked = await raise(database, { ...made, maker: victim.id, checker: founder.id });
    const listed = await raise(database, made);
    const at = (path: string, body?: unknown) => [[path, body === undefined ? { sacco } : { sacco, body }]] as const;
    const asked = { employer: 'Mallory Stores', list_text: `${victim.phone},1` };
    const [desk, own] = [`/sacco/check-offs/${listed}`, `/check-offs/${checked}`];
    return {
      previewCheckOff: at('/sacco/check-off-previews', { ...asked, payer_phone: victim.phone }),
      makeCheckOff: at('/sacco/check-offs', { ...asked, payer_phone: victim.phone }),
      listCheckOffs: at('/sacco/check-offs'),
      readCheckOff: at(desk),
      listCheckOffLines: at(`${desk}/lines`),
      decideCheckOff: at(`${desk}/decision`, { decision: 'approve' }),
      withdrawCheckOff: at(`${desk}/withdrawal`, { reason: 'Nobody stops me.' }),
      listMyCheckOffs: at('/check-offs'),
      readMyCheckOff: at(own),
      listMyCheckOffLines: at(`${own}/lines`),
      payCheckOff: at(`${own}/payment`, { amount: 1 }),
      declineCheckOff: at(`${own}/refusal`, { reason: 'Nobody stops me.' }),
    };
  },
  withoutActs: {
    makeCheckOff: 'it moves no money',
    previewCheckOff: 'the same',
    decideCheckOff: 'the same',
    withdrawCheckOff: 'the same',
    declineCheckOff: 'the same',
    payCheckOff:
      'it is shared out by a job, with kills and with two at once: server/domains/loans/check-offs.test.ts and bench/b16-check-off.bench.ts',
  },
};

function whoIs(offices: 'officials' | readonly string[], sacco: 'A' | 'B'): string {
  return offices === 'officials' ? `officials of ${sacco}` : offices.map((office) => `${office} of ${sacco}`).join('/');
}

/** Lists are made in active saccos alone. The desk of one that is not active can still be read. */
function ofMakers(answer: string): RoutePolicy {
  return {
    caller: 'official',
    offices: MAKERS,
    lines: `
      signed in             | saccoId malformed/absent | 400 sacco_required
      ${whoIs(MAKERS, 'A')} | saccoId A                | ${answer}
      ${whoIs(MAKERS, 'B')} | saccoId B                | ${answer}
      founder               | saccoId waiting/rejected | 422 sacco_inactive
      signed in             | *                        | 403 not_allowed`,
  };
}

function ofOfficials(): RoutePolicy {
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

/** Of one that belongs to the sacco. */
function ofOne(offices: 'officials' | RoutePolicy['offices'], answer: string): RoutePolicy {
  const who = (sacco: 'A' | 'B') => whoIs(offices ?? 'officials', sacco);
  return {
    caller: 'official',
    ...(offices === 'officials' || !offices ? {} : { offices }),
    lines: `
      signed in   | saccoId malformed/absent | 400 sacco_required
      ${who('A')} | saccoId A, id hers/his   | ${answer}
      ${who('B')} | saccoId B, id foreign    | ${answer}
      ${who('A')} | saccoId A                | 404 not_found
      ${who('B')} | saccoId B                | 404 not_found
      founder     | saccoId waiting/rejected | 404 not_found
      signed in   | *                        | 403 not_allowed`,
  };
}

/** Of the lists here the credit committees are the makers. */
function ofMaker(): RoutePolicy {
  return {
    caller: 'official',
    lines: `
      signed in             | saccoId malformed/absent | 400 sacco_required
      credit_committee of A | saccoId A, id hers/his   | 200
      credit_committee of B | saccoId B, id foreign    | 200
      officials of A        | saccoId A, id hers/his   | 409 check_off_conflict
      officials of B        | saccoId B, id foreign    | 409 check_off_conflict
      officials of A        | saccoId A                | 404 not_found
      officials of B        | saccoId B                | 404 not_found
      founder               | saccoId waiting/rejected | 404 not_found
      signed in             | *                        | 403 not_allowed`,
  };
}

interface Raised {
  readonly sacco: string;
  readonly payer: string;
  readonly maker: string;
  readonly checker?: string;
  readonly lines: readonly string[];
  readonly employer?: string;
}

/** A list of one shilling for each of its members. */
async function raise(database: Product['database'], of: Raised): Promise<string> {
  const [listed, now] = [database.newId(), database.now()];
  const checker = of.checker ?? null;
  await database.owner`
    insert into check_offs (id, sacco_id, payer_id, employer, amount_cents, lines, state, listed_by, listed_at, checked_by, checked_at)
    values (${listed}, ${of.sacco}, ${of.payer}, ${of.employer ?? 'County of Nakuru'}, ${100 * of.lines.length}, ${of.lines.length},
      ${checker ? 'checked' : 'listed'}, ${of.maker}, ${now}, ${checker}, ${checker ? now : null})`;
  await database.owner`
    insert into check_off_lines (check_off_id, line, member_id, amount_cents)
    select ${listed}, line, member, 100 from unnest(${[...of.lines]}::uuid[]) with ordinality as l (member, line)`;
  return listed;
}

/** Of each payer: one that waits for the second official, and one that waits for them. None of those who check has made one. */
async function raiseCheckOffs({ database }: Product, cast: Cast): Promise<Kinds> {
  const members = (side: 'A' | 'B'): Member[] =>
    ['owner', 'fellow', 'bystander', 'other', 'chair of B', 'treasurer of B']
      .map((name) => cast.person(name))
      .filter(({ sacco }) => sacco === side);
  const each = async (isChecked: boolean): Promise<Kinds[string]> => {
    const one = (payer: string, side: 'A' | 'B') =>
      raise(database, {
        sacco: cast.saccos[side],
        payer: cast.person(payer).id,
        maker: cast.person(`credit_committee of ${side}`).id,
        ...(isChecked ? { checker: cast.person(`secretary of ${side}`).id } : {}),
        lines: members(side).map(({ id: memberId }) => memberId),
      });
    return {
      objects: {
        hers: await one('owner', 'A'),
        his: await one('fellow', 'A'),
        foreign: await one('other', 'B'),
        ...NOBODYS,
      },
    };
  };
  const kinds = {
    'listed check-off': await each(false),
    'check-off to pay': await each(true),
  };
  // So that each list of one's own has a second page.
  await each(true);
  return kinds as Kinds;
}
