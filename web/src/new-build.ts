const RELOADED_FOR = 'reloaded-for';

/**
 * A page of an older build asks for a part that the newer one no longer has: it is loaded again, once for each build, and
 * goes on with the newer one. Where the part is missing after that, the crash page says so.
 * @param build names the build that runs: its entry carries a hash.
 */
export function startFollowingNewBuilds(build: string): void {
  addEventListener('vite:preloadError', () => {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR) === build) return;
    sessionStorage.setItem(RELOADED_FOR, build);
    location.reload();
  });
}
