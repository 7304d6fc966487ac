import type { Host } from './host.ts';

/** A host with exactly these folders and files. */
export function fakeHost(
  folders: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
  readOnly: readonly string[] = [],
): Host {
  return {
    workingDir: '/work-dir',
    homeDir: '/home/ann',
    isDirectory: (path) => folders.includes(path),
    isFile: (path) => path in files,
    isReadable: (path) => folders.includes(path) || path in files,
    isWritable: (path) => folders.includes(path) && !readOnly.includes(path),
    readText: (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return text;
    },
  };
}
