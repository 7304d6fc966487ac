import type { Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { archiveKeys, createMemberList, type MemberList, decodeMemberName } from './member-list.ts';
import { createTarSink } from './tar.ts';
import { type Compression, detectCompression, decompressStream } from './decompress-stream.ts';

/** Decompression stops here. The size of longer content comes from the gzip trailer, or is a lower bound. */
const maxMeasuredBytes = 64 * 1024 * 1024;

/** A single compressed file (gz, xz, bz2, zst, …), reported as an archive with one member. A tar inside it is listed instead. */
export const packedFile: Extractor = {
  name: 'packed',
  version: 1,
  extensions: ['gz', 'gzip', 'bz2', 'xz', 'zst', 'zstd', 'lzma', 'z', 'br'],
  tools: [],
  keys: [...archiveKeys, 'archive.packing'],
  read: (source) =>
    withFileBytes(source, async (file) => {
      const packing = detectCompression(file, source.extension === 'br' ? 'br' : `.${source.extension}`);
      const known: Compression = packing === 'none' ? '7z' : packing;
      const seen = await measureContent(file, known, source);
      const format = source.extension;
      if (seen.tar) return seen.listing.finish('tar', { packing: format });
      const listing = createMemberList(source.limits);
      const name = (packing === 'gzip' && gzipName(file)) || source.filename.replace(/\.[^.]+$/, '');
      const stated = packing === 'gzip' ? gzipStatedSize(file) : 0;
      listing.add({ name, size: seen.cut ? Math.max(seen.bytes, stated) : seen.bytes });
      if (seen.cut) listing.markTruncated();
      return listing.finish(format, { packing: format });
    }),
};

/** Decompresses the file to learn the real size. If the content is a tar, its members are collected instead. */
async function measureContent(
  file: FileBytes,
  packing: Compression,
  source: Parameters<Extractor['read']>[0],
): Promise<{ bytes: number; cut: boolean; tar: boolean; listing: MemberList }> {
  const listing = createMemberList(source.limits);
  let bytes = 0;
  let sink: ReturnType<typeof createTarSink> | undefined;
  let tar = false;
  const end = await decompressStream(file, packing, source.limits, source.limits.decompressedMaxBytes, (chunk) => {
    if (bytes === 0 && chunk.toString('latin1', 257, 262) === 'ustar') {
      sink = createTarSink((member) => listing.add(member));
      tar = true;
    }
    bytes += chunk.length;
    return sink ? sink.push(chunk) : bytes < maxMeasuredBytes;
  });
  if (end === 'whole') sink?.finish();
  if (end === 'ceiling') listing.markTruncated();
  return { bytes, cut: end !== 'whole', tar, listing };
}

/** The original file name from the gzip header, if present. */
function gzipName(file: FileBytes): string | undefined {
  const head = file.read(0, 2048);
  if (head.length < 18 || (head[3]! & 8) === 0) return undefined;
  const start = 10 + ((head[3]! & 4) !== 0 ? 2 + head.readUInt16LE(10) : 0);
  const end = head.indexOf(0, start);
  return end > start ? decodeMemberName(head.subarray(start, end)) : undefined;
}

/** The uncompressed size from the gzip trailer, modulo 4 GiB. */
function gzipStatedSize(file: FileBytes): number {
  return file.size >= 18 ? file.need(file.size - 4, 4).readUInt32LE(0) : 0;
}
