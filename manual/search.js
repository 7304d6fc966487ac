// Search as you type. The index is loaded on first use.
const box = document.getElementById('q');
const results = document.getElementById('found');
const article = document.querySelector('article');
let index;

async function load() {
  if (index) return index;
  const text = await (await fetch('index.json')).text();
  index = globalThis.MiniSearch.loadJSON(text, { fields: ['heading', 'text', 'title'], storeFields: ['page', 'anchor', 'title', 'heading'] });
  return index;
}

async function show() {
  const words = box.value.trim();
  results.hidden = words === '';
  article.hidden = words !== '';
  results.replaceChildren();
  if (words === '') return;
  const hits = (await load()).search(words, { prefix: true, fuzzy: 0.2, boost: { heading: 3, title: 2 } }).slice(0, 20);
  for (const { page, anchor, title, heading } of hits) {
    const row = document.createElement('li');
    const link = document.createElement('a');
    link.href = `${page}.html${anchor ? `#${anchor}` : ''}`;
    link.textContent = heading;
    const pageTitle = document.createElement('span');
    pageTitle.textContent = title;
    row.append(link, pageTitle);
    results.append(row);
  }
  if (hits.length === 0) results.textContent = `No results for “${words}”.`;
}

box.addEventListener('input', show);
box.form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
results.addEventListener('click', () => {
  box.value = '';
  article.hidden = false;
  results.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  }
});
