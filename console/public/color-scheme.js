// Sets the colour scheme before the first paint, so that a dark page never flashes white. A file of its own because inline scripts are not allowed.
(() => {
  var wanted = 'auto';
  try {
    wanted = localStorage.getItem('catalog.color-scheme') || 'auto';
  } catch (_) {}
  var dark = wanted === 'dark' || (wanted === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
