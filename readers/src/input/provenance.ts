/**
 * Where a downloaded file came from: the extended attributes browsers write. They are read through the C library (koffi), because Node has
 * no call for them; on a host without them, or without koffi, nothing is known and that is all.
 */
import { createRequire } from 'node:module';

export interface Provenance {
  origin_url?: string;
  referrer_url?: string;
}

type GetAttribute = (path: string, name: string, value: Buffer, size: number) => number;

const MAX_VALUE = 4096;
let getAttribute: GetAttribute | null | undefined;

function load(): GetAttribute | null {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as { load(library: null): { func(signature: string): GetAttribute } };
    // No library name: the C library Node itself runs on, whichever that is.
    return koffi.load(null).func('long lgetxattr(const char *path, const char *name, _Out_ void *value, size_t size)');
  } catch {
    return null;
  }
}

export function readProvenance(path: string): Provenance {
  getAttribute ??= load();
  if (getAttribute === null) return {};
  const origin = address(attribute(path, 'user.xdg.origin.url')) ?? address(whereFroms(path)[0]);
  const referrer = address(attribute(path, 'user.xdg.referrer.url')) ?? address(whereFroms(path)[1]);
  return { ...(origin !== undefined && { origin_url: origin }), ...(referrer !== undefined && { referrer_url: referrer }) };
}

function attribute(path: string, name: string): Buffer | undefined {
  const value = Buffer.alloc(MAX_VALUE);
  const length = Number(getAttribute?.(path, name, value, MAX_VALUE) ?? -1);
  return length > 0 ? value.subarray(0, length) : undefined;
}

/** macOS keeps a binary property list of up to two addresses; copied shares carry it along. */
function whereFroms(path: string): Buffer[] {
  const list = attribute(path, 'user.com.apple.metadata:kMDItemWhereFroms');
  if (list === undefined || list.toString('latin1', 0, 6) !== 'bplist') return [];
  return [...list.toString('latin1').matchAll(/https?:\/\/[\x21-\x7e]{3,2000}?(?=[\x00-\x20\x80-\xff_]|$)/g)].map((found) =>
    Buffer.from(found[0], 'latin1'),
  );
}

/** Only web addresses are kept, and never a password that was part of one. */
function address(value: Buffer | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const url = new URL(value.toString('utf8').replace(/\0+$/, '').trim());
    if (!['http:', 'https:', 'ftp:', 'ftps:'].includes(url.protocol)) return undefined;
    url.username = '';
    url.password = '';
    return url.href;
  } catch {
    return undefined;
  }
}
