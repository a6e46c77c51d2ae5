import { RULES_OF_CLASS } from '@ushirika/contract/voting-rules';
import { makeKey } from '../../../server/domains/voting/ballot-keys.ts';
import type { Product } from '../../support/product.ts';
import type { Cast } from '../cast.ts';
import { type DomainPart, id, is, type Kinds, leftOut, NOBODYS } from '../domain-part.ts';
import { memberList, memberRead, operatorAct } from '../policies.ts';
import type { RoutePolicy } from '../policy.ts';

const DAY_MS = 86_400_000;
const NAMES = `
      members of A | names of A
      members of B | names of B`;

/** Votes: those of one's sacco for its members, and what everybody may know of them. */
export const voting: DomainPart = {
  policies: {
    listVotingProposals: memberList(),
    readVotingProposal: { ...ofMembers('members of A', 'members of B'), shows: NAMES },
    draftVotingProposal: {
      caller: 'member',
      lines: `
      owner      | saccoId A                | 201
      chair of B | saccoId B                | 201
      fellow     | saccoId A                | 201
      other      | saccoId B                | 201
      members of A | saccoId A                | 422 full_rights_required
      members of B | saccoId B                | 422 full_rights_required
      signed in    | saccoId malformed/absent | 400 sacco_required
      signed in    | *                        | 403 not_a_member`,
      // The other officials of the board are asked to sign.
      counterparty: ['public.notifications'],
    },
    readWayOfChanges: {
      caller: 'official',
      lines: `
      officials of A | saccoId A                | 200
      officials of B | saccoId B                | 200
      founder        | saccoId waiting/rejected | 200
      signed in      | saccoId malformed/absent | 400 sacco_required
      signed in      | *                        | 403 not_allowed`,
    },
    readVoteRules: memberRead(),
    readBylaws: memberRead(),
    recordBylaws: {
      caller: 'official',
      offices: ['chair', 'secretary', 'treasurer'],
      lines: `
      signed in                                | saccoId malformed/absent | 400 sacco_required
      chair of A/secretary of A/treasurer of A | saccoId A, id hers       | 200
      chair of B/secretary of B/treasurer of B | saccoId B, id foreign    | 200
      chair of A/secretary of A/treasurer of A | saccoId A                | 404 not_found
      chair of B/secretary of B/treasurer of B | saccoId B                | 404 not_found
      founder                                  | saccoId waiting/rejected | 404 not_found
      signed in                                | *                        | 403 not_allowed`,
      shows: NAMES,
      counterparty: ['public.notifications'],
    },
    signVotingProposal: {
      ...ofMembers('owner', 'chair of B', '422 full_rights_required', ['fellow', 'other']),
      counterparty: ['public.proposals'],
      shows: NAMES,
    },
    cancelVotingProposal: { ...ofMembers('fellow', 'other', '409 vote_conflict'), shows: NAMES },
    castBallot: {
      ...ofMembers('owner/fellow', 'other', '422 not_on_roll'),
      counterparty: ['public.proposals'],
    },
    demandSecretBallot: {
      ...ofMembers('owner/fellow', 'other', '422 not_on_roll'),
      counterparty: ['public.proposals'],
      shows: NAMES,
    },
    standForElection: { ...ofMembers('owner/fellow', 'other', '422 not_on_roll'), shows: NAMES },
    // Each request of the matrix is without a file.
    setCandidatePicture: {
      caller: 'member',
      lines: `
      signed in    | saccoId malformed/absent | 400 sacco_required
      fellow       | saccoId A, id hers       | 400 picture_not_accepted
      other        | saccoId B, id foreign    | 400 picture_not_accepted
      members of A | saccoId A, id hers       | 409 vote_conflict
      members of B | saccoId B, id foreign    | 409 vote_conflict
      members of A | saccoId A                | 404 not_found
      members of B | saccoId B                | 404 not_found
      signed in    | *                        | 403 not_a_member`,
    },
    readCandidatePicture: ofMembers('members of A', 'members of B'),
    standDown: { ...ofMembers('owner/fellow', 'other', '409 vote_conflict'), shows: NAMES },
    answerVote: { ...ofMembers('fellow', 'other', '409 vote_conflict'), shows: NAMES },
    issueBallotToken: ofMembers('owner/fellow', 'other', '422 not_on_roll'),
    // Whoever calls is nobody: a session changes nothing.
    castSecretBallot: {
      caller: 'anyone',
      lines: `
      anybody | id hers/foreign | 422 ballot_invalid
      anybody | *               | 404 not_found`,
    },
    holdVoteResult: ofSupervisors(),
    releaseVoteResult: ofSupervisors(),
    voidVoteResult: ofSupervisors(),
    listPublicVotes: {
      caller: 'anyone',
      lines: `
      anybody | sacco malformed  | 400 validation_failed
      anybody | cursor malformed | 400 validation_failed
      anybody | *                | 200`,
    },
    readPublicVote: forAll(),
    showVoteTitle: operatorAct('hers/foreign'),
    readVoteRoll: forAll(),
    readVoteBallots: forAll(),
    readVoteIssued: forAll(),
  },
  fixtures: {
    'readVotingProposal.id': id('open vote'),
    'signVotingProposal.id': id('draft to sign'),
    'cancelVotingProposal.id': id('draft to take back'),
    'castBallot.id': id('open vote'),
    'demandSecretBallot.id': id('vote to be secret'),
    'issueBallotToken.id': id('secret vote'),
    'standForElection.id': id('election'),
    'setCandidatePicture.id': id('election with candidates'),
    'readCandidatePicture.id': id('candidate'),
    'standDown.id': id('election one stands in'),
    'answerVote.id': id('vote about somebody'),
    'recordBylaws.id': id('by-laws that members voted for'),
    'recordBylaws.no': is('CS/1204/2020'),
    'recordBylaws.on': is('2020-01-02'),
    'readBylaws.version': leftOut,
    'castSecretBallot.id': id('secret vote to all'),
    'holdVoteResult.id': id('result that waits'),
    'releaseVoteResult.id': id('result that is held'),
    'voidVoteResult.id': id('result to be voided'),
    'readPublicVote.id': id('published vote'),
    'showVoteTitle.id': id('published vote'),
    'showVoteTitle.is_shown': is(false),
    'showVoteTitle.reason': is('The title calls somebody a thief.'),
    'readVoteRoll.id': id('published vote'),
    'readVoteBallots.id': id('published vote'),
    'readVoteIssued.id': id('published vote'),
    'draftVotingProposal.title': is('A meeting once a month'),
    'draftVotingProposal.class': leftOut,
    'draftVotingProposal.change': leftOut,
    'draftVotingProposal.ballot': leftOut,
    'draftVotingProposal.office': leftOut,
    'standForElection.words': is('I have kept the books of our church for ten years.'),
    'answerVote.words': is('I have paid in every shilling, and here are the slips.'),
    'issueBallotToken.round': is(1),
    'issueBallotToken.blinded': is(`${'A'.repeat(340)}Eg`),
    'castSecretBallot.serial': is('A'.repeat(43)),
    'castSecretBallot.prefix': is('A'.repeat(43)),
    'castSecretBallot.signature': is('A'.repeat(342)),
    'castSecretBallot.choice': is('for'),
    'castSecretBallot.salt': is('A'.repeat(43)),
    'castBallot.choice': is('for'),
    'cancelVotingProposal.reason': is('We discuss it at the meeting first.'),
    'holdVoteResult.reason': is('We look whether it is lawful.'),
    'voidVoteResult.reason': is('The by-laws do not allow it.'),
    view: leftOut,
    on: leftOut,
  },
  raise: raiseVotes,
  async attacked({ product, victim, founder, sacco, canary }) {
    const raise = (state: State) =>
      raiseVote(product, {
        saccoId: sacco,
        by: victim.id,
        roll: [victim.id],
        holder: founder.id,
        title: canary,
        state,
      });
    const [draft, coming, election, stood, about, bylaws, open, secret, waits, held] = [
      await raise('draft'),
      await raise('coming'),
      await raise('election'),
      await raise('stood'),
      await raise('about'),
      await raise('bylaws'),
      await raise('open'),
      await raise('secret'),
      await raise('waits'),
      await raise('held'),
    ];
    const candidate = await raiseCandidate(product, await raise('election'), victim.id);
    const at = (path: string, body?: unknown) => [[path, body === undefined ? { sacco } : { sacco, body }]] as const;
    const reason = { reason: 'Nobody stops me when I do this.' };
    return {
      listVotingProposals: at('/voting/proposals?view=coming'),
      readVotingProposal: at(`/voting/proposals/${open}`),
      draftVotingProposal: at('/voting/proposals', { title: 'Mine it is', text: 'Nobody stops me when I write this.' }),
      readWayOfChanges: at('/voting/way-of-changes'),
      readVoteRules: at('/voting/rules'),
      readBylaws: at('/voting/by-laws'),
      recordBylaws: at(`/voting/proposals/${bylaws}/registration`, { no: 'CS/1/2026', on: '2020-01-02' }),
      signVotingProposal: at(`/voting/proposals/${draft}/signature`),
      cancelVotingProposal: at(`/voting/proposals/${draft}/cancellation`, reason),
      castBallot: at(`/voting/proposals/${open}/vote`, { choice: 'against' }),
      demandSecretBallot: at(`/voting/proposals/${coming}/secret-demand`),
      standForElection: at(`/voting/proposals/${election}/nomination`, {
        words: 'Nobody stops me when I stand for this.',
      }),
      setCandidatePicture: at(`/voting/proposals/${election}/nomination/picture`, {}),
      readCandidatePicture: at(`/voting/candidates/${candidate}/picture`),
      standDown: at(`/voting/proposals/${stood}/nomination`),
      answerVote: at(`/voting/proposals/${about}/answer`, { words: 'Nobody stops me when I answer this.' }),
      issueBallotToken: at(`/voting/proposals/${secret}/token`, { round: 1, blinded: `${'A'.repeat(340)}Eg` }),
      holdVoteResult: at(`/voting/proposals/${waits}/hold`, reason),
      releaseVoteResult: at(`/voting/proposals/${held}/release`),
      voidVoteResult: at(`/voting/proposals/${held}/void`, reason),
      showVoteTitle: [[`/operator/votes/${open}/title`, { body: { is_shown: false, ...reason } }]],
    };
  },
  withoutActs: {
    demandSecretBallot: 'it makes a vote secret, as a draft that says so does: server/domains/voting/voting.test.ts',
    holdVoteResult: 'what is held is carried out later or never: server/domains/voting/voting.test.ts',
    setCandidatePicture: 'it moves no money: server/domains/voting/voting.test.ts',
    standDown: 'the same',
    answerVote: 'the same',
    showVoteTitle: 'the same',
    recordBylaws: 'the same',
    releaseVoteResult: 'what is held is carried out later or never: server/domains/voting/voting.test.ts',
    voidVoteResult: 'the same',
  },
};

/** A vote of the sacco that the header names: who may act on it in each, what other members are answered, and who did it before. */
function ofMembers(ofA: string, ofB: string, others?: string, done?: readonly [string, string]): RoutePolicy {
  return {
    caller: 'member',
    lines: `
      signed in    | saccoId malformed/absent | 400 sacco_required
      ${done === undefined ? '' : `${done[0]} | saccoId A, id hers | 200 and nothing changes`}
      ${done === undefined ? '' : `${done[1]} | saccoId B, id foreign | 200 and nothing changes`}
      ${ofA} | saccoId A, id hers | 200
      ${ofB} | saccoId B, id foreign | 200
      ${others === undefined ? '' : `members of A | saccoId A, id hers | ${others}`}
      ${others === undefined ? '' : `members of B | saccoId B, id foreign | ${others}`}
      members of A | saccoId A                | 404 not_found
      members of B | saccoId B                | 404 not_found
      signed in    | *                        | 403 not_a_member`,
  };
}

function ofSupervisors(): RoutePolicy {
  return {
    caller: 'official',
    offices: ['supervisory_committee'],
    lines: `
      signed in                    | saccoId malformed/absent | 400 sacco_required
      supervisory_committee of A   | saccoId A, id hers       | 200
      supervisory_committee of B   | saccoId B, id foreign    | 200
      supervisory_committee of A   | saccoId A                | 404 not_found
      supervisory_committee of B   | saccoId B                | 404 not_found
      signed in                    | *                        | 403 not_allowed`,
    shows: `
      supervisory_committee of A | names of A
      supervisory_committee of B | names of B`,
  };
}

/** Published, of whichever sacco. */
function forAll(): RoutePolicy {
  return {
    caller: 'anyone',
    lines: `
      anybody | id hers/foreign | 200
      anybody | *               | 404 not_found`,
  };
}

/** A member stands, with a picture. */
export async function raiseCandidate({ database }: Product, election: string, member: string): Promise<string> {
  const candidate = database.newId();
  await database.owner`
    insert into election_candidates (id, proposal_id, member_id, words, nominated_at)
    values (${candidate}, ${election}, ${member}, 'I have kept the books of our church.', ${database.now()})`;
  await database.owner`
    insert into candidate_pictures (candidate_id, webp, created_at) values (${candidate}, 'a picture of a face', ${database.now()})`;
  return candidate;
}

type State = 'draft' | 'coming' | 'election' | 'stood' | 'about' | 'bylaws' | 'open' | 'secret' | 'waits' | 'held';

async function raiseVotes(product: Product, cast: Cast): Promise<Kinds> {
  const holders = { A: (await product.person('Imani')).id, B: (await product.person('Jabali')).id };
  const of = (state: State) => async (side: 'A' | 'B') => {
    // Who signs a draft of members could vote on it; the chair of B is on no roll that is made already.
    const ofB = state === 'draft' ? (['other', 'chair of B'] as const) : (['other'] as const);
    const [by, ...others] = side === 'A' ? (['fellow', 'owner'] as const) : ofB;
    const roll = [by, ...others].map((name) => cast.person(name).id);
    const input = { saccoId: cast.saccos[side], by: cast.person(by).id, roll, holder: holders[side], state };
    return raiseVote(product, { ...input, title: 'A meeting once a month, as before' });
  };
  const kind = async (state: State, isPublic = false) => ({
    objects: { hers: await of(state)('A'), foreign: await of(state)('B'), ...NOBODYS },
    ...(isPublic ? { isPublic } : {}),
  });
  const standing = async (side: 'A' | 'B') => {
    const election = await of('election')(side);
    const member = cast.person(side === 'A' ? 'fellow' : 'other').id;
    return { election, candidate: await raiseCandidate(product, election, member) };
  };
  const stands = { A: await standing('A'), B: await standing('B') };
  return {
    'draft to sign': await kind('draft'),
    'draft to take back': await kind('draft'),
    'open vote': await kind('open'),
    'vote to be secret': await kind('coming'),
    'secret vote': await kind('secret'),
    election: await kind('election'),
    'election with candidates': { objects: { hers: stands.A.election, foreign: stands.B.election, ...NOBODYS } },
    candidate: { objects: { hers: stands.A.candidate, foreign: stands.B.candidate, ...NOBODYS } },
    'election one stands in': await kind('stood'),
    'vote about somebody': await kind('about'),
    'by-laws that members voted for': await kind('bylaws'),
    'secret vote to all': await kind('secret', true),
    'published vote': await kind('open', true),
    'result that waits': await kind('waits'),
    'result that is held': await kind('held'),
    'result to be voided': await kind('held'),
  };
}

/** They could vote on what is published now: whoever drafts and signs for members must. Their cards were seen before the publication of any vote here: who stands must. */
async function couldVote(
  { owner, now }: Product['database'],
  saccoId: string,
  people: readonly string[],
): Promise<void> {
  const ids = [...people];
  const [seer] = await owner<{ id: string }[]>`select user_id as id from operators limit 1`;
  await owner`
    update memberships set joined_at = least(joined_at, ${new Date(now().getTime() - 60 * DAY_MS)})
    where sacco_id = ${saccoId} and user_id = any (${ids}::uuid[])`;
  await owner`update users set phone_confirmed_at = ${now()} where id = any (${ids}::uuid[]) and phone_confirmed_at is null`;
  await owner`
    insert into identity_checks (id, user_id, seen_by, document, seen_at)
    select gen_random_uuid(), person, ${seer?.id ?? ''}, 'national_id', ${new Date(now().getTime() - 80 * DAY_MS)}
    from unnest(${ids}::uuid[]) person
    on conflict do nothing`;
}

/** A vote in a state, as its rows are then. A result that waits is about what two officials never change: it keeps no change of theirs back. */
export async function raiseVote(
  { database }: Product,
  vote: {
    readonly saccoId: string;
    readonly by: string;
    readonly roll: readonly string[];
    readonly holder: string;
    readonly title: string;
    readonly state: State;
  },
): Promise<string> {
  const proposal = database.newId();
  const at = (days: number) => new Date(database.now().getTime() + days * DAY_MS);
  const { owner } = database;
  const isElection = vote.state === 'election' || vote.state === 'stood';
  const isAbout = vote.state === 'about';
  const isComing = vote.state === 'coming' || isElection || isAbout;
  const isResult = vote.state === 'waits' || vote.state === 'held';
  await owner`
    insert into proposals (id, sacco_id, kind, class, ballot, office, title, text, change_kind, expected, payload, about_id,
      drafted_by, drafted_at, signatures_needed)
    values (${proposal}, ${vote.saccoId}, ${isElection ? 'election' : isResult || isAbout ? 'change' : 'resolution'},
      ${isElection ? 'election' : isAbout ? 'special' : 'ordinary'}, ${isElection || isAbout || vote.state === 'secret' ? 'secret' : 'open'},
      ${isElection ? 'credit_committee' : null}, ${vote.title},
      'Our officials answer complaints within a week.', ${vote.state === 'waits' ? 'dividend' : isResult ? 'complaint_terms' : isAbout ? 'official_removal' : null},
      ${isResult ? '{"answer_days": 14, "resolve_days": 30}' : isAbout ? '{"office": "treasurer"}' : null}::text::jsonb,
      ${isResult ? '{"answer_days": 7, "resolve_days": 21}' : isAbout ? '{}' : null}::text::jsonb, ${isAbout ? vote.by : null}, ${vote.by}, ${at(-1)}, 3)`;
  await owner`insert into proposal_signatures (proposal_id, user_id, at) values (${proposal}, ${vote.by}, ${at(-1)})`;
  await owner`insert into proposal_events (proposal_id, number, kind, at, by_id) values (${proposal}, 1, 'drafted', ${at(-1)}, ${vote.by})`;
  if (vote.state === 'draft') {
    await couldVote(database, vote.saccoId, vote.roll);
    return proposal;
  }
  await owner`
    insert into proposal_roll (proposal_id, handle, member_id)
    select ${proposal}, decode(md5(${proposal} || member), 'hex'), member::uuid from unnest(${[...vote.roll]}::text[]) member`;
  // Whoever holds it still sits: else nobody may void it.
  if (vote.state === 'held') {
    await owner`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      values (${database.newId()}, ${vote.saccoId}, ${vote.holder}, 'supervisory_committee', ${at(-70)}, ${at(300)}, ${vote.holder})
      on conflict do nothing`;
  }
  await owner`alter table proposals disable trigger proposal_moves_on`;
  await owner`
    update proposals set published_at = ${at(-70)}, drafted_at = ${at(-71)}, rules = ${JSON.stringify(RULES_OF_CLASS.ordinary)}::text::jsonb,
      roll_size = ${vote.roll.length}, opens_at = ${at(isResult ? -60 : isComing ? 1 : -1)}, closes_at = ${at(isResult ? -57 : 30)},
      nominations_end = ${isElection ? at(1) : null}, counted_at = ${isResult ? at(-56) : null}, outcome = ${isResult ? 'passed' : null}, eta = ${vote.state === 'waits' ? at(2) : isResult ? at(-31) : null},
      held_by = ${vote.state === 'held' ? vote.holder : null}, held_until = ${vote.state === 'held' ? at(13) : null}
    where id = ${proposal}`;
  await owner`alter table proposals enable trigger proposal_moves_on`;
  await addToVote(database, proposal, vote);
  if (vote.state === 'secret' || isElection || isAbout) await database.transaction((tx) => makeKey(tx, proposal, 1));
  return proposal;
}

/** Who stands, and the text that members voted for. */
async function addToVote(
  { owner, now }: Product['database'],
  proposal: string,
  vote: { readonly saccoId: string; readonly roll: readonly string[]; readonly state: State },
): Promise<void> {
  const at = new Date(now().getTime() - DAY_MS);
  if (vote.state === 'bylaws') {
    await owner`
      insert into bylaws (sacco_id, number, text, proposal_id, voted_at)
      values (${vote.saccoId}, (select count(*) + 1 from bylaws where sacco_id = ${vote.saccoId}), ${'The members meet once a year. '.repeat(10)},
        ${proposal}, '2019-06-01')`;
  }
  if (vote.state === 'stood') {
    await owner`
      insert into election_candidates (id, proposal_id, member_id, words, nominated_at)
      select gen_random_uuid(), ${proposal}, member::uuid, 'I keep the books well, and always on time.', ${at}
      from unnest(${[...vote.roll]}::text[]) member`;
  }
}
