// npm test: everything, in the order in which failures are cheapest to see. The last line is `N passed, N failed`;
// the type check and the lint count as one test each, and so does a part that falls over.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertNode24, buildWebClient, compiledModules, isStopping, root, run } from './running.mjs';

assertNode24();
process.env.NODE_COMPILE_CACHE ??= compiledModules;
process.env.PROVE_CONTROLS ??= sixthOfCommit();
const reports = mkdtempSync(join(tmpdir(), 'ushirika-reports-'));
const tool = (...path) => join(root, 'node_modules', ...path);
const only = process.argv.slice(2);
const total = { passed: 0, failed: 0 };

// Beside each other: none of them fills two cores. The journeys then find the web client built; where that failed, they
// build it again and say so.
await Promise.all([
  part('types', 'The types are generated and hold', typesHold),
  part('lint', 'The lint has nothing to say', async () =>
    oneTest(await node(tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.')),
  ),
  isWanted('e2e') && buildWebClient().catch(() => false),
]);
// One after the other: each fills two cores, and beside each other both take longer than in turn (decision 165).
await part('vitest', 'Unit, property and integration tests', vitest);
await part('e2e', 'Browser journeys', journeys);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 || total.passed === 0 || isStopping() ? 1 : 0);

/** Runs one part and adds what it counted. Parts may be named on the command line: `npm test -- lint vitest`. */
async function part(name, title, work) {
  if (isStopping() || !isWanted(name)) return;
  console.log(`\n== ${title}`);
  const began = performance.now();
  let counts;
  try {
    counts = await work();
  } catch (error) {
    console.error(error);
    counts = { passed: 0, failed: 1 };
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`== ${title}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`);
}

/**
 * Which sixth of each harness's negative controls runs: 0 to 5, by the commit's hash, so that a commit is judged the same
 * each time. `npm run prove` runs all of them (decision 176).
 */
function sixthOfCommit() {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return String(Number.parseInt(hash.slice(0, 8), 16) % 6);
  } catch {
    return '0';
  }
}

async function typesHold() {
  const typescript = tool('typescript', 'bin', 'tsc');
  const generated = await node('scripts/generate-database-types.ts');
  const codes = [generated];
  for (const project of ['tsconfig.json', 'web', 'e2e']) codes.push(await node(typescript, '--noEmit', '-p', project));
  return oneTest(Math.max(...codes));
}

async function vitest() {
  const report = join(reports, 'vitest.json');
  const code = await node(
    tool('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  );
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that falls over before its tests are known has no failed test, yet has failed.
  return honest({ passed: numPassedTests, failed: numFailedTests || (numFailedTestSuites ? 1 : 0) }, code);
}

async function journeys() {
  if (!(await buildWebClient())) return { passed: 0, failed: 1 };
  const report = join(reports, 'playwright.json');
  const command = [tool('@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json'];
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const code = await run(process.execPath, command, { env });
  const { stats, errors } = JSON.parse(readFileSync(report, 'utf8'));
  return honest({ passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }, code);
}

function isWanted(name) {
  return only.length === 0 || only.includes(name);
}

function node(...args) {
  return run(process.execPath, args);
}

function oneTest(code) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** An exit code that says failure without a failed test is a failure all the same. */
function honest(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
