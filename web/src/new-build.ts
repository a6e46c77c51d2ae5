const RELOADED_FOR = 'reloaded-for';

/** The path of the entry that runs: it carries a hash. */
let running = '';

/**
 * Loads a page of an older build again, once for each build, when it asks for a part that the newer one no longer has. Where a form has
 * typed text, or the part is missing after that, a sentence is in the part's place and the person decides. Where the server does not
 * answer, nothing is loaded again.
 * @param build names the build that runs: its entry carries a hash.
 */
export function startFollowingNewBuilds(build: string): void {
  running = new URL(build, location.href).pathname;
  const typedInto = new Set<HTMLInputElement>();
  const note = ({ target }: Event) => {
    // Fields of forms that are gone would stay in memory.
    for (const each of typedInto) if (!each.isConnected) typedInto.delete(each);
    typedInto.add(target as HTMLInputElement);
  };
  addEventListener('input', note, true);
  const isTyped = () => [...typedInto].some(({ isConnected, form, value }) => isConnected && form && value);
  addEventListener('vite:preloadError', () => {
    if (reloadedFor() === build || isTyped()) return;
    void isNewerBuildOut().then((isOut) => {
      if (isOut && reloadedFor(build) === build) void loadNewerBuild();
    });
  });
}

/** Whether the server answers with another build than the one that runs. The address is one that the service worker does not answer. */
export async function isNewerBuildOut(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const shell = await fetch('/?newest', { cache: 'no-store' });
    const page = await shell.text();
    // A page of a proxy, or one that says that the server is being looked after, is no build.
    return shell.ok && page.includes('/assets/') && !page.includes(running);
  } catch {
    return false;
  }
}

/** Loads the page from the server: the service worker of the older build would answer with its own. */
export async function loadNewerBuild(): Promise<void> {
  const workers = (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
  location.reload();
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
