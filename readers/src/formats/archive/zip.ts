import type { Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readZipDirectory } from '../../input/zip.ts';
import { archiveKeys, createMemberList, guardRatio } from './member-list.ts';

/**
 * Zip and everything that is a zip under another name. Members are listed from the directory and never unpacked; what looks like a bomb
 * (far more bytes declared than held, members that share their bytes) is nevertheless refused, so that nobody opens it by mistake.
 */
export const zipArchive: Extractor = {
  name: 'zip',
  version: 1,
  extensions: [
    ...[
      'zip',
      'zipx',
      'jar',
      'war',
      'ear',
      'pk3',
      'pk4',
      'xpi',
      'whl',
      'egg',
      'nupkg',
      'vsix',
      'crx',
      'ipa',
      'tipa',
      'apk',
      'apks',
      'apkm',
    ],
    ...['apkg', 'xapk', 'aar', 'aab', 'appx', 'appxbundle', 'msix', 'msixbundle', 'jmod', 'ifczip', 'usdz', 'npz', 'f3d', 'f3z', 'fcstd'],
    ...['dwfx', '3dxml'],
  ],
  tools: [],
  keys: archiveKeys,
  read: (source) =>
    withFileBytes(source, (file) => {
      const directory = readZipDirectory(file, source.limits.archiveMaxMembers);
      const declared = directory.entries.reduce((sum, entry) => sum + entry.size, 0);
      guardRatio(declared, file.size, source.limits);
      const listing = createMemberList(source.limits);
      for (const entry of directory.entries) listing.add(entry);
      if (directory.truncated) listing.markTruncated();
      return listing.finish('zip');
    }),
};
