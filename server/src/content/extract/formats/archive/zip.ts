import { ExtractError, type Extractor, type Limits } from '../../contract.ts';
import { withFile } from '../file-window.ts';
import { archiveKeys, createListing, guardRatio } from './listing.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

/**
 * Zip and everything that is a zip under another name. Members are listed from the directory and never unpacked; what a bomb looks
 * like is nevertheless said, so that nobody opens it by mistake.
 */
export const zipArchive: Extractor = {
  name: 'zip',
  version: 1,
  extensions: [
    ...['zip', 'zipx', 'jar', 'war', 'ear', 'pk3', 'pk4', 'xpi', 'whl', 'egg', 'nupkg', 'vsix', 'crx', 'ipa', 'tipa', 'apk', 'apks', 'apkm'],
    ...['apkg', 'xapk', 'aar', 'aab', 'appx', 'appxbundle', 'msix', 'msixbundle', 'jmod', 'ifczip', 'usdz', 'npz', 'f3d', 'f3z', 'fcstd'],
    ...['dwfx', '3dxml'],
  ],
  tools: [],
  keys: [...archiveKeys, 'archive.comment'],
  read: (source) =>
    withFile(source, (file) => {
      const directory = readZipDirectory(file, source.limits.archiveMaxMembers);
      guardZip(directory.entries, file.size, source.limits);
      const listing = createListing(source.limits);
      for (const entry of directory.entries) listing.add(entry);
      if (directory.declared > directory.entries.length) listing.cut();
      return listing.finish('zip', directory.comment === '' ? {} : { comment: directory.comment });
    }),
};

/** Judges the whole archive by its declared numbers: more than the ratio allows, or members that share their bytes. */
export function guardZip(entries: readonly ZipEntry[], fileSize: number, limits: Limits): void {
  let unpacked = 0;
  for (const entry of entries) unpacked += entry.size;
  guardRatio(unpacked, fileSize, limits);
  const byOffset = entries.filter((entry) => entry.packedSize > 0).sort((a, b) => a.offset - b.offset);
  for (let i = 1; i < byOffset.length; i++) {
    const before = byOffset[i - 1]!;
    if (before.offset + 30 + before.packedSize > byOffset[i]!.offset) {
      throw new ExtractError('guard', 'Members of the archive overlap, as in a decompression bomb.');
    }
  }
}
