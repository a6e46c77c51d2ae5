import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

/** The journeys run against the real server and the real database that `e2e/support/global-setup.ts` starts. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.journey.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  fullyParallel: true,
  // A journey waits as long as it works: four keep two cores busy.
  workers: 4,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'off',
    serviceWorkers: 'block',
    // A new context costs a second of a core: the worker's own is emptied instead (decision 165).
    reuseContext: true,
    // Half the work for the machine, and nothing to wait for.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findBrowser() ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // All pages are ours: one process draws them, where a new one for each costs a tenth of the work.
        '--process-per-site',
        '--disable-site-isolation-trials',
        // What a cached file costs is mostly its way between two processes.
        '--enable-features=NetworkServiceInProcess2',
        // A page lives for a second or two: what is compiled for speed is seldom run again.
        '--js-flags=--no-maglev --invocation-count-for-turbofan=20000 --interrupt-budget=600000',
      ],
    },
  },
});
