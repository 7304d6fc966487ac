import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import markdownIt from 'markdown-it';
import MiniSearch from 'minisearch';
import { createHighlighter } from 'shiki';

// Builds the Markdown pages into static HTML without inline scripts or styles, because the Content-Security-Policy forbids both.
const here = fileURLToPath(new URL('.', import.meta.url));
const out = path.join(here, 'dist');
const chapters = JSON.parse(readFileSync(path.join(here, 'chapters.json'), 'utf8'));
const languages = ['bash', 'json', 'yaml', 'http', 'ini'];
const highlighter = await createHighlighter({ themes: ['github-light', 'github-dark'], langs: languages });

const colours = new Map();
/** Syntax colours become classes because style attributes are forbidden. */
function colourClass(light, dark) {
  const key = `${light} ${dark}`;
  if (!colours.has(key)) colours.set(key, `c${colours.size}`);
  return colours.get(key);
}

const escapeHtml = (text) => text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]);
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

// tabindex makes wide code blocks scrollable by keyboard.
function highlight(code, lang) {
  if (!languages.includes(lang)) return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
  const lines = highlighter.codeToTokensWithThemes(code, { lang, themes: { light: 'github-light', dark: 'github-dark' } });
  const body = lines
    .map((line) =>
      line
        .map(
          ({ content, variants }) =>
            `<span class="${colourClass(variants.light.color, variants.dark.color)}">${escapeHtml(content)}</span>`,
        )
        .join(''),
    )
    .join('\n');
  return `<pre tabindex="0"><code>${body}</code></pre>`;
}

/** The measured costs as a table, for the page about sizing. */
function costTable() {
  const { scale, machine, coefficients } = JSON.parse(readFileSync(path.join(here, 'sizing.json'), 'utf8'));
  const rows = Object.values(coefficients).map(
    ({ value, unit, source }) => `| ${value.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit} | ${source} |`,
  );
  return [
    `Measured with ${(1_000_000 * scale).toLocaleString('en')} documents (benchmarks at the scale ${scale}) on ${machine}.`,
    ...(scale < 0.5
      ? ['', 'With so few documents, the fixed costs of a process raise the figures per document, above all that of memory.']
      : []),
    '',
    '| Cost | Measured by |',
    '|---|---|',
    ...rows,
  ].join('\n');
}

const markdown = markdownIt({ html: false, linkify: false, highlight });
const sections = [];

function render(name, title) {
  const text = readFileSync(path.join(here, 'pages', `${name}.md`), 'utf8');
  const tokens = markdown.parse(name === 'sizing' ? text.replace('{{costs}}', costTable()) : text, {});
  const contents = [];
  let section = { id: `${name}#`, page: name, anchor: '', title, heading: title, text: '' };
  sections.push(section);
  tokens.forEach((token, position) => {
    if (token.type === 'heading_open' && token.tag !== 'h1') {
      const heading = tokens[position + 1].content.replace(/`/g, '');
      const anchor = slug(heading);
      token.attrSet('id', anchor);
      if (token.tag === 'h2') contents.push({ anchor, heading });
      section = { id: `${name}#${anchor}`, page: name, anchor, title, heading, text: '' };
      sections.push(section);
    } else if (token.type === 'inline') section.text += ` ${token.content}`;
    if (token.type === 'table_open') {
      token.attrSet('class', 'wide');
      token.attrSet('tabindex', '0');
    }
  });
  return {
    html: markdown.renderer
      .render(tokens, markdown.options, {})
      .replaceAll('style="text-align:right"', 'class="right"')
      .replaceAll(/ style="[^"]*"/g, ''),
    contents,
  };
}

function layout({ name, title, html, contents }) {
  const nav = chapters
    .map(
      ({ title: chapter, pages }) =>
        `<h2>${escapeHtml(chapter)}</h2><ul>${pages.map((page) => `<li><a href="${page.name === 'index' ? './' : `${page.name}.html`}"${page.name === name ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`).join('')}</ul>`,
    )
    .join('');
  const toc =
    contents.length > 1
      ? `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${contents.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`).join('')}</ul></nav>`
      : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Catalog manual</title>
<link rel="stylesheet" href="manual.css"><link rel="stylesheet" href="code.css"><script src="minisearch.js" defer></script><script src="search.js" defer></script>${name === 'sizing' ? '<script type="module" src="sizing.js"></script>' : ''}</head>
<body><a class="skip" href="#main">Skip to content</a>
<header><a class="home" href="/">Catalog</a><span>Manual</span><form role="search"><label for="q">Search the manual</label><input id="q" type="search" placeholder="Search the manual" autocomplete="off"></form></header>
<div class="columns"><nav class="chapters" aria-label="Chapters">${nav}</nav><main id="main"><ul id="found" aria-live="polite" hidden></ul><article>${html}</article></main>${toc}</div></body></html>`;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const { pages } of chapters)
  for (const { name, title } of pages) writeFileSync(path.join(out, `${name}.html`), layout({ name, title, ...render(name, title) }));
for (const file of ['manual.css', 'search.js', 'sizing.js', 'sizing.json']) copyFileSync(path.join(here, file), path.join(out, file));
const miniSearch = readFileSync(fileURLToPath(import.meta.resolve('minisearch')).replace(/es\/index\.js$/, 'umd/index.js'), 'utf8');
writeFileSync(path.join(out, 'minisearch.js'), miniSearch.replace(/\/\/# sourceMappingURL.*/, ''));
const colourRules = [...colours].map(([key, name]) => ({ name, light: key.split(' ')[0], dark: key.split(' ')[1] }));
writeFileSync(
  path.join(out, 'code.css'),
  `${colourRules.map(({ name, light }) => `.${name}{color:${light}}`).join('')}@media(prefers-color-scheme:dark){${colourRules.map(({ name, dark }) => `.${name}{color:${dark}}`).join('')}}\n`,
);
const index = new MiniSearch({ fields: ['heading', 'text', 'title'], storeFields: ['page', 'anchor', 'title', 'heading'] });
index.addAll(sections);
writeFileSync(path.join(out, 'index.json'), JSON.stringify(index));
const pictures = path.join(here, 'pictures');
if (existsSync(pictures)) {
  mkdirSync(path.join(out, 'pictures'));
  for (const name of readdirSync(pictures)) copyFileSync(path.join(pictures, name), path.join(out, 'pictures', name));
}
process.stdout.write(`${chapters.flatMap(({ pages }) => pages).length} pages, ${sections.length} sections\n`);
