// A file of its own and not a module: it must run before the first paint, and the content policy allows no inline script.

// The theme, so that nothing flashes.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('flagdeck:theme');
  } catch {
    // Storage can be forbidden; then the system decides.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();

// Most pages begin with the list of toggles: its request starts while the code is loading. Not on the sign-out page: the
// next user would see the list of the last one.
if (!location.pathname.endsWith('/logout')) {
  const href = 'api/admin/features';
  const environment = new URLSearchParams(location.search).get('environment');
  if (environment) {
    // A preload cannot send headers. `api/client.ts` takes over the response.
    const headers = { Accept: 'application/json', 'Flagdeck-Environment': encodeURIComponent(environment) };
    // biome-ignore lint/style/noRestrictedGlobals: This script runs before the modules.
    globalThis.earlyList = fetch(href, { headers });
    // Its failure is handled there.
    globalThis.earlyList.catch(() => undefined);
  } else {
    const list = document.createElement('link');
    Object.assign(list, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href });
    document.head.append(list);
  }
}
