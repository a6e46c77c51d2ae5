/*
 * While servers of two builds answer side by side, a page of one may ask the other for its first script or its styles. Then it is
 * loaded again until both come from servers that have them; the third time without the service worker's copy. The count
 * is kept in the tab's name, since a browser may store nothing.
 */
(() => {
  const MOST = 8;
  const PREFIX = 'loaded-again:';
  let isLeaving = false;
  const again = () => {
    if (isLeaving) return;
    isLeaving = true;
    const times = window.name.startsWith(PREFIX) ? Number(window.name.slice(PREFIX.length)) : 0;
    if (times >= MOST) {
      window.name = '';
      const words = 'This page could not be loaded. Load it again. · Ukurasa huu haukuweza kupakiwa. Upakie tena.';
      document.getElementById('root').firstElementChild.replaceChildren(words);
      return;
    }
    window.name = PREFIX + (times + 1);
    const workers = times < 2 ? undefined : navigator.serviceWorker;
    const free = workers
      ? workers.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))
      : Promise.resolve();
    const load = () => setTimeout(() => location.reload(), times * 200 + Math.random() * 200);
    free.then(load, load);
  };
  const isMissing = (part) => part.localName === 'script' || (part.localName === 'link' && part.rel === 'stylesheet');
  addEventListener(
    'error',
    ({ target }) => target instanceof Element && isMissing(target) && navigator.onLine && again(),
    true,
  );
  addEventListener('load', () => {
    const sheets = [...document.querySelectorAll('link[rel=stylesheet]')];
    if (sheets.some(({ sheet }) => !sheet)) again();
    else if (!isLeaving) window.name = '';
  });
})();
