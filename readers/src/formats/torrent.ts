import { createHash } from 'node:crypto';
import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { archiveKeys, createMemberList } from './archive/member-list.ts';
import { withoutEmpty } from './result.ts';

const maxBytes = 64 * 1024 * 1024;

/** Torrents: name, files and number of trackers. Tracker URLs can contain private keys and are not stored. */
export const torrent: Extractor = {
  name: 'torrent',
  version: 1,
  text: false,
  extensions: ['torrent'],
  tools: [],
  keys: [
    'torrent',
    ...['name', 'files', 'size', 'trackers', 'private', 'piece_length', 'created', 'created_by', 'comment', 'info_hash'].map(
      (key) => `torrent.${key}`,
    ),
    ...archiveKeys,
  ],
  read: async (source): Promise<Extracted> => {
    const root = decodeBencode(readWholeFile(source, maxBytes));
    const info = dictionary(root.value).get('info');
    if (!(info instanceof Map)) throw new ExtractError('corrupt', 'The torrent does not list its files.');
    const top = dictionary(root.value);
    const name = text(info.get('name.utf-8') ?? info.get('name'));
    const members = createMemberList(source.limits);
    const files = listFiles(info, name ?? 'unnamed');
    let size = 0;
    for (const file of files) size += file.size;
    for (const file of files) if (!members.add(file)) break;
    const listed = members.finish('torrent');
    return {
      archiveMembers: listed.archiveMembers,
      metadata: {
        torrent: withoutEmpty({
          name,
          files: files.length,
          size,
          trackers: countTrackers(top),
          private: info.get('private') === 1,
          piece_length: number(info.get('piece length')),
          created: date(top.get('creation date')),
          created_by: text(top.get('created by')),
          comment: text(top.get('comment')),
          info_hash: root.infoHash,
        }),
      },
      ...withoutEmpty({ title: name }),
    };
  },
};

function dictionary(value: BencodeValue | undefined): Map<string, BencodeValue> {
  if (value instanceof Map) return value;
  throw new ExtractError('corrupt', 'The torrent is damaged.');
}

const text = (value: BencodeValue | undefined): string | undefined =>
  Buffer.isBuffer(value) ? value.toString('utf8').slice(0, 1000) : undefined;
const number = (value: BencodeValue | undefined): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined);

function date(value: BencodeValue | undefined): string | undefined {
  return typeof value === 'number' && value > 0 && value < 1e11 ? new Date(value * 1000).toISOString() : undefined;
}

function listFiles(info: Map<string, BencodeValue>, name: string): { name: string; size: number }[] {
  const files = info.get('files');
  if (Array.isArray(files)) {
    return files
      .filter((file): file is Map<string, BencodeValue> => file instanceof Map)
      .map((file) => {
        const path = file.get('path.utf-8') ?? file.get('path');
        const parts = Array.isArray(path) ? path.map((part) => text(part) ?? '') : [];
        return { name: [name, ...parts].join('/'), size: number(file.get('length')) ?? 0 };
      });
  }
  const tree = info.get('file tree');
  if (tree instanceof Map) return walkTree(tree, '', 0);
  return [{ name, size: number(info.get('length')) ?? 0 }];
}

/** Version 2 torrents store files as a tree. A leaf has an empty name. */
function walkTree(tree: Map<string, BencodeValue>, path: string, depth: number): { name: string; size: number }[] {
  if (depth > 64) throw new ExtractError('guard', 'The folders of the torrent are nested too deeply.');
  const found: { name: string; size: number }[] = [];
  for (const [name, value] of tree) {
    if (!(value instanceof Map)) continue;
    if (name === '') found.push({ name: path, size: number(value.get('length')) ?? 0 });
    else found.push(...walkTree(value, path === '' ? name : `${path}/${name}`, depth + 1));
  }
  return found;
}

function countTrackers(top: Map<string, BencodeValue>): number {
  const found = new Set<string>();
  const add = (value: BencodeValue | undefined): void => {
    if (Buffer.isBuffer(value)) found.add(value.toString('latin1'));
    else if (Array.isArray(value)) value.forEach(add);
  };
  add(top.get('announce'));
  add(top.get('announce-list'));
  return found.size;
}

type BencodeValue = number | Buffer | BencodeValue[] | Map<string, BencodeValue>;

const maxDepth = 100;

/** Decodes bencoded data. Strings are returned as buffers. The SHA-1 of the top-level `info` value is the torrent's info hash. */
function decodeBencode(bytes: Buffer): { value: BencodeValue; infoHash?: string } {
  let at = 0;
  let infoHash: string | undefined;
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The file is damaged.');
  };
  const until = (stop: number): string => {
    const end = bytes.indexOf(stop, at);
    if (end === -1 || end - at > 20) damaged();
    const digits = bytes.toString('latin1', at, end);
    at = end + 1;
    return /^-?\d+$/.test(digits) ? digits : damaged();
  };
  const readString = (): Buffer => {
    const length = Number(until(0x3a));
    if (!(length >= 0) || at + length > bytes.length) damaged();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const read = (depth: number): BencodeValue => {
    if (depth > maxDepth) throw new ExtractError('guard', 'The file is nested too deeply.');
    const type = bytes[at];
    if (type === 0x69) {
      at++;
      return Number(until(0x65));
    }
    if (type === 0x6c || type === 0x64) {
      at++;
      return type === 0x6c ? readList(depth) : readDictionary(depth);
    }
    return readString();
  };
  const readList = (depth: number): BencodeValue[] => {
    const list: BencodeValue[] = [];
    while (bytes[at] !== 0x65) {
      if (at >= bytes.length) damaged();
      list.push(read(depth + 1));
    }
    at++;
    return list;
  };
  const readDictionary = (depth: number): Map<string, BencodeValue> => {
    const map = new Map<string, BencodeValue>();
    while (bytes[at] !== 0x65) {
      if (at >= bytes.length) damaged();
      const key = readString().toString('utf8');
      const start = at;
      map.set(key, read(depth + 1));
      if (depth === 0 && key === 'info') infoHash = createHash('sha1').update(bytes.subarray(start, at)).digest('hex');
    }
    at++;
    return map;
  };
  const value = read(0);
  return infoHash === undefined ? { value } : { value, infoHash };
}
