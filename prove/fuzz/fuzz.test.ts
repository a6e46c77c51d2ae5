import { contract } from '@ushirika/contract/contract';
import { type Route, route } from '@ushirika/contract/route';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testHarness } from '../support/test-harness.ts';
import { unbounded } from './bounds.ts';
import { harness } from './fuzz.harness.ts';
import { faultOf } from './oracles.ts';
import { recipesOf } from './requests.ts';

testHarness(harness);

const like = (body: z.ZodType): Route =>
  route({
    name: 'likeOthers',
    method: 'POST',
    path: '/like/others',
    summary: 'A route of a test.',
    caller: 'anyone',
    repetition: 'natural',
    body,
    reply: z.object({}),
  });

test('a route of which no request can be derived is named', () => {
  const body = z.object({ shibboleth: z.string().refine((text) => text === 'only we know this') });
  expect(() => recipesOf(like(body))).toThrow(/route likeOthers: shibboleth: its schema takes none of our candidates/);
  expect(() => recipesOf(like(z.object({ at: z.custom<Date>() })))).toThrow(/likeOthers: at: no values are known/);
});

test('every text and list that a route takes has a greatest length, every number its bounds', () => {
  expect(contract.flatMap(unbounded)).toEqual([]);
});

test('what has no bound is named, however it is wrapped', () => {
  const body = z.object({
    text: z.string().trim().optional(),
    list: z.array(z.string().max(5)).default([]),
    number: z.number().nullish(),
    either: z.union([z.number(), z.string()]).transform(String),
    some: z.object({ more: z.record(z.string().max(5), z.unknown()) }),
  });
  expect(unbounded(like(body))).toEqual([
    'likeOthers.body.text is a text of any length',
    'likeOthers.body.list is a list of any length',
    'likeOthers.body.number takes the number 1e+300',
    'likeOthers.body.either is a text of any length',
    'likeOthers.body.either takes the number 1e+300',
    'likeOthers.body.some.more has any number of fields',
    'likeOthers.body.some.more{} is anything',
    'likeOthers.body.some.more{} takes the number 1e+300',
  ]);
});

test('a statement of SQL in an answer is a leak, and two texts of people that look like its halves are none', () => {
  const found = contract.find(({ name }) => name === 'listOperatorSaccos') as Route;
  const wire = { route: found.name, as: 'operator', method: 'GET', url: '/operator/saccos', headers: {} };
  const judged = (text: string) =>
    faultOf({ route: found, wire, isExact: false }, { status: 200, headers: {}, text, milliseconds: 1 });
  expect(judged('{"message":"select id, password_hash from users"}')).toMatch(/^leaks "select id, password_hash from"/);
  expect(judged('{"message":"select \\"id\\" from users"}')).toMatch(/^leaks/);
  expect(judged('select "id" from users')).toMatch(/^leaks/);
  expect(judged('{"last_name":"id; select 1","detail":"Missing from the register."}')).not.toMatch(/^leaks/);
});
