import { amina, BAHARI, EARLIER, farida, id, MEMBERS, type RowPart, UMOJA } from '../../db/row-world.ts';

const [VOTE, ELSEWHERE] = [id(28), id(29)];
const [ONE, ANOTHER] = [id(186), id(187)];
const HANDLE = '\\x00112233445566778899aabbccddeeff';

const OTHERS = '\\xffeeddccbbaa99887766554433221100';

/** Of a pool in which Farida has money (pools.row-cases.ts), and one of which Chika is a steward. */
const [GUARANTORS, CHIKAS, POOLS_VOTE] = [id(188), id(192), id(189)];

const vote = (sacco_id: string, more: object = {}) => ({ id: id(83), sacco_id, drafted_by: amina, ...more });
const ofPool = (more: object = {}) => vote(UMOJA, { pool_id: GUARANTORS, ...more });

export const rows: RowPart = {
  world: {
    proposals: [vote(UMOJA, { id: VOTE }), vote(BAHARI, { id: ELSEWHERE }), ofPool({ id: POOLS_VOTE })],
    proposal_roll: [
      { proposal_id: VOTE, handle: HANDLE, member_id: farida },
      { proposal_id: id(193), handle: HANDLE, member_id: amina },
    ],
    election_candidates: [
      { id: ONE, proposal_id: VOTE, member_id: farida },
      { id: ANOTHER, proposal_id: ELSEWHERE, member_id: farida },
    ],
  },
  cases: {
    proposals: [
      { is: 'one of Umoja', row: vote(UMOJA), see: MEMBERS },
      { is: 'one of Bahari', row: vote(BAHARI), see: 'saidi' },
      { is: 'one of a pool', row: ofPool(), see: 'farida' },
      { is: 'one of a pool about Amina', row: ofPool({ about_id: amina }), see: 'amina farida' },
      { is: 'one of a pool on whose roll Amina is', row: ofPool({ id: id(193) }), see: 'amina farida' },
      { is: 'such a one, counted', row: ofPool({ id: id(193), counted_at: EARLIER }), see: 'farida' },
      { is: 'one of a pool of which Chika is a steward', row: ofPool({ pool_id: CHIKAS }), see: 'chika' },
      { is: 'one of a pool of Bahari about Farida', row: vote(BAHARI, { pool_id: CHIKAS, about_id: farida }) },
    ],
    proposal_signatures: [{ is: 'Amina’s', row: { proposal_id: VOTE, user_id: amina, at: EARLIER }, see: 'amina' }],
    proposal_roll: [
      { is: 'Amina’s place', row: { proposal_id: ELSEWHERE, handle: HANDLE, member_id: amina }, see: 'amina' },
    ],
    proposal_off_roll: [
      { is: 'why Amina is on none', row: { proposal_id: VOTE, member_id: amina, reason: 'card' }, see: 'amina' },
    ],
    proposal_ballots: [
      { is: 'Farida’s', row: { proposal_id: VOTE, round: 1, handle: HANDLE, revision: 1 }, see: 'farida' },
      { is: 'another’s in the same vote', row: { proposal_id: VOTE, round: 1, handle: OTHERS, revision: 1 } },
      {
        is: 'of another vote, under the same handle',
        row: { proposal_id: ELSEWHERE, round: 1, handle: HANDLE, revision: 1 },
      },
    ],
    proposal_keys: [
      { is: 'of a vote of Umoja', row: { proposal_id: VOTE, round: 1, public_key: '\\x01' }, see: MEMBERS },
      { is: 'of a vote of a pool', row: { proposal_id: POOLS_VOTE, round: 1, public_key: '\\x01' }, see: MEMBERS },
    ],
    secret_demands: [
      { is: 'Farida’s', row: { proposal_id: VOTE, handle: HANDLE }, see: 'farida' },
      { is: 'another’s in the same vote', row: { proposal_id: VOTE, handle: OTHERS } },
      { is: 'in another vote, under the same handle', row: { proposal_id: ELSEWHERE, handle: HANDLE } },
    ],
    ballot_tokens: [
      { is: 'Farida’s', row: { proposal_id: VOTE, round: 1, handle: HANDLE }, see: 'farida' },
      { is: 'another’s in the same vote', row: { proposal_id: VOTE, round: 1, handle: OTHERS } },
      { is: 'of another vote, under the same handle', row: { proposal_id: ELSEWHERE, round: 1, handle: HANDLE } },
    ],
    proposal_rounds: [
      { is: 'of a vote of Umoja', row: { proposal_id: VOTE, round: 1 }, see: MEMBERS },
      { is: 'of a vote of a pool', row: { proposal_id: POOLS_VOTE, round: 1 }, see: MEMBERS },
    ],
    election_candidates: [
      { is: 'of a vote of Umoja', row: { id: id(84), proposal_id: VOTE, member_id: amina }, see: MEMBERS },
      { is: 'of a vote of Bahari', row: { id: id(85), proposal_id: ELSEWHERE, member_id: amina }, see: 'saidi' },
    ],
    candidate_pictures: [
      { is: 'of a candidate in Umoja', row: { candidate_id: ONE }, see: MEMBERS },
      { is: 'of a candidate in Bahari', row: { candidate_id: ANOTHER }, see: 'saidi' },
    ],
    proposal_answers: [
      { is: 'to a vote of Umoja', row: { proposal_id: VOTE }, see: MEMBERS },
      { is: 'to a vote of a pool', row: { proposal_id: POOLS_VOTE }, see: 'farida' },
    ],
    bylaws: [
      { is: 'of Umoja', row: { sacco_id: UMOJA, number: 1, proposal_id: VOTE, voted_at: EARLIER }, see: MEMBERS },
    ],
    vote_rules: [
      { is: 'of Umoja', row: { sacco_id: UMOJA, number: 1, proposal_id: VOTE, valid_from: EARLIER }, see: MEMBERS },
    ],
    expulsions: [
      {
        is: 'Amina’s',
        row: { proposal_id: VOTE, sacco_id: UMOJA, user_id: amina, expelled_at: EARLIER },
        see: 'amina chika',
      },
    ],
    election_votes: [
      { is: 'of a vote of Umoja', row: { proposal_id: VOTE, round: 1, candidate_id: id(84) }, see: MEMBERS },
    ],
    proposal_events: [
      { is: 'of a vote of Umoja', row: { proposal_id: VOTE, number: 1 }, see: MEMBERS },
      { is: 'of a vote of a pool', row: { proposal_id: POOLS_VOTE, number: 1 }, see: 'farida' },
    ],
  },
  history: [
    'proposal_signatures',
    'proposal_roll',
    'proposal_off_roll',
    'proposal_ballots',
    'secret_demands',
    'ballot_tokens',
    'election_votes',
    'vote_rules',
    'proposal_rounds',
    'proposal_events',
  ],
};
