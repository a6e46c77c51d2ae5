// npm test: everything, in the order in which failures are cheapest to see. The last line is `N passed, N failed`;
// the type check and the lint count as one test each, and so does a part that falls over. Before it stand the names of
// the tests that failed and how each began to say why: whoever sees only the end of the output sees them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { assertNode24, buildWebClient, compiledModules, isStopping, root, run } from './running.mjs';

assertNode24();
process.env.NODE_COMPILE_CACHE ??= compiledModules;
process.env.PROVE_CONTROLS ??= twelfthOfCommit();
const reports = mkdtempSync(join(tmpdir(), 'ushirika-reports-'));
const tool = (...path) => join(root, 'node_modules', ...path);
const only = process.argv.slice(2);
const total = { passed: 0, failed: 0 };
/** A line for each test that failed. */
const failures = [];

// Beside each other: none of them fills two cores. The journeys then find the web client built; where that failed, they
// build it again and say so.
await Promise.all([
  part('types', 'The types hold', typesHold),
  part('lint', 'The lint has nothing to say', async () =>
    oneTest(await node(tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.')),
  ),
  isWanted('e2e') && buildWebClient().catch(() => false),
]);
// One after the other: each fills two cores, and beside each other both take longer than in turn (decision 165).
await part('vitest', 'Unit, property and integration tests', vitest);
await part('e2e', 'Browser journeys', journeys);

rmSync(reports, { recursive: true, force: true });
if (failures.length > 0) console.log(`\n== Failed\n${failures.join('\n')}`);
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
  if (counts.failed > 0) failures.push(...(counts.failures?.length ? counts.failures : [title]));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`== ${title}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`);
}

/**
 * Which twelfth of each harness's negative controls runs: 0 to 11, by the commit's hash, so that a commit is judged the same
 * each time. `npm run prove` runs all of them (decision 176).
 */
function twelfthOfCommit() {
  try {
    const hash = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return String(Number.parseInt(hash.slice(0, 8), 16) % 12);
  } catch {
    return '0';
  }
}

async function typesHold() {
  const typescript = tool('typescript', 'bin', 'tsc');
  const codes = [];
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
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that falls over before its tests are known has no failed test, yet has failed.
  const failed = numFailedTests || (numFailedTestSuites ? 1 : 0);
  return honest({ passed: numPassedTests, failed, failures: testResults.flatMap(failuresOfFile) }, code);
}

async function journeys() {
  if (!(await buildWebClient())) return { passed: 0, failed: 1 };
  const report = join(reports, 'playwright.json');
  const command = [tool('@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json'];
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const code = await run(process.execPath, command, { env });
  const { stats, errors, suites } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = stats.unexpected + errors.length;
  const lines = [...suites.flatMap(failuresOfJourneys), ...errors.map(({ message }) => beginningOf(message))];
  return honest({ passed: stats.expected + stats.flaky, failed, failures: lines }, code);
}

/** The lines of one file in Vitest's report. */
function failuresOfFile({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`${name}: ${beginningOf(message)}`] : [];
  return failed.map(({ fullName, failureMessages }) => `${name} › ${fullName}: ${beginningOf(failureMessages[0])}`);
}

/** The lines of one file, and of the groups in it, in Playwright's report. */
function failuresOfJourneys({ suites = [], specs = [] }) {
  const failed = specs.filter(({ ok }) => !ok);
  return [...suites.flatMap(failuresOfJourneys), ...failed.map(failureOfJourney)];
}

function failureOfJourney({ file, title, tests }) {
  const error = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0];
  return `${file} › ${title}: ${beginningOf(error?.message)}`;
}

/** The first 300 characters, on one line and without colours. */
function beginningOf(message) {
  return stripVTControlCharacters(message ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
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
