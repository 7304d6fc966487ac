import { decodeEntities } from './html-entities.ts';

/** The visible text of an HTML document and a few facts about it. */
interface HtmlText {
  text: string;
  title?: string;
  description?: string;
  language?: string;
  links: number;
  images: number;
  /** The text limit was reached. */
  truncated: boolean;
}

const words = (...lines: string[]): Set<string> => new Set(lines.flatMap((line) => line.split(' ')));
const blockTags = words(
  'p div br li tr h1 h2 h3 h4 h5 h6 section article header footer table ul ol pre blockquote dt dd hr option title main nav aside',
  'form fieldset legend caption figure figcaption address details summary center dl dir menu select textarea button label frame iframe',
);
const skippedTags = new Set(['script', 'style', 'template']);
/** Tags that occur only before the body. Any other tag ends a head that was never closed. */
const headTags = words('html head title meta link base script style noscript template object basefont isindex');

/**
 * Extracts text from HTML of any quality: tags, scripts and styles are removed and entities decoded. White space is kept, so up to twice
 * the wanted length is read. With `generic`, the document is some other XML, in which every element separates words.
 */
export function htmlToText(html: string, maxChars: number, { generic = false } = {}): HtmlText {
  const parts: string[] = [];
  const result: HtmlText = { text: '', links: 0, images: 0, truncated: false };
  let length = 0;
  let at = 0;
  let inHead = false;
  const append = (raw: string, literal = false): void => {
    if (raw === '' || inHead) return;
    if (length > maxChars * 2 + 1024) {
      result.truncated = true;
      return;
    }
    const decoded = literal ? raw : decodeEntities(raw);
    parts.push(decoded);
    length += decoded.length;
  };
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      append(html.slice(at));
      break;
    }
    append(html.slice(at, open));
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    if (html.startsWith('<![CDATA[', open)) {
      const end = html.indexOf(']]>', open + 9);
      append(html.slice(open + 9, end === -1 ? html.length : end), true);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const close = html.indexOf('>', open + 1);
    if (close === -1) {
      if (!/^<[!?/a-z]/i.test(html.slice(open, open + 2))) append(html.slice(open));
      break;
    }
    const tag = html.slice(open + 1, close);
    const name = /^\/?\s*([a-z][a-z0-9:-]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
    at = close + 1;
    if (name === '') {
      // A lone "<", as in "a < b", is text.
      if (!/^[!?/]/.test(tag)) {
        append('<');
        at = open + 1;
      }
      continue;
    }
    const ending = tag.startsWith('/');
    if (name === 'title' && !ending && result.title === undefined) {
      const end = html.indexOf('</', at);
      const title = decodeEntities(html.slice(at, end === -1 ? at + 1000 : end))
        .replace(/\s+/g, ' ')
        .trim();
      if (title !== '') result.title = title.slice(0, 1000);
    }
    if (name === 'head') inHead = !ending && !generic;
    else if (inHead && !headTags.has(name)) inHead = false;
    applyTag(result, name, tag, ending);
    if (skippedTags.has(name) && !ending && !tag.endsWith('/')) at = skipPast(html, at, name);
    const shown = ending ? undefined : alternativeText(name, tag);
    if (shown !== undefined) append(` ${shown} `);
    if (blockTags.has(name) || generic) append('\n');
    else if (name === 'td' || name === 'th') append(' ');
  }
  result.text = parts.join('');
  return result;
}

function applyTag(result: HtmlText, name: string, tag: string, ending: boolean): void {
  if (ending) return;
  if (name === 'a') result.links += 1;
  else if (name === 'img') result.images += 1;
  else if (name === 'html') {
    const language = attribute(tag, 'lang');
    if (language !== undefined && /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language)) result.language = language;
  } else if (name === 'meta' && /^description$/i.test(attribute(tag, 'name') ?? '')) {
    const description = attribute(tag, 'content');
    if (description !== undefined && description !== '') result.description ??= decodeEntities(description).slice(0, 2000);
  }
}

/** Text that a page shows although it is an attribute: of pictures, and of form fields that are not hidden. */
function alternativeText(name: string, tag: string): string | undefined {
  if (name === 'img' || name === 'area') return attribute(tag, 'alt');
  if (name !== 'input' || /^(hidden|checkbox|radio|image)$/i.test(attribute(tag, 'type') ?? '')) return undefined;
  return attribute(tag, 'value');
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

function skipPast(html: string, from: number, name: string): number {
  const lower = `</${name}`;
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (html.slice(at, at + lower.length).toLowerCase() === lower) {
      const end = html.indexOf('>', at);
      return end === -1 ? html.length : end + 1;
    }
  }
  return html.length;
}
