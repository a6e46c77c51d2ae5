import { expect, test } from 'vitest';
import { filesIn, isTest, lineOf, type Node, read, sourceFiles, visit } from './source.ts';

const LINES_MAX = 60;

/**
 * Functions that are longer than 60 lines, with the reason. The list may only shrink: a new long function fails, and so
 * does an entry whose function has become short.
 */
const longFunctions: Record<string, { lines: number; why: string }> = {};

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function nameOf(node: Node, parent: Node | null): string {
  const id = (node.id ?? parent?.id ?? parent?.key) as { name?: string } | undefined;
  return id?.name ?? '(anonymous)';
}

/** Components say what a page looks like: their mark-up may run on, their logic may not. */
const linesMaxOf = (path: string): number => (path.endsWith('.tsx') ? 120 : LINES_MAX);

test('functions stay short, and those that are not are on a list that only shrinks', () => {
  const found: Record<string, number> = {};
  for (const path of sourceFiles().filter((file) => !isTest(file))) {
    const text = read(path);
    visit(path, (node, parent) => {
      if (!functionTypes.has(node.type)) return;
      const lines = lineOf(text, node.end) - lineOf(text, node.start) + 1;
      if (lines > linesMaxOf(path)) found[`${path}#${nameOf(node, parent)}`] = lines;
    });
  }
  const grown = Object.entries(found).filter(([name, lines]) => lines > (longFunctions[name]?.lines ?? 0));
  const mended = Object.keys(longFunctions).filter((name) => !(name in found));
  expect({ grown, mended }).toEqual({ grown: [], mended: [] });
});

/** Where the outside's time and chance come in; everything else is handed them. */
const mayReadClock = [
  /^server\/world\.ts$/,
  // Waits for processes of the operating system; no time of the product.
  /^server\/db\/embedded\.ts$/,
  /^web\/src\/clock\.ts$/,
  /^verifier\/src\/cli\.ts$/,
  /^(bench|scripts|e2e|prove|tidy)\//,
  /\.test\.tsx?$/,
];

test('nobody reads the clock or rolls dice but the one place on each side', () => {
  const found: string[] = [];
  for (const path of sourceFiles().filter((file) => !mayReadClock.some((allowed) => allowed.test(file)))) {
    const text = read(path);
    visit(path, (node) => {
      const callee = node.callee as Node | undefined;
      const isNewDate =
        node.type === 'NewExpression' && callee?.name === 'Date' && (node.arguments as unknown[]).length === 0;
      const member =
        callee?.type === 'MemberExpression'
          ? `${(callee.object as Node).name}.${(callee.property as Node).name}`
          : callee?.name;
      const isBanned =
        node.type === 'CallExpression' &&
        ['Date.now', 'Math.random', 'crypto.randomUUID', 'randomUUID'].includes(String(member));
      if (isNewDate || isBanned) found.push(`${path}:${lineOf(text, node.start)} ${isNewDate ? 'new Date()' : member}`);
    });
  }
  expect(found).toEqual([]);
});

/**
 * Migrations run as the owner; the audit reads one snapshot as the owner: neither is the application's. A statement
 * outside any transaction that runs as a person has a short one around it, which is no verb's.
 */
const beginners = new Set(['server/db/migrate.ts', 'server/audit.ts', 'server/db/person-statements.ts']);

test('a transaction begins in one place', () => {
  const found = sourceFiles().filter(
    (path) =>
      path.startsWith('server/') &&
      !isTest(path) &&
      path !== 'server/db/database.ts' &&
      !beginners.has(path) &&
      /\.begin\(|\bbegin;|\.transaction\(\)\s*\.execute/.test(read(path)),
  );
  expect(found).toEqual([]);
});

test('no comment is a bare TODO, FIXME or HACK', () => {
  const found = sourceFiles().filter(
    (path) => path !== 'tidy/code.test.ts' && /\/\/\s*(FIXME|HACK|XXX|TODO(?!\())/.test(read(path)),
  );
  expect(found).toEqual([]);
});

test('no file has the marks that a merge leaves where two changes conflict', () => {
  const marks = /^(<{7}|>{7}|\|{7}|={7})( |$)/m;
  expect(filesIn('.', ['']).filter((path) => marks.test(read(path)))).toEqual([]);
});

test('a form where somebody types more than a line keeps what is typed while the page is loaded again', () => {
  // Parts of forms that are in other files.
  const parts = ['web/src/ui/fields.tsx', 'web/src/saccos/particulars.tsx', 'web/src/voting/terms-forms.tsx'];
  const found = sourceFiles().filter(
    (path) => !parts.includes(path) && /<TextArea\b/.test(read(path)) && !/keptAs=|useKeptApplication/.test(read(path)),
  );
  expect(found).toEqual([]);
});

test('no test is skipped or runs alone', () => {
  const found = sourceFiles().filter(
    (path) =>
      isTest(path) && path !== 'tidy/code.test.ts' && /\b(test|it|describe)\.(only|skip|todo|fixme)\b/.test(read(path)),
  );
  expect(found).toEqual([]);
});

test('money is never a float: no parseFloat and no toFixed outside the formatters', () => {
  const allowed = new Set(['contract/src/money.ts']);
  const found = sourceFiles().filter(
    (path) =>
      /^(contract|server\/(domains|ledger))\//.test(path) &&
      !isTest(path) &&
      !allowed.has(path) &&
      /parseFloat\(|\.toFixed\(/.test(read(path)),
  );
  expect(found).toEqual([]);
});

/** What replies of the API give in shillings, by the names that they have there. */
const SHILLINGS = new Set(
  'amount available balance charge fee fee_min price reg_fee reward savings share_value total turnover value wallet'.split(
    ' ',
  ),
);
/** Draws prices as points of a line: no sum of money. */
const DRAWS_PRICES = 'web/src/market/price-line.ts';

function lastNameOf(node: Node): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'MemberExpression') return lastNameOf(node.property as Node);
  const isAround = node.type === 'ChainExpression' || node.type === 'TSNonNullExpression';
  return isAround ? lastNameOf(node.expression as Node) : '';
}

test('shillings are never added as floats: the browser adds cents (`centsOf`)', () => {
  const found: string[] = [];
  for (const path of sourceFiles().filter((file) => /^(web|contract)\/src\//.test(file) && !isTest(file))) {
    if (path === DRAWS_PRICES) continue;
    const text = read(path);
    visit(path, (node) => {
      if (!['+', '-', '+=', '-='].includes(String(node.operator)) || !node.left || !node.right) return;
      const sides = [node.left as Node, node.right as Node].map(lastNameOf);
      if (sides.some((name) => SHILLINGS.has(name))) found.push(`${path}:${lineOf(text, node.start)}`);
    });
  }
  expect(found).toEqual([]);
});
