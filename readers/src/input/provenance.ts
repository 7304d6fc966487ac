/**
 * Reads where a file was downloaded from, out of the extended attributes that browsers write. Node has no API for extended attributes, so
 * the C library is called through koffi. Without koffi the origin is unknown.
 */
import { createRequire } from 'node:module';
import { ExtractError } from '../contract.ts';
import { isBinaryPlist, readBinaryPlist } from '../formats/binary-plist.ts';

export interface Provenance {
  origin_url?: string;
  referrer_url?: string;
}

type GetAttribute = (path: string, name: string, value: Buffer, size: number) => number;

const maxValueBytes = 4096;
let getAttribute: GetAttribute | null | undefined;

function loadGetxattr(): GetAttribute | null {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as { load(library: null): { func(signature: string): GetAttribute } };
    // null selects the C library that Node itself uses.
    return koffi.load(null).func('long lgetxattr(const char *path, const char *name, _Out_ void *value, size_t size)');
  } catch {
    // koffi is not installed for this platform.
    return null;
  }
}

export function readProvenance(path: string): Provenance {
  getAttribute ??= loadGetxattr();
  if (getAttribute === null) return {};
  const origin = parseWebUrl(attribute(path, 'user.xdg.origin.url')) ?? parseWebUrl(whereFroms(path)[0]);
  const referrer = parseWebUrl(attribute(path, 'user.xdg.referrer.url')) ?? parseWebUrl(whereFroms(path)[1]);
  return { ...(origin !== undefined && { origin_url: origin }), ...(referrer !== undefined && { referrer_url: referrer }) };
}

function attribute(path: string, name: string): Buffer | undefined {
  const value = Buffer.alloc(maxValueBytes);
  const length = Number(getAttribute?.(path, name, value, maxValueBytes) ?? -1);
  return length > 0 ? value.subarray(0, length) : undefined;
}

/** macOS stores a binary property list with up to two URLs; copies made over a network share keep it. */
function whereFroms(path: string): Buffer[] {
  const list = attribute(path, 'user.com.apple.metadata:kMDItemWhereFroms');
  if (list === undefined || !isBinaryPlist(list)) return [];
  try {
    const urls = readBinaryPlist(list);
    return Array.isArray(urls) ? urls.map((url) => Buffer.from(typeof url === 'string' ? url : '')) : [];
  } catch (error) {
    if (error instanceof ExtractError || error instanceof RangeError) return [];
    throw error;
  }
}

/** Accepts only web URLs and removes credentials from them. */
function parseWebUrl(value: Buffer | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const url = new URL(value.toString('utf8').replace(/\0+$/, '').trim());
    if (!['http:', 'https:', 'ftp:', 'ftps:'].includes(url.protocol)) return undefined;
    url.username = '';
    url.password = '';
    return url.href;
  } catch {
    // Not a URL.
    return undefined;
  }
}
