import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys, createMemberList, guardRatio, type MemberList } from './listing.ts';
import { sevenZipError, listLines, stopReading } from './seven-zip.ts';

/** Everything else that 7-Zip can list. */
export const sevenZipArchive: Extractor = {
  name: 'sevenzip',
  version: 1,
  extensions: [
    ...['7z', 's7z', 'rar', 'r00', 'cab', 'arj', 'lzh', 'lha', 'cpio', 'ar', 'xar', 'deb', 'udeb', 'rpm', 'srpm', 'drpm', 'msp'],
    ...['pkg', 'mpkg', 'snap', 'wim', 'swm', 'esd', 'udf'],
  ],
  tools: [],
  keys: [...archiveKeys, 'archive.solid', 'archive.comment'],
  read: (source) => withFileBytes(source, (file) => listWithSevenZip(file, source)),
};

/** Lists an archive through 7-Zip; `extra` goes into the archive's facts. */
export async function listWithSevenZip(file: FileBytes, source: Source, extra: Record<string, unknown> = {}): Promise<Extracted> {
  const listing = createMemberList(source.limits);
  const parser = createSltParser(listing);
  const result = await listLines(file, undefined, (line) => {
    if (!parser.line(line)) throw stopReading;
  });
  parser.finish();
  const format = (parser.archive.get('Type') ?? source.extension).toLowerCase();
  if (result.status !== 0 && !parser.sawMembers) {
    const error = sevenZipError(result);
    // A locked list of names is a fact about the archive, not a failure to read it.
    if (error.kind === 'guard' && /password/.test(error.message)) return listing.finish(source.extension, { encrypted: true, ...extra });
    throw error;
  }
  if (result.status !== 0 || parser.archive.has('ERRORS')) throw new ExtractError('corrupt', 'The archive is damaged.');
  guardRatio(parser.unpacked, file.size, source.limits);
  const solid = parser.archive.get('Solid') === '+' ? { solid: true } : {};
  const comment = parser.archive.get('Comment');
  return listing.finish(format, { ...solid, ...(comment ? { comment: comment.slice(0, 1000) } : {}), ...extra });
}

/**
 * Parses 7-Zip's technical listing. States: before `--` (banner), archive properties until `----------`, then one block of `Key = value`
 * lines per member, blocks parted by empty lines.
 */
export function createSltParser(listing: MemberList) {
  const archive = new Map<string, string>();
  let state: 'banner' | 'archive' | 'members' = 'banner';
  let block = new Map<string, string>();
  let unpacked = 0;
  let sawMembers = false;

  const closeBlock = (): boolean => {
    const name = block.get('Path');
    const current = block;
    block = new Map();
    if (name === undefined) return true;
    sawMembers = true;
    const size = Number(current.get('Size') ?? 0);
    unpacked += size;
    const directory = current.get('Folder') === '+' || (current.get('Attributes') ?? '').startsWith('D');
    return listing.add({ name, size, directory, encrypted: current.get('Encrypted') === '+' });
  };
  return {
    archive,
    get unpacked() {
      return unpacked;
    },
    get sawMembers() {
      return sawMembers;
    },
    /** False when the listing has had enough. */
    line(text: string): boolean {
      if (text === '--' && state === 'banner') state = 'archive';
      else if (text === '----------') state = 'members';
      else if (state === 'archive') readPair(text, archive);
      else if (state === 'members' && text === '') return closeBlock();
      else if (state === 'members') readPair(text, block);
      return true;
    },
    finish(): void {
      if (state === 'members') closeBlock();
    },
  };
}

function readPair(line: string, into: Map<string, string>): void {
  const at = line.indexOf(' = ');
  if (at > 0) into.set(line.slice(0, at), line.slice(at + 3));
  else if (line.endsWith(' =')) into.set(line.slice(0, -2), '');
  else if (line === 'ERRORS:') into.set('ERRORS', '');
}
