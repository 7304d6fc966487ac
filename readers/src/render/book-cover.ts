import { posix } from 'node:path';
import type { Source } from '../contract.ts';
import { readWholeFile, withFileBytes } from '../input/file-bytes.ts';
import { readXml } from '../input/xml.ts';
import { openZip, type Zip } from '../input/zip.ts';

const maxTextBytes = 8 * 1024 * 1024;
const maxCoverBytes = 64 * 1024 * 1024;

interface ManifestItem {
  href: string;
  type: string;
  properties: string;
}

/** The cover an EPUB declares: by property, by the older meta element, or by a name that says so. */
export function epubCover(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const zip = openZip(file, source.limits);
    const container = textOf(zip, 'META-INF/container.xml');
    const packagePath = container === null ? undefined : /full-path="([^"]+)"/.exec(container)?.[1];
    const document = packagePath === undefined ? null : textOf(zip, packagePath);
    const declared = document === null ? null : declaredCover(document, packagePath!);
    const entry =
      (declared === null ? undefined : zip.find(declared)) ??
      zip.entries.find((item) => /(^|\/)cover[^/]*\.(jpe?g|png|webp|gif)$/i.test(item.name));
    return entry === undefined ? null : zip.read(entry, maxCoverBytes);
  });
}

function textOf(zip: Zip, name: string): string | null {
  const entry = zip.find(name);
  return entry === undefined
    ? null
    : zip
        .read(entry, maxTextBytes)
        .toString('utf8')
        .replace(/^\ufeff/, '');
}

function declaredCover(document: string, packagePath: string): string | null {
  const items = new Map<string, ManifestItem>();
  let coverId: string | undefined;
  readXml(document, {
    open(name, attributes) {
      if (name === 'item') {
        items.set(attributes['id'] ?? '', {
          href: attributes['href'] ?? '',
          type: attributes['media-type'] ?? '',
          properties: attributes['properties'] ?? '',
        });
      } else if (name === 'meta' && attributes['name'] === 'cover') coverId = attributes['content'];
    },
  });
  const pictures = [...items.values()].filter((item) => item.type.startsWith('image/'));
  const byId = coverId === undefined ? undefined : items.get(coverId);
  const chosen =
    pictures.find((item) => item.properties.split(/\s+/).includes('cover-image')) ?? (byId?.type.startsWith('image/') ? byId : undefined);
  if (chosen === undefined) return null;
  return posix.join(posix.dirname(packagePath), safeDecode(chosen.href)).replace(/^\/+/, '');
}

function safeDecode(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** The picture a FictionBook names in its cover page, written into the same file as base64. */
export async function fictionBookCover(source: Source): Promise<Buffer | null> {
  const text = await fictionBookText(source);
  if (text === null) return null;
  const id = /<coverpage>[\s\S]{0,500}?href="#([^"]{1,200})"/.exec(text)?.[1];
  if (id === undefined) return null;
  const mark = new RegExp(`<binary[^>]{0,300}\\bid="${id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"[^>]{0,300}>`).exec(text);
  if (mark === null) return null;
  const start = mark.index + mark[0].length;
  const end = text.indexOf('</binary>', start);
  return end === -1 || end - start > maxCoverBytes ? null : Buffer.from(text.slice(start, end), 'base64');
}

async function fictionBookText(source: Source): Promise<string | null> {
  if (source.extension === 'fb2') return readWholeFile(source, source.limits.documentMaxBytes).toString('latin1');
  return withFileBytes(source, (file) => {
    const zip = openZip(file, source.limits);
    const entry = zip.entries.find((item) => /\.fb2$/i.test(item.name));
    return entry === undefined ? null : zip.read(entry).toString('latin1');
  });
}
