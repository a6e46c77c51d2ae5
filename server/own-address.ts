/** Addresses on which a server hears from every network of its machine, and the address at which the machine reaches it. */
const REACHED_AT: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The origin at which this machine reaches its own server: `http://[::1]:3000` for HOST=::. */
export function ownOrigin(host: string, port: number): string {
  return `http://${inUrl(REACHED_AT[host] ?? host)}:${port}`;
}

/** The origin that people on this machine type: `http://localhost:3000`, or the address where the server has only one. */
export function shownOrigin(host: string, port: number): string {
  const isLocal = ['127.0.0.1', '::1', ...Object.keys(REACHED_AT)].includes(host);
  return `http://${isLocal ? 'localhost' : inUrl(host)}:${port}`;
}

/**
 * Keeps requests to our own addresses away from a proxy of the environment (NODE_USE_ENV_PROXY, HTTP_PROXY). Node reads
 * NO_PROXY at each request, and `no_proxy` before it.
 */
export function keepFromProxy(env: NodeJS.ProcessEnv, host: string): void {
  const own = ['localhost', '127.0.0.1', '[::1]', inUrl(host)];
  const given = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const all = given.includes('*') ? '*' : [...new Set([...given, ...own])].join(',');
  env.NO_PROXY = all;
  env.no_proxy = all;
}

/** An IPv6 address stands in brackets in a URL. */
function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
