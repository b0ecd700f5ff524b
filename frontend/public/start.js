// A file of its own and not a module: it must run before the first paint, also in browsers that cannot run the modules,
// and the content policy allows no inline script. Syntax of 2015, so that old browsers can show the sentence below.

// The oldest browsers with these APIs are the oldest supported ones: Chromium (canParse), Firefox (CSSPropertyRule, which
// the styles need), and Safari (popover).
const isSupported =
  'CSSPropertyRule' in window && 'popover' in HTMLElement.prototype && typeof URL.canParse === 'function';

// Modules run after this event, and render nothing without the element `root`.
if (!isSupported)
  document.addEventListener('readystatechange', () => {
    const root = document.getElementById('root');
    if (!root) return;
    const sentence = document.createElement('p');
    sentence.textContent = 'Flagdeck needs a newer browser: Chrome 120, Edge 120, Firefox 128, Safari 17, or newer.';
    root.parentNode.replaceChild(sentence, root);
  });

// The theme, so that nothing flashes.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('flagdeck:theme');
  } catch (_forbidden) {
    // Storage can be forbidden; then the system decides.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();

// The page of a toggle needs more code than the list. Its request starts with that of the code of all pages, whose imports name it
// only after they have loaded. The build writes the attribute.
if (isSupported && /\/(features|archive)\/(strategies|view|variants|history)\/./.test(location.pathname))
  for (const href of (document.currentScript.dataset.togglePage || '').split(' ').filter(Boolean))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    );

// Most pages begin with the list of toggles: its request starts while the code is loading. Not on the sign-out page: the
// next user would see the list of the last one.
if (isSupported && !location.pathname.endsWith('/logout')) {
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
