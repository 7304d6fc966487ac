import type { Extractor } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readZipDirectory } from '../../input/zip.ts';
import { archiveKeys, createMemberList, guardRatio } from './member-list.ts';

/**
 * Zip files, including formats that are zip files with another extension. Members are listed from the central directory without
 * decompressing. Files that look like zip bombs are rejected to warn people before they open them.
 */
export const zipArchive: Extractor = {
  name: 'zip',
  version: 1,
  text: false,
  extensions: [
    ...'zip zipx jar war ear pk3 pk4 xpi whl egg nupkg vsix crx ipa tipa apk apks apkm'.split(' '),
    ...['apkg', 'xapk', 'aar', 'aab', 'appx', 'appxbundle', 'msix', 'msixbundle', 'jmod', 'ifczip', 'usdz', 'npz', 'f3d', 'f3z', 'fcstd'],
    ...['dwfx', '3dxml', 'oxt', 'asice', 'asics', 'sce', 'scs', 'bau'],
  ],
  tools: [],
  keys: archiveKeys,
  read: (source) =>
    withFileBytes(source, (file) => {
      const directory = readZipDirectory(file, source.limits.archiveMaxMembers);
      const declared = directory.entries.reduce((sum, entry) => sum + entry.size, 0);
      guardRatio(declared, file.size, source.limits);
      const members = createMemberList(source.limits);
      for (const entry of directory.entries) members.add(entry);
      if (directory.truncated) members.markTruncated();
      return members.finish('zip');
    }),
};
