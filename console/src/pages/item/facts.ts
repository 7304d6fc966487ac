import type { Item } from '../../api/types.ts';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { formatBytes, formatCount, formatTimecode } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';

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

const fileOf = (format: string): string => t('{format} file', { format });
/** A file of a category and format, such as "JPEG image". */
const NOUNS: Record<string, (format: string) => string> = {
  image: (format) => t('{format} image', { format }),
  audio: (format) => t('{format} audio', { format }),
  video: (format) => t('{format} video', { format }),
  document: (format) => t('{format} document', { format }),
  'three-d-cad': (format) => t('{format} 3D or CAD file', { format }),
  development: (format) => t('{format} source file', { format }),
  archive: (format) => t('{format} archive', { format }),
};

/** What people call files with these extensions. */
const FORMAT_NAMES: Record<string, string> = {
  md: 'Markdown',
  markdown: 'Markdown',
  txt: t('Plain text'),
  log: t('Log'),
  csv: t('CSV table'),
  tsv: t('TSV table'),
  xlsx: t('Excel workbook'),
  xls: t('Excel workbook'),
  ods: t('OpenDocument spreadsheet'),
  docx: t('Word document'),
  doc: t('Word document'),
  odt: t('OpenDocument text'),
  rtf: t('Rich text'),
  pptx: t('PowerPoint presentation'),
  ppt: t('PowerPoint presentation'),
  odp: t('OpenDocument presentation'),
  epub: t('EPUB book'),
  eml: t('E-mail'),
  msg: t('Outlook message'),
  mbox: t('Mailbox'),
  ics: t('Calendar'),
  vcf: t('Contacts'),
  gpx: t('GPX track'),
  ipynb: t('Jupyter notebook'),
  py: t('Python source'),
  js: t('JavaScript source'),
  mjs: t('JavaScript source'),
  ts: t('TypeScript source'),
  tsx: t('TypeScript source'),
  jsx: t('JavaScript source'),
  java: t('Java source'),
  kt: t('Kotlin source'),
  swift: t('Swift source'),
  c: 'C source',
  h: 'C header',
  cpp: 'C++ source',
  hpp: 'C++ header',
  cs: 'C# source',
  go: t('Go source'),
  rs: t('Rust source'),
  rb: t('Ruby source'),
  php: t('PHP source'),
  sh: t('Shell script'),
  ps1: t('PowerShell script'),
  sql: t('SQL script'),
  html: t('HTML page'),
  htm: t('HTML page'),
  css: t('CSS stylesheet'),
  json: t('JSON data'),
  xml: t('XML data'),
  yaml: t('YAML data'),
  yml: t('YAML data'),
  toml: t('TOML data'),
  stl: t('STL model'),
  obj: t('OBJ model'),
  ply: t('PLY model'),
  gltf: t('glTF model'),
  glb: t('glTF model'),
  '3mf': t('3MF model'),
  step: t('STEP model'),
  stp: t('STEP model'),
  dwg: t('AutoCAD drawing'),
  dxf: t('DXF drawing'),
  sqlite: t('SQLite database'),
  db: t('Database'),
  ttf: t('TrueType font'),
  otf: t('OpenType font'),
  woff: t('Web font'),
  woff2: t('Web font'),
};

const subtitlesOf = (format: string): string => t('{format} subtitles', { format });

/** " (24 MP)", with a decimal below one, and nothing below a tenth. */
function megapixelsOf(pixels: number): string {
  const millions = pixels < 1e6 ? Math.round(pixels / 1e5) / 10 : Math.round(pixels / 1e6);
  return millions > 0 ? ` (${formatCount(millions)} MP)` : '';
}

function describeType(item: Item): string {
  const meta = item.metadata;
  const width = num(meta['width']);
  const height = num(meta['height']);
  const name = text(meta['format']) ?? item.extension?.toUpperCase() ?? '';
  const noun = item.file_group === 'subtitle' ? subtitlesOf : (NOUNS[item.file_category] ?? fileOf);
  const what = FORMAT_NAMES[(item.extension ?? '').toLowerCase()] ?? noun(name).trim();
  const size = width && height ? `, ${width} × ${height}` : '';
  const megapixels = width && height && item.file_category === 'image' ? megapixelsOf(width * height) : '';
  return what.charAt(0).toUpperCase() + what.slice(1) + size + megapixels;
}

/** The bytes of a file can show another type than its name. */
function contradiction(item: Item): string | undefined {
  const readAs = text(item.metadata['read_as']);
  return readAs && item.extension
    ? t('(content is {readAs}, although the name ends in .{extension})', { readAs: readAs.toUpperCase(), extension: item.extension })
    : undefined;
}

function joinParts(...parts: (string | null | false)[]): string | null {
  const kept = parts.filter(Boolean);
  return kept.length ? kept.join(' · ') : null;
}

const pagesOf = (meta: Meta): number | null => num(meta['pages']) ?? num(meta['page_count']);

/** One line such as "PDF document, 36 pages · 3.1 MB · 2 Nov 2023". */
export function itemSummary(item: Item): string {
  const pages = pagesOf(item.metadata);
  const type = `${describeType(item)}${pages ? `, ${t('{n|# page|# pages}', { n: pages })}` : ''}`;
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

  add(t('File type'), describeType(item), contradiction(item));
  add(t('Title'), item.title ?? text(meta['title']));
  // By the clock of the camera, like searches and the timeline, wherever the reader is.
  const taken = (text(exif['taken_at']) ?? text(meta['taken_at']))?.replace(/[+-]\d\d:\d\d$/, '');
  if (taken && !Number.isNaN(Date.parse(taken))) add(t('Taken'), formatDateTime(taken));
  add(
    t('Camera'),
    joinParts(
      text(meta['camera']) ?? ([text(exif['camera_make']), text(exif['camera_model'])].filter(Boolean).join(' ') || null),
      text(exif['lens_model']),
    ),
  );
  const shutter = number('exposure_time', exif);
  const aperture = number('f_number', exif);
  const iso = number('iso', exif);
  add(
    t('Exposure'),
    joinParts(shutter !== null && exposure(shutter), aperture !== null && `f/${aperture}`, iso !== null && t('ISO {iso}', { iso })),
  );
  add(t('Artist'), text(meta['artist']));
  add(t('Album'), text(meta['album']));
  const length = number('duration');
  if (length !== null) add(t('Duration'), formatTimecode(length));
  add(
    t('Video'),
    joinParts(
      text(meta['video_codec']),
      text(meta['hdr_format']),
      formatted('frame_rate', (n) => t('{n} frames/s', { n: Math.round(n * 100) / 100 })),
    ),
  );
  const bitrate = number('bitrate');
  add(
    t('Audio'),
    joinParts(
      text(meta['audio_codec']),
      formatted('samplerate', (n) => t('{n} kHz', { n: n / 1000 })),
      formatted('channels', (n) => t('{n|# channel|# channels}', { n })),
    ),
  );
  if (bitrate !== null && length !== null) add(t('Bit rate'), `${formatBytes(bitrate / 8)}/s`);
  add(t('Author'), text(meta['author']));
  const pages = pagesOf(meta);
  if (pages !== null) add(t('Pages'), formatCount(pages));
  add(t('Sheets'), formatted('sheet_count', formatCount));
  const words = number('word_count') ?? number('words');
  if (words !== null) add(t('Text'), t('{n|# word|# words}', { n: words }), meta['ocr_text'] ? t('(from OCR)') : undefined);
  const lines = number('lines');
  if (lines !== null) add(t('Lines'), formatCount(lines), text(meta['language']) ?? undefined);
  add(t('From'), text(meta['email_from']) ?? text(meta['from']));
  add(t('Subject'), text(meta['email_subject']) ?? text(meta['subject']));
  add(t('Messages'), formatted('message_count', formatCount, mailbox));
  const members = number('member_count', archive);
  if (members !== null)
    add(
      t('Entries'),
      formatCount(members),
      formatted('total_uncompressed', (n) => t('({n} unpacked)', { n: formatBytes(n) }), archive) ?? undefined,
    );
  const triangles = number('triangles');
  if (triangles !== null)
    add(
      t('Mesh'),
      joinParts(
        t('{n|# triangle|# triangles}', { n: triangles }),
        formatted('vertices', (n) => t('{n|# vertex|# vertices}', { n })),
        meta['watertight'] === true && 'watertight',
      ),
    );
  add(t('Size'), formatBytes(item.size), t('({size|# byte|# bytes})', { size: item.size }));
  add(t('Modified'), formatDateTime(item.mtime));
  add(t('First seen'), formatDate(item.first_seen));
  add(t('Link target'), item.symlink_target ?? null);
  if (item.nlink && item.nlink > 1) add(t('Hard links'), formatCount(item.nlink));
  return facts;
}

/** What kept the file from being read, if anything: a password or an error. */
export function extractionProblem(item: Item): { kind: string; message: string } | null {
  const error = item.metadata['_extract_error'];
  if (!error && item.metadata['encrypted'] === true)
    return {
      kind: 'encrypted',
      message: t('Protected by a password. Its contents cannot be searched or shown. Open it with its own program.'),
    };
  if (!error) return null;
  if (typeof error === 'object') {
    const { kind, message } = error as { kind?: string; message?: string };
    return { kind: kind ?? 'corrupt', message: message ?? t('The file could not be read.') };
  }
  return { kind: text(item.metadata['_extract_error_kind']) ?? 'corrupt', message: serverText(String(error)) };
}
