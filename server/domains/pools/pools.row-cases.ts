import {
  ALL,
  amina,
  EARLIER,
  FARIDAS,
  farida,
  halima,
  INSIDE,
  OPEN_POOL,
  POOL,
  type RowPart,
  saidi,
  UMOJA,
} from '../../db/row-world.ts';

export const rows: RowPart = {
  world: {
    pools: [
      { id: POOL, sacco_id: UMOJA, name: 'Umoja pool', state: 'FORMING', created_by: amina },
      { id: OPEN_POOL, sacco_id: null, name: 'Old pool', state: 'OPEN', created_by: amina, review: 'approved' },
    ],
    pool_members: [
      { pool_id: POOL, user_id: farida, sequence: 1 },
      { pool_id: FARIDAS, user_id: farida, sequence: 1 },
    ],
  },
  cases: {
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
        is: 'one that Halima has approved',
        row: { created_by: saidi, state: 'OPEN', review: 'approved', reviewed_by: halima },
        see: ALL,
        into: [[{ review: 'refused', reviewed_by: halima }, '']],
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
