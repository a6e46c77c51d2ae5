const RELOADED_FOR = 'reloaded-for';

/**
 * A page of an older build asks for a part that the newer one no longer has: it is loaded again, once for each build, and
 * goes on with the newer one. Where the part is missing after that, a sentence is in its place. Where the server does not
 * answer, nothing is loaded again: what was typed stays.
 * @param build names the build that runs: its entry carries a hash.
 */
export function startFollowingNewBuilds(build: string): void {
  addEventListener('vite:preloadError', () => {
    if (!navigator.onLine || reloadedFor() === build) return;
    void fetch('/readyz', { cache: 'no-store' }).then(
      ({ ok }) => ok && reloadedFor(build) === build && location.reload(),
      () => {},
    );
  });
}

/** The build for which the page was loaded again last; null where the browser stores nothing. */
function reloadedFor(build?: string): string | null {
  try {
    if (build) sessionStorage.setItem(RELOADED_FOR, build);
    return sessionStorage.getItem(RELOADED_FOR);
  } catch {
    return null;
  }
}
