import { ALL, amina, BAHARI, EARLIER, farida, id, type RowPart, UMOJA } from '../../db/row-world.ts';

/** Amina's loan of Umoja, which Farida guarantees; and one of Bahari's. */
const [PRODUCT, LOAN, FAR, GUARANTEE, FARIDAS] = [id(401), id(402), id(403), id(404), id(405)];
/** One that Farida pays for members of Umoja; and one of Bahari's. */
const [CHECK_OFF, FAR_CHECK_OFF] = [id(406), id(407)];

const loan = (more: object = {}) => ({
  id: id(420),
  number: '700000000',
  sacco_id: UMOJA,
  borrower_id: amina,
  state: 'guarantors_pending',
  applied_at: EARLIER,
  ...more,
});
const guarantee = (more: object = {}) => ({
  id: id(421),
  loan_id: LOAN,
  kind: 'member',
  guarantor_id: farida,
  state: 'live',
  ...more,
});

const checkOff = (more: object = {}) => ({
  id: id(429),
  sacco_id: UMOJA,
  payer_id: farida,
  employer: 'County',
  amount_cents: 1,
  lines: 1,
  state: 'listed',
  listed_by: farida,
  listed_at: EARLIER,
  ...more,
});

export const rows: RowPart = {
  world: {
    loan_products: [{ id: PRODUCT, sacco_id: UMOJA, created_at: EARLIER }],
    loans: [
      loan({ id: LOAN, number: '700000001', state: 'active' }),
      loan({ id: FAR, number: '700000002', state: 'active', sacco_id: BAHARI }),
      loan({ id: FARIDAS, number: '700000003', state: 'active', borrower_id: farida }),
    ],
    loan_guarantees: [guarantee({ id: GUARANTEE })],
    check_offs: [
      checkOff({ id: CHECK_OFF, state: 'checked', checked_by: amina }),
      checkOff({ id: FAR_CHECK_OFF, sacco_id: BAHARI, state: 'checked', checked_by: amina }),
    ],
  },
  cases: {
    loan_products: [
      {
        is: 'one of Umoja',
        row: { id: id(422), sacco_id: UMOJA, created_at: EARLIER },
        see: 'amina farida chika halima',
      },
    ],
    loan_product_terms: [
      {
        is: 'those of one of Umoja',
        row: { product_id: PRODUCT, valid_from: EARLIER },
        see: 'amina farida chika halima',
      },
    ],
    lending_authority: [
      {
        is: 'that of Umoja',
        row: { sacco_id: UMOJA, valid_from: EARLIER },
        see: 'amina farida chika halima',
      },
    ],
    loan_tolerances: [{ is: 'the one that holds for all', row: { valid_from: '2026-01-01', cents: 0 }, see: ALL }],
    loans: [
      { is: 'Amina’s in Umoja, also where Farida guarantees it', row: loan(), see: 'amina chika' },
      { is: 'Amina’s in Bahari', row: loan({ sacco_id: BAHARI }), see: 'amina saidi' },
      { is: 'one of Farida', row: loan({ borrower_id: farida }), see: 'farida chika' },
    ],
    loan_instalments: [
      { is: 'one of Amina’s loan in Umoja', row: { loan_id: LOAN, number: 1 }, see: 'amina chika' },
      { is: 'one of Amina’s loan in Bahari', row: { loan_id: FAR, number: 1 }, see: 'amina saidi' },
    ],
    loan_guarantees: [
      { is: 'Farida’s for Amina’s loan', row: guarantee({ state: 'released' }), see: 'amina farida chika' },
      {
        is: 'Amina’s own savings for her loan',
        row: guarantee({ kind: 'self', guarantor_id: amina }),
        see: 'amina chika',
      },
    ],
    loan_reviews: [
      {
        is: 'a voice about Amina’s loan',
        row: { id: id(424), loan_id: LOAN, round: 1, reviewer_id: id(8) },
        see: 'chika',
      },
    ],
    loan_disbursements: [
      {
        is: 'the order to pay out Amina’s loan',
        row: { id: id(425), loan_id: LOAN, ordered_by: id(8), state: 'ordered' },
        see: 'chika',
      },
    ],
    loan_events: [
      {
        is: 'one of Amina’s loan',
        row: { id: id(426), loan_id: LOAN, kind: 'applied', at: EARLIER, place: 1 },
        see: 'amina chika',
      },
    ],
    loan_repayments: [
      { is: 'one of Amina’s loan', row: { id: id(427), loan_id: LOAN, idempotency_key: 'one' }, see: 'amina chika' },
    ],
    check_offs: [
      {
        is: 'one that Farida pays for members of Umoja, once it is checked',
        row: checkOff({ state: 'checked', checked_by: amina }),
        see: 'farida chika',
      },
      { is: 'the same before it is checked', row: checkOff(), see: 'chika' },
      {
        is: 'the same that was refused',
        row: checkOff({ state: 'refused', checked_by: amina }),
        see: 'chika',
      },
      {
        is: 'one of Bahari',
        row: checkOff({ sacco_id: BAHARI, payer_id: amina, state: 'checked', checked_by: farida }),
        see: 'amina saidi',
      },
    ],
    check_off_lines: [
      {
        is: 'Amina’s line of the one that Farida pays',
        row: { check_off_id: CHECK_OFF, line: 1, member_id: amina, amount_cents: 1 },
        see: 'amina farida chika',
      },
    ],
    check_off_chunks: [
      {
        is: 'one of the one that Farida pays',
        row: { check_off_id: CHECK_OFF, first_line: 1, last_line: 1, state: 'waiting' },
        see: 'chika',
      },
      {
        is: 'one of Bahari’s',
        row: { check_off_id: FAR_CHECK_OFF, first_line: 1, last_line: 1, state: 'waiting' },
        see: 'saidi',
      },
    ],
    check_off_outcomes: [
      {
        is: 'what became of Amina’s line of the one that Farida pays',
        row: { check_off_id: CHECK_OFF, line: 1, repaid_cents: 1, returned_cents: 0 },
        see: 'chika',
      },
      {
        is: 'the same of Bahari’s',
        row: { check_off_id: FAR_CHECK_OFF, line: 1, repaid_cents: 1, returned_cents: 0 },
        see: 'saidi',
      },
    ],
    loan_prompts: [
      { is: 'one for Amina’s loan', row: { deposit_id: id(428), loan_id: LOAN }, see: 'amina' },
      { is: 'one for Farida’s loan', row: { deposit_id: id(428), loan_id: FARIDAS }, see: 'farida' },
    ],
    loan_standing_runs: [
      { is: 'one of Amina’s loan', row: { loan_id: LOAN, number: 1, state: 'paid' }, see: 'amina' },
      { is: 'one of Farida’s loan', row: { loan_id: FARIDAS, number: 1, state: 'paid' }, see: 'farida' },
    ],
  },
  history: [
    'lending_authority',
    'loan_products',
    'loan_product_terms',
    'loan_reviews',
    'loan_events',
    'loan_repayments',
    'check_off_lines',
    'check_off_outcomes',
  ],
};
