import { contract } from '@ushirika/contract/contract';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

/*
 * Rules that Redocly's linter recommends and that the document has broken, or could (`npx @redocly/cli lint`; the
 * project does not install it). One warning remains, `no-ambiguous-paths`: `/sacco/{id}/resubmission` and
 * `/sacco/trades/{id}` do not clash, since an id is a UUID.
 */

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, object>>;
}

const document = openApiDocument(contract, 'https://ushirika.test') as {
  info: object;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...operation })),
);
const namesOf = (some: readonly { readonly operationId: string }[]) => some.map(({ operationId }) => operationId);

test('every route of the contract is an operation, once', () => {
  expect(namesOf(operations).sort()).toEqual(contract.map(({ name }) => name).sort());
  expect(new Set(namesOf(operations)).size).toBe(contract.length);
});

test('every operation says whether it needs a token: routes for anyone and for M-Pesa do not, all others do', () => {
  const open = operations.filter(({ security }) => security?.length === 0);
  const byCaller = contract.filter(({ caller }) => caller === 'anyone' || caller === 'provider');
  expect(namesOf(open).sort()).toEqual(byCaller.map(({ name }) => name).sort());
  expect(open.length).toBeGreaterThan(10);
  const others = operations.filter((one) => !open.includes(one));
  expect(others.filter(({ security }) => JSON.stringify(security) !== '[{"token":[]}]')).toEqual([]);
});

test('no path ends with a slash, and each has the parameters that it names', () => {
  expect(Object.keys(document.paths).filter((path) => path.endsWith('/'))).toEqual([]);
  const wrong = operations.filter(({ path, parameters }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    return named.sort().join() !== declared.sort().join();
  });
  expect(namesOf(wrong)).toEqual([]);
});

test('every operation documents its success and its refusals', () => {
  const without = (digit: string) =>
    operations.filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith(digit)));
  expect(namesOf([...without('2'), ...without('4')])).toEqual([]);
  expect(document.info).toHaveProperty('license');
});
