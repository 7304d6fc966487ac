/** What a browser may show in place. Types that can carry scripts (HTML, SVG, PDF) are only ever downloaded. */
const inlineTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  weba: 'audio/webm',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
};

/** Shown as plain text whatever they hold: a browser told not to sniff runs none of it. */
const textExtensions = new Set(
  'txt text log md markdown rst csv tsv json jsonl ndjson yaml yml toml ini cfg conf srt vtt nfo diff patch c h cpp hpp py rb rs go java kt ts tsx jsx sh sql'.split(
    ' ',
  ),
);

const downloadTypes: Record<string, string> = {
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  epub: 'application/epub+zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

export function mediaType(extension: string | null): { type: string; inline: boolean } {
  const key = extension ?? '';
  if (Object.hasOwn(inlineTypes, key)) return { type: inlineTypes[key]!, inline: true };
  if (textExtensions.has(key)) return { type: 'text/plain; charset=utf-8', inline: true };
  return { type: Object.hasOwn(downloadTypes, key) ? downloadTypes[key]! : 'application/octet-stream', inline: false };
}

/** RFC 6266: a plain name for old clients, the whole name for all others. */
export function contentDisposition(filename: string, inline: boolean): string {
  const name = filename.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
