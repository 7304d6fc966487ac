// biome-ignore-all lint/style/noNonNullAssertion: every index is drawn below the length of its array
import { makeWords, type Random, seeded, zipf } from './random.ts';

/** A file as the catalog knows it. Record i does not depend on the size of the corpus, so each can be generated on its own. */
export interface FileRecord {
  id: string;
  name: string;
  folder: string;
  library: string;
  category: string;
  group: string;
  status: string;
  tags: string[];
  principals: string[];
  size: number;
  mtime: number;
  place: { lat: number; lng: number } | null;
  body: string | null;
}

const extensions: Record<string, string[]> = {
  image: ['jpg', 'png', 'heic', 'tif', 'webp'],
  video: ['mp4', 'mov', 'mkv'],
  audio: ['mp3', 'flac', 'wav'],
  document: ['pdf', 'docx', 'txt', 'md', 'odt'],
  spreadsheet: ['xlsx', 'csv', 'ods'],
  archive: ['zip', 'tar.gz', '7z'],
  code: ['ts', 'py', 'rs', 'json', 'html'],
  other: ['bin', 'dat', 'log', 'bak'],
};
export const categories = Object.keys(extensions);
/** How often each category occurs. */
const categoryShares = [0.38, 0.06, 0.08, 0.2, 0.05, 0.04, 0.13, 0.06];
export const libraries = Array.from({ length: 12 }, (_, index) => `lib-${index + 1}`);
const wellKnownFolders =
  'Photos Documents Projects Archive 2019 2020 2021 2022 2023 2024 2025 backup invoices clients src node_modules dist assets'.split(' ');

const words = makeWords();
const groups = words.slice(40_000, 40_040).map((word) => `g_${word}`);
export const tags = words.slice(41_000, 41_300);
const nameWord = zipf(30_000, 1);
const bodyWord = zipf(words.length, 1.05);
const drawLibraryIndex = zipf(12, 0.9);
export const drawLibrary = (random: Random): string => libraries[drawLibraryIndex(random)]!;
const drawGroup = zipf(40, 0.8);
const drawTag = zipf(300, 1);
const folders = makeFolders();

function makeFolders(): string[] {
  const random = seeded(0xf01de5);
  const names = [...words.slice(100, 2100), ...wellKnownFolders];
  const paths: string[] = [];
  for (let index = 0; index < 60_000; index++) {
    const depth = 2 + random.below(6);
    const parent = index < 50 ? '' : random.pick(paths);
    const parts = parent === '' || parent.split('/').length > depth + 1 ? [] : parent.split('/');
    while (parts.length < 2) parts.push(random.pick(names));
    if (parts.length < 8) parts.push(random.pick(names) + (random.next() < 0.2 ? `-${random.below(100)}` : ''));
    paths.push(parts.join('/'));
  }
  return paths;
}

const padded = (value: number, length: number) => String(value).padStart(length, '0');

function fileName(random: Random, category: string): string {
  const extension = random.pick(extensions[category]!);
  const kind = random.next();
  if (category === 'image' && kind < 0.45) {
    return `${random.next() < 0.5 ? `IMG_${padded(random.below(10_000), 4)}` : `DSC${padded(random.below(100_000), 5)}`}.${extension}`;
  }
  const chosen = Array.from({ length: 1 + random.below(4) }, () => words[nameWord(random)]!);
  const separator = random.pick(['_', '-', ' ', '.']);
  const capitals = random.next() < 0.2;
  let base = capitals
    ? chosen.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(separator === ' ' ? ' ' : '')
    : chosen.join(separator);
  if (kind > 0.7) base += `${separator}${2000 + random.below(26)}-${padded(1 + random.below(12), 2)}-${padded(1 + random.below(28), 2)}`;
  else if (kind > 0.55) base += `${separator}v${random.below(20)}`;
  else if (kind > 0.45) base += separator + random.below(5000);
  return `${base}.${extension}`;
}

function bodyText(random: Random): string {
  const length = 300 + random.below(1700);
  let text = '';
  while (text.length < length) {
    text += random.next() < 0.02 ? Math.floor(random.next() * 2 ** 40).toString(36) : words[bodyWord(random)]!;
    text += random.next() < 0.08 ? '. ' : ' ';
  }
  return text;
}

export function recordAt(index: number): FileRecord {
  const random = seeded(Math.imul(index + 1, 0x9e3779b1));
  let rest = random.next();
  let kind = 0;
  while (kind < 7 && rest > categoryShares[kind]!) rest -= categoryShares[kind++]!;
  const category = categories[kind]!;
  const folder = folders[Math.min(folders.length - 1, Math.floor(random.next() ** 1.6 * folders.length))]!;
  return {
    id: String(index + 1),
    name: fileName(random, category),
    folder,
    library: drawLibrary(random),
    category,
    group: groups[drawGroup(random)]!,
    status: random.next() < 0.95 ? 'active' : random.next() < 0.5 ? 'missing' : 'deleted',
    tags: random.next() < 0.4 ? [...new Set(Array.from({ length: 1 + random.below(3) }, () => tags[drawTag(random)]!))] : [],
    principals: [`p${random.below(50)}`, `p${50 + random.below(20)}`],
    size: Math.floor(Math.exp(6 + random.next() * 14)),
    mtime: 1_200_000_000 + random.below(580_000_000),
    place: category === 'image' && random.next() < 0.3 ? { lat: random.next() * 140 - 70, lng: random.next() * 360 - 180 } : null,
    body: random.next() < (category === 'document' ? 0.4 : 0.025) ? bodyText(random) : null,
  };
}

/** Generates records in batches, so that the time to generate them can be left out of a measurement. */
export function* recordBatches(count: number, size = 5000, first = 0): Generator<FileRecord[]> {
  for (let from = first; from < count; from += size) {
    yield Array.from({ length: Math.min(size, count - from) }, (_, index) => recordAt(from + index));
  }
}

/** The words of a name in lower case, split at capital letters and punctuation like in the engine. */
export function splitWords(text: string): string {
  const spaced = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (spaced.match(/[a-z0-9]+/g) ?? []).join(' ');
}
