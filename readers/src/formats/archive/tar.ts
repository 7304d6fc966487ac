import type { Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys, createMemberList } from './listing.ts';
import { createTarSink, walkTarFile } from './tar-walk.ts';
import { detectCompression, decompressStream } from './unpack-stream.ts';

/** Tar, plain or packed. A plain one is walked by seeking; a packed one is unpacked in passing and nothing of it is kept but names. */
export const tarArchive: Extractor = {
  name: 'tar',
  version: 1,
  extensions: [
    ...['tar', 'tgz', 'taz', 'tbz', 'tbz2', 'tb2', 'txz', 'tzst', 'tlz', 'tlzma', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'tar.zstd'],
    ...['tar.lzma', 'tar.z', 'tar.br', 'ova', 'gem', 'tazpkg', 'eopkg', 'xbps'],
  ],
  tools: [],
  keys: [...archiveKeys, 'archive.packing'],
  read: (source) =>
    withFileBytes(source, async (file) => {
      const listing = createMemberList(source.limits);
      const packing = detectCompression(file, source.extension);
      if (packing === 'none') {
        walkTarFile(file, (member) => listing.add(member));
        return listing.finish('tar');
      }
      const sink = createTarSink((member) => listing.add(member));
      const end = await decompressStream(file, packing, source.limits, source.limits.decompressedMaxBytes, (chunk) => sink.push(chunk));
      if (end === 'whole') sink.finish();
      if (end === 'ceiling') listing.markTruncated();
      return listing.finish('tar', { packing: packing === '7z' ? source.extension.split('.').pop() : packing });
    }),
};
