import type { Extractor } from '../../contract.ts';
import { withFileBytes } from '../../reading/file-bytes.ts';
import { archiveKeys, createListing } from './listing.ts';
import { createTarSink, walkTarFile } from './tar-walk.ts';
import { packingOf, unpackStream } from './unpack-stream.ts';

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
      const listing = createListing(source.limits);
      const packing = packingOf(file, source.extension);
      if (packing === 'none') {
        walkTarFile(file, (member) => listing.add(member));
        return listing.finish('tar');
      }
      const sink = createTarSink((member) => listing.add(member));
      const end = await unpackStream(file, packing, source.limits, source.limits.decompressedMaxBytes, (chunk) => sink.push(chunk));
      if (end === 'whole') sink.finish();
      if (end === 'ceiling') listing.cut();
      return listing.finish('tar', { packing: packing === '7z' ? source.extension.split('.').pop() : packing });
    }),
};
