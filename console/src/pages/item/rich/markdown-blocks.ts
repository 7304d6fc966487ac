/*
 * A small Markdown parser for previews: CommonMark's usual blocks and the tables of GitHub. HTML in the text stays text, so nothing that a
 * file contains can run or load anything.
 */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'rule' };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#-]*)/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const BULLET = /^( *)([-*+]|\d{1,9}[.)])(\s+|$)/;
const MAX_DEPTH = 12;

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
const isTableRule = (line: string | undefined): boolean =>
  /-/.test(line ?? '') && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line ?? '');

const startsBlock = (line: string): boolean =>
  line.trim() === '' || FENCE.test(line) || HEADING.test(line) || RULE.test(line) || BULLET.test(line) || /^ {0,3}>/.test(line);

export function parseMarkdown(text: string, depth = 0): Block[] {
  const lines = text.replaceAll('\t', '    ').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  if (depth === 0 && lines[0] === '---') {
    const end = lines.indexOf('---', 1);
    // Front matter describes the document and is not part of it.
    if (end > 0) at = end + 1;
  }
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const fence = FENCE.exec(line);
    if (fence) {
      const mark = fence[1] ?? '```';
      const end = lines.findIndex((one, i) => i > at && one.trim().startsWith(mark));
      const last = end < 0 ? lines.length : end;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, last).join('\n'), language: fence[2] ?? '' });
      at = last + 1;
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' });
      at += 1;
      continue;
    }
    if (RULE.test(line)) {
      blocks.push({ kind: 'rule' });
      at += 1;
      continue;
    }
    if (/^ {0,3}>/.test(line) && depth < MAX_DEPTH) {
      const from = at;
      while (at < lines.length && /^ {0,3}>/.test(lines[at] ?? '')) at += 1;
      const inner = lines.slice(from, at).map((one) => one.replace(/^ {0,3}> ?/, ''));
      blocks.push({ kind: 'quote', blocks: parseMarkdown(inner.join('\n'), depth + 1) });
      continue;
    }
    const bullet = BULLET.exec(line);
    if (bullet && depth < MAX_DEPTH) {
      const [list, next] = readList(lines, at, bullet, depth);
      blocks.push(list);
      at = next;
      continue;
    }
    if (line.includes('|') && isTableRule(lines[at + 1])) {
      const head = cells(line);
      const from = at + 2;
      at = from;
      while (at < lines.length && (lines[at] ?? '').includes('|')) at += 1;
      blocks.push({ kind: 'table', head, rows: lines.slice(from, at).map(cells) });
      continue;
    }
    if (/^ {4}/.test(line)) {
      const from = at;
      while (at < lines.length && (/^ {4}/.test(lines[at] ?? '') || lines[at]?.trim() === '')) at += 1;
      const text = lines.slice(from, at).map((one) => one.slice(4));
      blocks.push({ kind: 'code', text: text.join('\n').trimEnd(), language: '' });
      continue;
    }
    const from = at;
    at += 1;
    while (at < lines.length && !startsBlock(lines[at] ?? '') && !/^ {0,3}(=+|-+)\s*$/.test(lines[at] ?? '')) at += 1;
    const paragraph = lines.slice(from, at).join('\n').trim();
    const under = /^ {0,3}(=+|-+)\s*$/.exec(lines[at] ?? '');
    if (under) {
      blocks.push({ kind: 'heading', level: under[1]?.startsWith('=') ? 1 : 2, text: paragraph });
      at += 1;
    } else blocks.push({ kind: 'paragraph', text: paragraph });
  }
  return blocks;
}

/** A list with everything indented below its items. */
function readList(lines: readonly string[], from: number, first: RegExpExecArray, depth: number): [Block, number] {
  const indent = first[1]?.length ?? 0;
  const ordered = /\d/.test(first[2] ?? '');
  const items: string[][] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const bullet = BULLET.exec(line);
    const own = bullet !== null && (bullet[1]?.length ?? 0) <= indent + 1;
    if (own && /\d/.test(bullet[2] ?? '') === ordered) items.push([line.slice(bullet[0].length)]);
    else if (line.trim() === '') {
      const next = lines[at + 1] ?? '';
      if (!/^\s{2,}/.test(next) && !BULLET.test(next)) break;
      items.at(-1)?.push('');
    } else if (!own && /^\s/.test(line)) items.at(-1)?.push(line.replace(new RegExp(`^ {1,${indent + 4}}`), ''));
    else if (!own && !startsBlock(line)) items.at(-1)?.push(line);
    else break;
    at += 1;
  }
  const start = ordered ? Number.parseInt(first[2] ?? '1', 10) : 1;
  return [{ kind: 'list', ordered, start, items: items.map((item) => parseMarkdown(item.join('\n'), depth + 1)) }, at];
}

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }
  | { kind: 'image'; alt: string }
  | { kind: 'break' };

const INLINE =
  /(?<code>`{1,3})(?<codeText>[\s\S]*?[^`])\k<code>(?!`)|!\[(?<alt>[^\]]*)\]\([^)]*\)|\[(?<label>[^\]]+)\]\((?<href>[^\s)]*)[^)]*\)|<(?<auto>https?:\/\/[^\s>]+)>|(?<strong>\*\*|__)(?<strongText>\S(?:[\s\S]*?\S)?)\k<strong>|(?<em>\*|_)(?<emText>[^\s*_](?:[\s\S]*?[^\s])?)\k<em>(?!\w)|~~(?<del>[\s\S]+?)~~|(?<break> {2,}\n|\\\n)|\\(?<escaped>[\\`*_{}[\]()#+\-.!|>~])/;

/** Longer text is shown as it is: matching emphasis takes time that grows with the square of the length. */
const MAX_INLINE = 3000;

/** Only links to the web are followed; all others stay text. */
export const isWebLink = (href: string): boolean => /^(https?:|mailto:)/i.test(href);

export function parseInline(text: string, depth = 0): Inline[] {
  if (text.length > MAX_INLINE) return [{ kind: 'text', text }];
  const parts: Inline[] = [];
  const plain = (value: string) => {
    if (value) parts.push({ kind: 'text', text: value });
  };
  let rest = text;
  while (rest) {
    const found = depth < MAX_DEPTH ? INLINE.exec(rest) : null;
    const groups = found?.groups;
    if (!found || !groups) {
      plain(rest);
      break;
    }
    plain(rest.slice(0, found.index));
    const inner = (value: string | undefined) => parseInline(value ?? '', depth + 1);
    if (groups['codeText'] !== undefined) parts.push({ kind: 'code', text: groups['codeText'] });
    else if (groups['alt'] !== undefined) parts.push({ kind: 'image', alt: groups['alt'] });
    else if (groups['label'] !== undefined) parts.push({ kind: 'link', href: groups['href'] ?? '', parts: inner(groups['label']) });
    else if (groups['auto']) parts.push({ kind: 'link', href: groups['auto'], parts: [{ kind: 'text', text: groups['auto'] }] });
    else if (groups['strongText']) parts.push({ kind: 'strong', parts: inner(groups['strongText']) });
    else if (groups['emText']) parts.push({ kind: 'em', parts: inner(groups['emText']) });
    else if (groups['del']) parts.push({ kind: 'del', parts: inner(groups['del']) });
    else if (groups['break']) parts.push({ kind: 'break' });
    else plain(groups['escaped'] ?? found[0]);
    rest = rest.slice(found.index + found[0].length);
  }
  return parts;
}
