import { expect, test } from 'vitest';
import { pageOfNotice, saccoOfNotice, wayOfNotice } from './page-of-notice.ts';

const addressOf = (template: string) => pageOfNotice({ template })?.to() ?? null;

test('a notification leads to the page that it is about, and one about nothing that has a page leads nowhere', () => {
  expect(addressOf('vote_opened')).toBe('/client/voting-proposals');
  expect(addressOf('dividend_paid')).toBe('/client/dividends');
  expect(addressOf('loan_missed')).toBe('/client/loans');
  expect(addressOf('loan_guarantor_asked')).toBe('/client/loans?view=guarantees');
  expect(addressOf('write_off_proposed')).toBe('/client/desk');
  expect(addressOf('office_named')).toBe('/client/members');
  expect(addressOf('office_recorded')).toBe('/my-saccos');
  expect(addressOf('welcome')).toBeNull();
});

test('a notification of another sacco than the chosen one names it', () => {
  const saccos = [{ name: 'Umoja' }, { name: 'Umoja Riders' }, { name: 'Nuru' }];
  expect(saccoOfNotice({ text: 'Umoja Riders: Vote on “A safe”.' }, saccos)).toEqual({ name: 'Umoja Riders' });
  expect(saccoOfNotice({ text: 'You have signed in on a new device.' }, saccos)).toBeUndefined();
});

test('whoever has left a sacco is led from its dividend to their own page, and whoever is in it to the sacco’s', () => {
  const page = pageOfNotice({ template: 'dividend_paid' });
  if (!page) throw new Error('A dividend has a page.');
  const [umoja, nuru] = [{ name: 'Umoja' }, { name: 'Nuru' }];
  expect(wayOfNotice(page, { named: umoja, chosen: nuru })).toEqual({ to: '/client/dividends', sacco: umoja });
  expect(wayOfNotice(page, { named: undefined, chosen: nuru })).toEqual({ to: '/profile/dividends', sacco: null });
  expect(wayOfNotice(page, { named: undefined, chosen: null })).toEqual({ to: '/profile/dividends', sacco: null });
});
