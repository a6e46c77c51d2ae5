import { fromStored, type Sentence, sentence } from '@ushirika/contract/sentence';

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone|\biPad|\biPod/, 'iOS'],
  [/\bAndroid/, 'Android'],
  [/\bWindows/, 'Windows'],
  [/\bCrOS/, 'ChromeOS'],
  [/\bMac OS X|\bMacintosh/, 'macOS'],
  [/\bLinux/, 'Linux'],
];

/** A browser's user agent in a few words that its owner recognises: `Chrome on Android`. */
export function deviceOf(userAgent: string): string {
  const named = (kinds: readonly [RegExp, string][]) => kinds.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

/** The same as it is said to its owner. */
export function deviceSaid(device: string): Sentence {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? [];
  return browser && system ? sentence('{browser} on {system}', { browser, system }) : fromStored(device);
}

/** One cookie names the tokens of those who sign in on a device, by dots, the latest last. */
export const DEVICE_COOKIE = 'ushirika_device';
const DEVICES_IN_COOKIE = 5;
const DEVICE_TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** As long as browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 86_400;

/** The value of the device's cookie in a `Cookie` header; null where there is none. */
export function deviceCookieIn(header: string | string[] | undefined): string | null {
  const pairs = [header ?? []].flat().join(';').slice(0, 8_000).split(';');
  const own = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${DEVICE_COOKIE}=`));
  return own?.slice(DEVICE_COOKIE.length + 1) ?? null;
}

/** The tokens in the value of the cookie; what is none is passed over. */
export function devicesIn(value: string | null): string[] {
  return [...new Set((value ?? '').split('.').slice(-DEVICES_IN_COOKIE))].filter((token) => DEVICE_TOKEN.test(token));
}

export function withDevice(others: readonly string[], token: string): string {
  return [...others, token].slice(-DEVICES_IN_COOKIE).join('.');
}

/** What sets the cookie: for the API alone, out of every script's reach, and never with a request from another site. */
export function setDeviceCookie(value: string, path: string, isSecure: boolean): string {
  const attributes = [`Path=${path}`, `Max-Age=${COOKIE_SECONDS}`, 'HttpOnly', 'SameSite=Strict'];
  return [`${DEVICE_COOKIE}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}
