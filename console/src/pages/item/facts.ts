import type { Item } from '../../api/types.ts';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { formatBytes, formatCount, formatTimecode, pluralize } from '../../format/numbers.ts';

export interface Fact {
  label: string;
  value: string;
  extra?: string;
}

type Meta = Record<string, unknown>;

const num = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
      ? Number(value)
      : null;
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() ? value.trim() : typeof value === 'number' ? String(value) : null;
const sub = (meta: Meta, key: string): Meta => (typeof meta[key] === 'object' && meta[key] !== null ? (meta[key] as Meta) : {});

/** EXIF keys may be nested or have the prefix `exif.`. */
function exifOf(meta: Meta): Meta {
  const out: Meta = { ...sub(meta, 'exif') };
  for (const [key, value] of Object.entries(meta)) if (key.startsWith('exif.')) out[key.slice(5)] = value;
  return out;
}

function exposure(seconds: number): string {
  return seconds >= 0.3 ? `${Math.round(seconds * 10) / 10} s` : `1/${Math.round(1 / seconds)} s`;
}

/** The noun for a file of a category, as in "JPEG image". */
const NOUNS: Record<string, string> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'document',
  'three-d-cad': '3D or CAD file',
  development: 'source file',
  archive: 'archive',
};

/** What people call files with these extensions. */
const FORMAT_NAMES: Record<string, string> = {
  md: 'Markdown',
  markdown: 'Markdown',
  txt: 'Plain text',
  log: 'Log',
  csv: 'CSV table',
  tsv: 'TSV table',
  xlsx: 'Excel workbook',
  xls: 'Excel workbook',
  ods: 'OpenDocument spreadsheet',
  docx: 'Word document',
  doc: 'Word document',
  odt: 'OpenDocument text',
  rtf: 'Rich text',
  pptx: 'PowerPoint presentation',
  ppt: 'PowerPoint presentation',
  odp: 'OpenDocument presentation',
  epub: 'EPUB book',
  eml: 'E-mail',
  msg: 'Outlook message',
  mbox: 'Mailbox',
  ics: 'Calendar',
  vcf: 'Contacts',
  gpx: 'GPX track',
  ipynb: 'Jupyter notebook',
  py: 'Python source',
  js: 'JavaScript source',
  mjs: 'JavaScript source',
  ts: 'TypeScript source',
  tsx: 'TypeScript source',
  jsx: 'JavaScript source',
  java: 'Java source',
  kt: 'Kotlin source',
  swift: 'Swift source',
  c: 'C source',
  h: 'C header',
  cpp: 'C++ source',
  hpp: 'C++ header',
  cs: 'C# source',
  go: 'Go source',
  rs: 'Rust source',
  rb: 'Ruby source',
  php: 'PHP source',
  sh: 'Shell script',
  ps1: 'PowerShell script',
  sql: 'SQL script',
  html: 'HTML page',
  htm: 'HTML page',
  css: 'CSS stylesheet',
  json: 'JSON data',
  xml: 'XML data',
  yaml: 'YAML data',
  yml: 'YAML data',
  toml: 'TOML data',
  stl: 'STL model',
  obj: 'OBJ model',
  ply: 'PLY model',
  gltf: 'glTF model',
  glb: 'glTF model',
  '3mf': '3MF model',
  step: 'STEP model',
  stp: 'STEP model',
  dwg: 'AutoCAD drawing',
  dxf: 'DXF drawing',
  sqlite: 'SQLite database',
  db: 'Database',
  ttf: 'TrueType font',
  otf: 'OpenType font',
  woff: 'Web font',
  woff2: 'Web font',
};

function describeType(item: Item): string {
  const meta = item.metadata;
  const width = num(meta['width']);
  const height = num(meta['height']);
  const name = text(meta['format']) ?? item.extension?.toUpperCase() ?? '';
  const what = FORMAT_NAMES[(item.extension ?? '').toLowerCase()] ?? `${name} ${NOUNS[item.file_category] ?? 'file'}`.trim();
  const size = width && height ? `, ${width} × ${height}` : '';
  const megapixels = width && height && item.file_category === 'image' ? ` (${Math.round((width * height) / 1e6)} MP)` : '';
  return what.charAt(0).toUpperCase() + what.slice(1) + size + megapixels;
}

/** The bytes of a file can show another type than its name. */
function contradiction(item: Item): string | undefined {
  const readAs = text(item.metadata['read_as']);
  return readAs && item.extension ? `(content is ${readAs.toUpperCase()}, although the name ends in .${item.extension})` : undefined;
}

function joinParts(...parts: (string | null | false)[]): string | null {
  const kept = parts.filter(Boolean);
  return kept.length ? kept.join(' · ') : null;
}

const pagesOf = (meta: Meta): number | null => num(meta['pages']) ?? num(meta['page_count']);

/** One line such as "PDF document, 36 pages · 3.1 MB · 2 Nov 2023". */
export function itemSummary(item: Item): string {
  const pages = pagesOf(item.metadata);
  const type = `${describeType(item)}${pages ? `, ${pluralize(pages, 'page')}` : ''}`;
  return [type, formatBytes(item.size), formatDate(item.mtime)].join(' · ');
}

/** The facts about a file, the most important first. */
export function factsOf(item: Item): Fact[] {
  const meta = item.metadata;
  const exif = exifOf(meta);
  const archive = sub(meta, 'archive');
  const mailbox = sub(meta, 'mailbox');
  const facts: Fact[] = [];
  const add = (label: string, value: string | null | undefined, extra?: string) => {
    if (value) facts.push(extra ? { label, value, extra } : { label, value });
  };
  const number = (key: string, from: Meta = meta) => num(from[key]);
  const formatted = (key: string, format: (n: number) => string, from: Meta = meta): string | null => {
    const value = number(key, from);
    return value === null ? null : format(value);
  };

  add('File type', describeType(item), contradiction(item));
  add('Title', item.title ?? text(meta['title']));
  const taken = text(exif['taken_at']) ?? text(meta['taken_at']);
  if (taken && !Number.isNaN(Date.parse(taken))) add('Taken', formatDateTime(taken));
  add(
    'Camera',
    joinParts(
      text(meta['camera']) ?? ([text(exif['camera_make']), text(exif['camera_model'])].filter(Boolean).join(' ') || null),
      text(exif['lens_model']),
    ),
  );
  const shutter = number('exposure_time', exif);
  const aperture = number('f_number', exif);
  const iso = number('iso', exif);
  add('Exposure', joinParts(shutter !== null && exposure(shutter), aperture !== null && `f/${aperture}`, iso !== null && `ISO ${iso}`));
  add('Artist', text(meta['artist']));
  add('Album', text(meta['album']));
  const length = number('duration');
  if (length !== null) add('Duration', formatTimecode(length));
  add(
    'Video',
    joinParts(
      text(meta['video_codec']),
      text(meta['hdr_format']),
      formatted('frame_rate', (n) => `${Math.round(n * 100) / 100} frames/s`),
    ),
  );
  const bitrate = number('bitrate');
  add(
    'Audio',
    joinParts(
      text(meta['audio_codec']),
      formatted('samplerate', (n) => `${n / 1000} kHz`),
      formatted('channels', (n) => pluralize(n, 'channel')),
    ),
  );
  if (bitrate !== null && length !== null) add('Bit rate', `${formatBytes(bitrate / 8)}/s`);
  add('Author', text(meta['author']));
  const pages = pagesOf(meta);
  if (pages !== null) add('Pages', formatCount(pages));
  add('Sheets', formatted('sheet_count', formatCount));
  const words = number('word_count') ?? number('words');
  if (words !== null) add('Text', pluralize(words, 'word'), meta['ocr_text'] ? '(from OCR)' : undefined);
  const lines = number('lines');
  if (lines !== null) add('Lines', formatCount(lines), text(meta['language']) ?? undefined);
  add('From', text(meta['email_from']) ?? text(meta['from']));
  add('Subject', text(meta['email_subject']) ?? text(meta['subject']));
  add('Messages', formatted('message_count', formatCount, mailbox));
  const members = number('member_count', archive);
  if (members !== null)
    add('Entries', formatCount(members), formatted('total_uncompressed', (n) => `(${formatBytes(n)} unpacked)`, archive) ?? undefined);
  const triangles = number('triangles');
  if (triangles !== null)
    add(
      'Mesh',
      joinParts(
        pluralize(triangles, 'triangle'),
        formatted('vertices', (n) => pluralize(n, 'vertex', 'vertices')),
        meta['watertight'] === true && 'watertight',
      ),
    );
  add('Size', formatBytes(item.size), `(${formatCount(item.size)} bytes)`);
  add('Modified', formatDateTime(item.mtime));
  add('First seen', formatDate(item.first_seen));
  add('Link target', item.symlink_target ?? null);
  if (item.nlink && item.nlink > 1) add('Hard links', formatCount(item.nlink));
  return facts;
}

/** What kept the file from being read, if anything: a password or an error. */
export function extractionProblem(item: Item): { kind: string; message: string } | null {
  const error = item.metadata['_extract_error'];
  if (!error && item.metadata['encrypted'] === true)
    return {
      kind: 'encrypted',
      message: 'Protected by a password. Its contents cannot be searched or shown. Open it with its own program.',
    };
  if (!error) return null;
  if (typeof error === 'object') {
    const { kind, message } = error as { kind?: string; message?: string };
    return { kind: kind ?? 'corrupt', message: message ?? 'The file could not be read.' };
  }
  return { kind: text(item.metadata['_extract_error_kind']) ?? 'corrupt', message: String(error) };
}
