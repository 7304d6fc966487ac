// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
import { LIBRARIES, type MockItem } from './data.ts';

const KEYS = /(-?)\b(kind|group|ext|path|tag|library|size|modified|created|is|has|hash):("[^"]*"|\S+)/g;

type Test = (item: MockItem) => boolean;

function dayRange(text: string): [number, number] {
  const start = (t: string) => Date.UTC(Number(t.slice(0, 4)), Number(t.slice(5, 7) || 1) - 1, Number(t.slice(8, 10) || 1)) / 1000;
  const end = (t: string) =>
    (t.length === 4 ? Date.UTC(Number(t) + 1, 0, 1) : Date.UTC(Number(t.slice(0, 4)), Number(t.slice(5, 7) || 12), 1)) / 1000 - 1;
  const [a, b] = text.split('..');
  return [start(a!), end(b ?? a!)];
}

export class ParseError extends Error {
  position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

function keyTest(key: string, value: string, position: number): Test {
  const low = value.toLowerCase();
  if (key === 'kind') return (i) => i.file_category.startsWith(low) || (low === '3d' && i.file_category === 'three-d-cad');
  if (key === 'group') return (i) => i.file_group === low;
  if (key === 'ext') return (i) => i.extension === low;
  if (key === 'path') return (i) => i.rel_path.toLowerCase().startsWith(low);
  if (key === 'tag') return (i) => i.tags.includes(low);
  if (key === 'library') return (i) => LIBRARIES.find((l) => l.id === i.library_id)!.name.toLowerCase() === low;
  if (key === 'is') return (i) => i.status === low;
  if (key === 'modified') {
    if (!/^\d{4}(-\d\d(-\d\d)?)?(\.\.\d{4}(-\d\d(-\d\d)?)?)?$/.test(value))
      throw new ParseError(`"${value}" is not a date. Write 2023, 2023-06 or 2022..2024.`, position);
    const [a, b] = dayRange(value);
    return (i) => i.mtime >= a && i.mtime <= b;
  }
  if (key === 'size') {
    const m = /^([<>]=?)?(\d+)([kmgt]?)b?$/i.exec(value);
    if (!m) throw new ParseError(`"${value}" is not a size. Write size:>10m.`, position);
    const n = Number(m[2]) * 1024 ** ' kmgt'.indexOf(m[3]!.toLowerCase() || ' ');
    return (i) => (m[1]?.startsWith('<') ? i.size < n : i.size > n);
  }
  return () => true;
}

export function parse(q: string): { tests: Test[]; words: string[] } {
  const tests: Test[] = [];
  const rest = q.replace(KEYS, (whole, not: string, key: string, value: string, at: number) => {
    const test = keyTest(key, value.replaceAll('"', ''), at);
    tests.push(not ? (i) => !test(i) : test);
    return ' '.repeat(whole.length);
  });
  const words = rest
    .toLowerCase()
    .replaceAll('"', '')
    .split(/\s+/)
    .filter((w) => w && !['and', 'or', 'not'].includes(w));
  return { tests, words };
}

const mark = (text: string, words: string[]) =>
  words.length
    ? text.replace(new RegExp(`(${words.map((w) => w.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`, 'giu'), '<em>$1</em>')
    : text;

function snippet(item: MockItem, words: string[]): string | null {
  if (!item.body || !words.length) return null;
  const at = item.body.toLowerCase().indexOf(words[0]!);
  if (at < 0) return null;
  return `… ${mark(item.body.slice(Math.max(0, at - 40), at + 90), words)} …`;
}

export function hit(item: MockItem, words: string[]) {
  const { body: _, n: __, geo, note: ___, ...doc } = item;
  return {
    ...doc,
    _geo: geo,
    score: 0.9,
    has_thumb: true,
    thumb_version: null,
    snippet:
      words.length && !item.filename.toLowerCase().includes(words[0]!)
        ? snippet(item, words)
        : item.file_category === 'document'
          ? snippet(item, words)
          : null,
    taken: null,
    highlight: { filename: mark(item.filename, words) },
    missing_since: item.status === 'missing' ? '2026-11-03T02:14:00Z' : null,
  };
}

export function filterItems(items: MockItem[], params: URLSearchParams): { found: MockItem[]; words: string[] } {
  const { tests, words } = parse(params.get('q') ?? '');
  const many = (name: string) => params.getAll(name).flatMap((v) => v.split(','));
  const libs = many('library');
  const cats = many('file_category');
  const groups = many('file_group');
  const exts = many('extension');
  const tags = many('tags');
  const num = (name: string) => (params.has(name) ? Number(params.get(name)) : null);
  const [sg, sl, mg, ml] = [num('size_gte'), num('size_lte'), num('mtime_gte'), num('mtime_lte')];
  const [top, right, bottom, left] = [num('geo_top_lat'), num('geo_right_lng'), num('geo_bottom_lat'), num('geo_left_lng')];
  const status = params.get('status');
  const path = params.get('path');
  const found = items.filter((i) => {
    if (status ? i.status !== status : i.status === 'trashed') return false;
    if (libs.length && !libs.includes(i.library_id)) return false;
    if (cats.length && !cats.includes(i.file_category)) return false;
    if (groups.length && !groups.includes(i.file_group)) return false;
    if (exts.length && !exts.includes(i.extension)) return false;
    if (tags.length && !tags.every((t) => i.tags.includes(t))) return false;
    if (sg !== null && i.size < sg) return false;
    if (sl !== null && i.size > sl) return false;
    if (mg !== null && i.mtime < mg) return false;
    if (ml !== null && i.mtime > ml) return false;
    if (params.get('has_error') === 'true' && (i.file_category !== 'document' || i.n % 101 !== 0)) return false;
    if (path && !i.rel_path.startsWith(path)) return false;
    if (top !== null && !(i.geo && i.geo.lat <= top && i.geo.lat >= bottom! && i.geo.lng >= left! && i.geo.lng <= right!)) return false;
    for (const test of tests) if (!test(i)) return false;
    if (words.length) {
      const name = i.rel_path.toLowerCase();
      const body = i.body?.toLowerCase() ?? '';
      if (!words.every((w) => name.includes(w) || body.includes(w) || i.tags.some((t) => t.includes(w)))) return false;
    }
    return true;
  });
  const [key, dir] = (params.get('sort') ?? '').split(':');
  const sign = dir === 'asc' ? 1 : -1;
  if (key === 'newest') found.sort((a, b) => b.mtime - a.mtime);
  else if (key === 'size' || key === 'mtime') found.sort((a, b) => sign * (a[key] - b[key]));
  else if (key === 'name' || key === 'title') found.sort((a, b) => sign * a.filename.localeCompare(b.filename));
  else if (words.length) found.sort((a, b) => Number(b.filename.includes(words[0]!)) - Number(a.filename.includes(words[0]!)));
  return { found, words };
}

export function facetsOf(found: MockItem[]) {
  const facets: Record<string, Record<string, number>> = {
    file_category: {},
    file_group: {},
    library_id: {},
    extension: {},
    tags: {},
    status: {},
    year: {},
  };
  const add = (f: string, v: string) => {
    facets[f]![v] = (facets[f]![v] ?? 0) + 1;
  };
  let bytes = 0;
  for (const i of found) {
    add('file_category', i.file_category);
    add('file_group', i.file_group);
    add('library_id', i.library_id);
    add('extension', i.extension);
    add('status', i.status);
    for (const t of i.tags) add('tags', t);
    bytes += i.size;
  }
  const range = (pickValue: (i: MockItem) => number) => ({
    min: found.reduce((m, i) => Math.min(m, pickValue(i)), Infinity),
    max: found.reduce((m, i) => Math.max(m, pickValue(i)), 0),
  });
  const bars = (pickValue: (i: MockItem) => number, log: boolean) => {
    const { min, max } = range(pickValue);
    if (!found.length) return [];
    const f = log ? Math.log : (x: number) => x;
    const g = log ? Math.exp : (x: number) => x;
    const a = f(Math.max(1, min));
    const step = (f(Math.max(2, max)) - a) / 24 || 1;
    const out = Array.from({ length: 24 }, (_, k) => ({
      from: Math.floor(g(a + k * step)),
      to: Math.ceil(g(a + (k + 1) * step)),
      count: 0,
    }));
    for (const i of found) out[Math.min(23, Math.max(0, Math.floor((f(Math.max(1, pickValue(i))) - a) / step)))]!.count += 1;
    return out;
  };
  return {
    facets,
    total_bytes: bytes,
    facet_stats: found.length ? { size: range((i) => i.size), mtime: range((i) => i.mtime) } : {},
    histograms: { size: bars((i) => i.size, true), mtime: bars((i) => i.mtime, false) },
  };
}

/** The filters of a query with their positions, in the format of the API. */
export function understood(q: string) {
  return [...q.trim().matchAll(KEYS)].map((m) => {
    const start = m.index + m[1]!.length;
    const end = m.index + m[0].length;
    return { field: m[2]!, value: m[3]!.replaceAll('"', ''), negated: m[1] !== '', text: q.slice(start, end), start, end };
  });
}
