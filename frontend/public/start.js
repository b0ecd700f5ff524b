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

// Nearly every page begins with the list of toggles: it is on its way while the code still comes, and `fetch` takes it
// over. Not where somebody signs out: the next one to sign in would be given what the last one saw.
if (!location.pathname.endsWith('/logout')) {
  const list = document.createElement('link');
  Object.assign(list, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: 'api/admin/features' });
  document.head.append(list);
}
