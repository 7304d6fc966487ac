/** Shortcuts: where a link file of Windows (lnk, url) or macOS (webloc) leads. The target is reported and never opened. */
import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { decodeText } from '../input/text-encoding.ts';
import { isBinaryPlist, readBinaryPlist } from './binary-plist.ts';

const maxBytes = 1 << 20;
const keys = ['target', 'description', 'folder', 'arguments'] as const;
type Shortcut = Partial<Record<(typeof keys)[number], string>>;

export const shortcut: Extractor = {
  name: 'shortcut',
  version: 1,
  text: true,
  extensions: ['lnk', 'url', 'website', 'webloc'],
  tools: [],
  keys: ['shortcut', ...keys.map((key) => `shortcut.${key}`)],
  async read(source: Source): Promise<Extracted> {
    const bytes = readWholeFile(source, maxBytes);
    const found = source.extension === 'lnk' ? readShellLink(bytes) : readAddress(bytes);
    const body = createBodyText(source.limits.bodyTextMaxChars);
    for (const key of keys) {
      body.add(found[key] ?? '');
      body.break();
    }
    return { metadata: { shortcut: found }, ...body.result() };
  },
};

/** An Internet shortcut is an ini file, a web location a property list. */
function readAddress(bytes: Buffer): Shortcut {
  if (isBinaryPlist(bytes)) {
    const list = readBinaryPlist(bytes);
    const target = list instanceof Map ? list.get('URL') : undefined;
    if (typeof target === 'string') return { target };
  }
  const text = decodeText(bytes)?.text ?? '';
  const target = /^URL=(.+)$/im.exec(text)?.[1] ?? /<key>URL<\/key>\s*<string>([^<]+)</.exec(text)?.[1];
  if (target === undefined) throw new ExtractError('corrupt', 'The file contains no address.');
  return { target: target.trim().replaceAll('&amp;', '&') };
}

const linkHeader = '4c0000000114020000000000c000000000000046';
const flags = { idList: 1, linkInfo: 2, name: 4, relativePath: 8, folder: 16, arguments: 32, unicode: 128 } as const;

function readShellLink(bytes: Buffer): Shortcut {
  if (bytes.length < 76 || bytes.toString('hex', 0, 20) !== linkHeader) throw new ExtractError('corrupt', 'The file is not a shortcut.');
  const set = bytes.readUInt32LE(20);
  const damaged = (): ExtractError => new ExtractError('corrupt', 'The shortcut is damaged.');
  const need = (end: number): void => {
    if (end > bytes.length) throw damaged();
  };
  let at = 76;
  if (set & flags.idList) {
    need(at + 2);
    at += 2 + bytes.readUInt16LE(at);
  }
  let target: string | undefined;
  if (set & flags.linkInfo) {
    need(at + 4);
    const size = bytes.readUInt32LE(at);
    target = linkTarget(bytes.subarray(at, at + size));
    at += size;
  }
  const string = (flag: number): string | undefined => {
    if ((set & flag) === 0) return undefined;
    need(at + 2);
    const length = bytes.readUInt16LE(at) * (set & flags.unicode ? 2 : 1);
    const text = bytes.subarray(at + 2, at + 2 + length);
    at += 2 + length;
    return set & flags.unicode ? text.toString('utf16le') : (decodeText(text)?.text ?? '');
  };
  const [description, relative, folder] = [string(flags.name), string(flags.relativePath), string(flags.folder)];
  const found = { target: target ?? relative, description, folder, arguments: string(flags.arguments) };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined && text !== ''));
}

/** The path on a disk, or that of a share and the path below it. */
function linkTarget(info: Buffer): string | undefined {
  if (info.length < 28) return undefined;
  const wide = info.readUInt32LE(4) >= 36 && info.length >= 36;
  const textAt = (field: number, wideField: number): string => {
    const wideAt = wide ? info.readUInt32LE(wideField) : 0;
    if (wideAt > 0 && wideAt < info.length) return untilZero(info.subarray(wideAt).toString('utf16le'));
    const at = info.readUInt32LE(field);
    if (at === 0 || at >= info.length) return '';
    const end = info.indexOf(0, at);
    return decodeText(info.subarray(at, end === -1 ? undefined : end))?.text ?? '';
  };
  const suffix = textAt(24, 32);
  const shareAt = info.readUInt32LE(20);
  const isShare = (info.readUInt32LE(8) & 2) !== 0 && shareAt > 0 && shareAt + 12 <= info.length;
  const base = isShare ? shareName(info.subarray(shareAt)) : textAt(16, 28);
  const joined = base !== '' && suffix !== '' && !base.endsWith('\\') ? `${base}\\${suffix}` : base + suffix;
  return joined || undefined;
}

function shareName(link: Buffer): string {
  const at = link.readUInt32LE(8);
  return at >= link.length ? '' : untilZero(link.toString('latin1', at));
}

const untilZero = (text: string): string => text.split('\0', 1)[0] as string;
