// Sets the colour scheme before the first paint, so that a dark page does not flash white. A separate file because the policy forbids inline scripts.
(() => {
  var scheme = 'auto';
  try {
    scheme = localStorage.getItem('catalog.color-scheme') || 'auto';
  } catch (_) {
    // Storage is disabled; follow the system.
  }
  var dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
