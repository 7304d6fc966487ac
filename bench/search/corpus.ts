import { type Random, seeded, zipf } from './random.ts';
import { makeWords } from './words.ts';

/** A file as a catalog knows it. Record i is the same whatever the size of the corpus, so any of them can be made alone. */
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
const shares = [0.38, 0.06, 0.08, 0.2, 0.05, 0.04, 0.13, 0.06];
export const libraries = Array.from({ length: 12 }, (_, index) => `lib-${index + 1}`);
const wellKnownFolders = [
  'Photos',
  'Documents',
  'Projects',
  'Archive',
  '2019',
  '2020',
  '2021',
  '2022',
  '2023',
  '2024',
  '2025',
  'backup',
  'invoices',
  'clients',
  'src',
  'node_modules',
  'dist',
  'assets',
];

const words = makeWords();
const groups = words.slice(40_000, 40_040).map((word) => `g_${word}`);
export const tags = words.slice(41_000, 41_300);
const nameWord = zipf(30_000, 1);
const bodyWord = zipf(words.length, 1.05);
export const drawLibrary = zipf(12, 0.9);
const drawGroup = zipf(40, 0.8);
const drawTag = zipf(300, 1);
const folders = makeFolders();

function makeFolders(): string[] {
  const random = seeded(0xf01de5);
  const names = [...words.slice(100, 2100), ...wellKnownFolders];
  const made: string[] = [];
  for (let index = 0; index < 60_000; index++) {
    const depth = 2 + random.below(6);
    const parent = index < 50 ? '' : random.pick(made);
    const parts = parent === '' || parent.split('/').length > depth + 1 ? [] : parent.split('/');
    while (parts.length < 2) parts.push(random.pick(names));
    if (parts.length < 8) parts.push(random.pick(names) + (random.next() < 0.2 ? `-${random.below(100)}` : ''));
    made.push(parts.join('/'));
  }
  return made;
}

const padded = (value: number, length: number) => String(value).padStart(length, '0');

function fileName(random: Random, category: string): string {
  const extension = random.pick(extensions[category]!);
  const kind = random.next();
  if (category === 'image' && kind < 0.45) {
    return `${random.next() < 0.5 ? `IMG_${padded(random.below(10_000), 4)}` : `DSC${padded(random.below(100_000), 5)}`}.${extension}`;
  }
  const chosen = Array.from({ length: 1 + random.below(4) }, () => words[nameWord(random)]!);
  const joint = random.pick(['_', '-', ' ', '.']);
  const capitals = random.next() < 0.2;
  let base = capitals ? chosen.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(joint === ' ' ? ' ' : '') : chosen.join(joint);
  if (kind > 0.7) base += `${joint}${2000 + random.below(26)}-${padded(1 + random.below(12), 2)}-${padded(1 + random.below(28), 2)}`;
  else if (kind > 0.55) base += `${joint}v${random.below(20)}`;
  else if (kind > 0.45) base += joint + random.below(5000);
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
  while (kind < 7 && rest > shares[kind]!) rest -= shares[kind++]!;
  const category = categories[kind]!;
  const folder = folders[Math.min(folders.length - 1, Math.floor(random.next() ** 1.6 * folders.length))]!;
  return {
    id: String(index + 1),
    name: fileName(random, category),
    folder,
    library: libraries[drawLibrary(random)]!,
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

/** Batches, so that making them can be kept out of a measurement. */
export function* recordBatches(count: number, size = 5000): Generator<FileRecord[]> {
  for (let from = 0; from < count; from += size) {
    yield Array.from({ length: Math.min(size, count - from) }, (_, index) => recordAt(from + index));
  }
}
