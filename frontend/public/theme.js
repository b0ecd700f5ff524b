// A file of its own and not a module: it must run before the first paint, and the content policy allows no inline script.
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
