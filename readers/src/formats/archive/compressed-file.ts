import type { Extractor } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { savedPages } from '../web/saved-pages.ts';
import { type Compression, decompressStream, detectCompression } from './decompress-stream.ts';
import { archiveKeys, createMemberList, decodeMemberName, type MemberList } from './member-list.ts';
import { createTarSink } from './tar.ts';

/** Decompression stops here. The size of longer content comes from the gzip trailer, or is a lower bound. */
const maxMeasuredBytes = 64 * 1024 * 1024;

/** A single compressed file (gz, xz, bz2, zst, …), reported as an archive with one member. A tar inside it is listed instead. */
export const packedFile: Extractor = {
  name: 'packed',
  version: 2,
  text: true,
  usesName: true,
  extensions: ['gz', 'gzip', 'bz2', 'xz', 'zst', 'zstd', 'lzma', 'z', 'br'],
  tools: [],
  keys: [...archiveKeys, 'archive.packing', ...savedPages.keys],
  read: (source) =>
    withFileBytes(source, async (file) => {
      // Crawlers write web archives compressed record by record, always under this name.
      if (/\.warc\.gz$/i.test(source.filename)) return savedPages.read(source);
      const compression = detectCompression(file, source.extension === 'br' ? 'br' : `.${source.extension}`);
      const decoder: Compression = compression === 'none' ? '7z' : compression;
      const content = await measureContent(file, decoder, source);
      const format = source.extension;
      if (content.tar) return content.members.finish('tar', { packing: format });
      const members = createMemberList(source.limits);
      const name = (compression === 'gzip' && gzipName(file)) || source.filename.replace(/\.[^.]+$/, '');
      const stated = compression === 'gzip' ? gzipStatedSize(file) : 0;
      members.add({ name, size: content.truncated ? Math.max(content.bytes, stated) : content.bytes });
      if (content.truncated) members.markTruncated();
      return members.finish(format, { packing: format });
    }),
};

/** Decompresses the file to learn the real size. If the content is a tar, its members are collected instead. */
async function measureContent(
  file: FileBytes,
  compression: Compression,
  source: Parameters<Extractor['read']>[0],
): Promise<{ bytes: number; truncated: boolean; tar: boolean; members: MemberList }> {
  const members = createMemberList(source.limits);
  let bytes = 0;
  let sink: ReturnType<typeof createTarSink> | undefined;
  let tar = false;
  const end = await decompressStream(file, compression, source.limits, source.limits.decompressedMaxBytes, (chunk) => {
    if (bytes === 0 && chunk.toString('latin1', 257, 262) === 'ustar') {
      sink = createTarSink((member) => members.add(member));
      tar = true;
    }
    bytes += chunk.length;
    return sink ? sink.push(chunk) : bytes < maxMeasuredBytes;
  });
  if (end === 'complete') sink?.finish();
  if (end === 'limit') members.markTruncated();
  return { bytes, truncated: end !== 'complete', tar, members };
}

/** The original file name from the gzip header, if present. */
function gzipName(file: FileBytes): string | undefined {
  const head = file.read(0, 2048);
  if (head.length < 18 || (head.readUInt8(3) & 8) === 0) return undefined;
  const start = 10 + ((head.readUInt8(3) & 4) !== 0 ? 2 + head.readUInt16LE(10) : 0);
  const end = head.indexOf(0, start);
  return end > start ? decodeMemberName(head.subarray(start, end)) : undefined;
}

/** The uncompressed size from the gzip trailer, modulo 4 GiB. */
function gzipStatedSize(file: FileBytes): number {
  return file.size >= 18 ? file.need(file.size - 4, 4).readUInt32LE(0) : 0;
}
