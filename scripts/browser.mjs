// Which Chromium the journeys run in.
import { existsSync } from 'node:fs';

/** Debian's two builds. The headless shell is the same engine without a browser's window, for three quarters of the work. */
const BUILDS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The program's path; null where there is none. `CHROMIUM_PATH` decides where it is set. */
export function findBrowser() {
  const wanted = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : BUILDS;
  return wanted.find((path) => existsSync(path)) ?? null;
}

/** Whether the cheaper of the two is there, or another was asked for. */
export const isBestBrowser = () => Boolean(process.env.CHROMIUM_PATH) || findBrowser() === BUILDS[0];
