import { htmlEntities } from '../../input/xml.ts';

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

const blockTags = new Set(
  ['p div br li tr h1 h2 h3 h4 h5 h6 section article header footer table ul ol pre blockquote dt dd hr option', 'title'].flatMap((line) =>
    line.split(' '),
  ),
);
const skippedTags = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);

/**
 * Extracts text from HTML of any quality: tags, scripts and styles are removed and entities decoded. White space is kept, so up to twice
 * the wanted length is read.
 */
export function htmlToText(html: string, maxChars: number): HtmlText {
  const parts: string[] = [];
  const result: HtmlText = { text: '', links: 0, images: 0, truncated: false };
  let length = 0;
  let at = 0;
  let inHead = false;
  const append = (raw: string): void => {
    if (raw === '' || inHead) return;
    if (length > maxChars * 2 + 1024) {
      result.truncated = true;
      return;
    }
    const decoded = decodeEntities(raw);
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
    const close = html.indexOf('>', open + 1);
    if (close === -1) break;
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
    if (name === 'head') inHead = !ending;
    if (name === 'body') inHead = false;
    applyTag(result, name, tag, ending);
    if (skippedTags.has(name) && name !== 'head' && !ending && !tag.endsWith('/')) at = skipPast(html, at, name);
    if (blockTags.has(name)) append('\n');
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

const entities: Record<string, string> = { ...htmlEntities, amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (match, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? entities[name.toLowerCase()] ?? match;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
  });
}
