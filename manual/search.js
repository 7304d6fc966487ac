// Search as you type over the prepared index; loaded on first use.
const box = document.getElementById('q');
const found = document.getElementById('found');
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
  found.hidden = article.hidden === true && words === '' ? true : words === '';
  article.hidden = words !== '';
  found.replaceChildren();
  if (words === '') return;
  const hits = (await load()).search(words, { prefix: true, fuzzy: 0.2, boost: { heading: 3, title: 2 } }).slice(0, 20);
  for (const { page, anchor, title, heading } of hits) {
    const row = document.createElement('li');
    const link = document.createElement('a');
    link.href = `${page}.html${anchor ? `#${anchor}` : ''}`;
    link.textContent = heading;
    const where = document.createElement('span');
    where.textContent = title;
    row.append(link, where);
    found.append(row);
  }
  if (hits.length === 0) found.textContent = `Nothing in the manual matches “${words}”.`;
}

box.addEventListener('input', show);
box.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
found.addEventListener('click', () => {
  box.value = '';
  article.hidden = false;
  found.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  }
});
