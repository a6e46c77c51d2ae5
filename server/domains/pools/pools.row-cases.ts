import {
  ALL,
  amina,
  chika,
  EARLIER,
  FARIDAS,
  farida,
  fatuma,
  halima,
  INSIDE,
  id,
  OPEN_POOL,
  POOL,
  type RowPart,
  saidi,
  UMOJA,
} from '../../db/row-world.ts';

/** A pool of which Chika is a steward; Fatuma's money in it backs a loan of Saidi's at Bahari. */
const BACKED = id(220);
const [CHIKAS_POOL, FATUMAS_PLACE, CONTRACT, DISPUTED, SAIDIS_PLACE] = [id(210), id(211), id(212), id(213), id(214)];
/** Farida has money in it, and Amina has taken hers out (voting.row-cases.ts). */
const VOTES = id(188);
const contract = (more: object = {}) => ({
  id: id(215),
  pool_id: CHIKAS_POOL,
  user_id: saidi,
  member_id: SAIDIS_PLACE,
  sacco_id: UMOJA,
  state: 'ACTIVE',
  ...more,
});

export const rows: RowPart = {
  world: {
    pools: [
      { id: POOL, sacco_id: UMOJA, name: 'Umoja pool', state: 'FORMING', created_by: amina },
      { id: OPEN_POOL, sacco_id: null, name: 'Old pool', state: 'OPEN', created_by: amina, review: 'approved' },
      { id: CHIKAS_POOL, sacco_id: null, name: 'Chika’s pool', state: 'OPEN', created_by: id(9), review: 'approved' },
      { id: VOTES, sacco_id: UMOJA, name: 'Pool that votes', state: 'OPEN', created_by: id(9) },
    ],
    pool_members: [
      { pool_id: POOL, user_id: farida, sequence: 1 },
      { pool_id: FARIDAS, user_id: farida, sequence: 1 },
      { id: FATUMAS_PLACE, pool_id: CHIKAS_POOL, user_id: fatuma, sequence: 1 },
      { id: id(190), pool_id: VOTES, user_id: farida, sequence: 1, position_cents: 1 },
      { id: id(191), pool_id: VOTES, user_id: amina, sequence: 2, position_cents: 0 },
    ],
    pool_stewards: [
      { pool_id: CHIKAS_POOL, user_id: chika, since: EARLIER },
      { pool_id: id(192), user_id: chika, since: EARLIER },
    ],
    pool_contracts: [contract({ id: CONTRACT }), contract({ id: DISPUTED, state: 'DISPUTED' })],
    pool_locks: [
      { contract_id: CONTRACT, member_id: FATUMAS_PLACE },
      { contract_id: DISPUTED, member_id: FATUMAS_PLACE },
      { contract_id: BACKED, member_id: FATUMAS_PLACE },
    ],
  },
  cases: {
    pool_contract_events: [
      {
        is: 'what happened to Saidi’s guarantee',
        row: { contract_id: CONTRACT, event: 'approved' },
        see: 'saidi fatuma chika',
      },
    ],
    pool_contracts: [
      { is: 'Saidi’s', row: contract({ id: id(217) }), see: 'saidi chika' },
      {
        is: 'Saidi’s of another pool, which Fatuma’s money backs',
        row: contract({ id: BACKED, pool_id: OPEN_POOL }),
        see: 'saidi fatuma',
      },
      {
        is: 'Amina’s of another pool',
        row: contract({ id: id(217), pool_id: OPEN_POOL, user_id: amina }),
        see: 'amina',
      },
      {
        is: 'Saidi’s of another pool, which it disputes with Umoja',
        row: contract({ id: id(217), pool_id: OPEN_POOL, state: 'DISPUTED' }),
        see: 'saidi chika',
      },
    ],
    pool_disputes: [
      {
        is: 'that of Saidi’s guarantee',
        row: { contract_id: DISPUTED, disputed_by: chika },
        see: 'saidi fatuma chika',
      },
    ],
    pool_locks: [
      { is: 'Fatuma’s money for Saidi', row: { contract_id: id(218), member_id: FATUMAS_PLACE }, see: 'fatuma' },
      { is: 'a stranger’s money for Saidi', row: { contract_id: CONTRACT, member_id: SAIDIS_PLACE }, see: '' },
    ],
    pool_recoveries: [
      { is: 'what Saidi paid back', row: { contract_id: CONTRACT, amount_cents: 1 }, see: 'saidi fatuma chika' },
    ],
    pool_requests: [
      { is: 'Saidi’s quote', row: { pool_id: CHIKAS_POOL, user_id: saidi, state: 'QUOTED' }, see: 'saidi' },
      {
        is: 'Saidi’s that waits for the stewards',
        row: { pool_id: CHIKAS_POOL, user_id: saidi, state: 'IN_REVIEW' },
        see: 'saidi chika',
      },
    ],
    pool_voices: [
      {
        is: 'what Chika said',
        row: { pool_id: CHIKAS_POOL, steward_id: chika, about_id: CONTRACT, matter: 'write_off', since: EARLIER },
        see: 'chika',
      },
      {
        is: 'what Chika said of a pool that is hers no more',
        row: { pool_id: OPEN_POOL, steward_id: chika, about_id: CONTRACT, matter: 'close', since: EARLIER },
        see: '',
      },
    ],
    pool_withdrawals: [{ is: 'Amina’s notice', row: { pool_id: OPEN_POOL, user_id: amina }, see: 'amina' }],
    trust_snapshots: [{ is: 'Amina’s score', row: { user_id: amina, score: 51 }, see: 'amina' }],
    pool_events: [
      { is: 'the making of Amina’s pool', row: { pool_id: POOL, caused_by: amina }, see: INSIDE, add: 'amina' },
      { is: 'one of a public pool', row: { pool_id: OPEN_POOL, caused_by: amina }, see: ALL },
      { is: 'one in somebody else’s pool', row: { pool_id: POOL, caused_by: farida }, see: INSIDE },
    ],
    pool_members: [
      { is: 'Amina’s place in an old pool', row: { pool_id: OPEN_POOL, user_id: amina }, see: 'amina halima' },
      { is: 'a stranger’s place in Farida’s pool', row: { pool_id: POOL, user_id: saidi }, see: 'saidi farida halima' },
    ],
    pool_parameters: [
      {
        is: 'those of Amina’s pool',
        row: { pool_id: POOL, valid_from: EARLIER, changed_by: amina },
        see: INSIDE,
        add: 'amina',
      },
      {
        is: 'those of Amina’s pool, as if members had voted for them',
        row: { pool_id: POOL, valid_from: EARLIER, changed_by: amina, proposal_id: id(28) },
        see: INSIDE,
      },
      { is: 'those of a public pool', row: { pool_id: OPEN_POOL, valid_from: EARLIER, changed_by: amina }, see: ALL },
      {
        is: 'those of somebody else’s pool',
        row: { pool_id: POOL, valid_from: EARLIER, changed_by: farida },
        see: INSIDE,
      },
    ],
    pool_stewards: [
      { is: 'the creator’s own', row: { pool_id: POOL, user_id: amina, since: EARLIER }, see: INSIDE, add: 'amina' },
      { is: 'somebody else’s', row: { pool_id: POOL, user_id: farida, since: EARLIER }, see: INSIDE },
      {
        is: 'the creator’s own, as if members had elected it',
        row: { pool_id: POOL, user_id: amina, since: EARLIER, elected_by: id(28) },
        see: INSIDE,
      },
      { is: 'one of a public pool', row: { pool_id: OPEN_POOL, user_id: amina, since: EARLIER }, see: ALL },
    ],
    pools: [
      {
        is: 'a new one of Umoja',
        row: { created_by: amina, state: 'FORMING', sacco_id: UMOJA },
        see: INSIDE,
        add: 'amina',
      },
      {
        is: 'a new one of no sacco',
        row: { created_by: saidi, state: 'FORMING', sacco_id: null },
        see: 'saidi halima',
        add: 'saidi',
      },
      {
        is: 'one in which Farida has money',
        row: { id: FARIDAS, created_by: saidi, state: 'FORMING', sacco_id: null },
        see: 'farida saidi halima',
        add: 'saidi',
      },
      {
        is: 'one that waits to be looked at',
        row: { created_by: saidi, state: 'OPEN', review: 'waiting' },
        see: 'saidi halima',
        into: [
          [{ review: 'approved', reviewed_by: halima }, 'halima'],
          [{ review: 'approved', reviewed_by: amina }, ''],
        ],
      },
      {
        is: 'one that another operator has approved',
        row: { created_by: saidi, state: 'OPEN', review: 'approved', reviewed_by: amina },
        see: ALL,
        into: [[{ review: 'refused', reviewed_by: halima }, '']],
      },
      {
        is: 'one that Halima has refused',
        row: { created_by: saidi, state: 'OPEN', review: 'refused', reviewed_by: halima },
        see: 'saidi halima',
        into: [[{ review: 'approved', reviewed_by: halima }, '']],
      },
      {
        is: 'one that another operator has refused',
        row: { created_by: saidi, state: 'OPEN', review: 'refused', reviewed_by: amina },
        see: 'saidi halima',
        into: [[{ review: 'approved', reviewed_by: halima }, 'halima']],
      },
      {
        is: 'one with five members',
        row: { created_by: saidi, state: 'OPEN', members_count: 5 },
        see: ALL,
      },
      {
        is: 'one with five members that an operator refused',
        row: { created_by: saidi, state: 'OPEN', members_count: 5, review: 'refused' },
        see: 'saidi halima',
      },
      {
        is: 'one of a sacco that is not the creator’s',
        row: { created_by: saidi, state: 'FORMING', sacco_id: UMOJA },
        see: `${INSIDE} saidi`,
      },
      { is: 'one that says it is open', row: { created_by: amina, state: 'OPEN', sacco_id: UMOJA }, see: INSIDE },
    ],
  },
  history: ['pool_events', 'pool_parameters'],
};
