import os from 'node:os';
import { loadKoffi } from '../koffi.ts';
import { diskPath, pathBytes } from '../walk/path-text.ts';

/** The extended attributes in which file systems keep access control lists. */
export const aclAttribute = {
  posixAccess: 'system.posix_acl_access',
  posixDefault: 'system.posix_acl_default',
  nfs: 'system.nfs4_acl',
  samba: 'security.NTACL',
  ntfs: 'system.ntfs_acl',
  ntfsKernel: 'system.ntfs_security',
  cifs: 'system.cifs_acl',
} as const;
const known = new Set<string>(Object.values(aclAttribute));

/** Attributes that some file systems have without listing them, by type of file system. */
const unlisted: Readonly<Record<string, string>> = {
  nfs4: aclAttribute.nfs,
  cifs: aclAttribute.cifs,
  smb3: aclAttribute.cifs,
  ntfs3: aclAttribute.ntfsKernel,
  fuseblk: aclAttribute.ntfs,
  'fuse.ntfs-3g': aclAttribute.ntfs,
};

/** The attribute to ask for on a file system that does not list it; null where listing is enough. */
export const unlistedAclAttribute = (fileSystemType: string): string | null => unlisted[fileSystemType] ?? null;

/** The raw access control lists of one file by attribute. */
export interface AclAttributes {
  values: Record<string, Uint8Array>;
  /** True when an attribute exists but could not be read. */
  failed?: true;
}

/** What most files have. The same object each time, so that callers can compare it by identity. */
export const noAclAttributes: AclAttributes = Object.freeze({ values: Object.freeze({}) });

/** Reads access control lists. Synchronous, belongs in a thread. A file that vanished has none. A symlink is never followed. */
export interface AclReader {
  ofPath(path: string): AclAttributes;
  ofHandle(handle: number): AclAttributes;
}

const maxAttributeBytes = 65_536;

/** Returns null where extended attributes cannot be read: another platform, or koffi is missing. */
export function createAclReader(options: { unlisted?: string | null } = {}): AclReader | null {
  if (process.platform !== 'linux') return null;
  try {
    const koffi = loadKoffi();
    const library = koffi.load(null as unknown as string);
    const list = Buffer.alloc(maxAttributeBytes);
    const value = Buffer.alloc(maxAttributeBytes);
    const listPath = library.func('llistxattr', 'intptr_t', ['void *', 'void *', 'size_t']);
    const listText = library.func('intptr_t llistxattr(const char *path, void *list, size_t size)');
    const getPath = library.func('lgetxattr', 'intptr_t', ['void *', 'const char *', 'void *', 'size_t']);
    const listHandle = library.func('intptr_t flistxattr(int handle, void *list, size_t size)');
    const getHandle = library.func('intptr_t fgetxattr(int handle, const char *name, void *value, size_t size)');
    const { ENODATA, EOPNOTSUPP, ENOENT, ENOTDIR } = os.constants.errno;
    const isAbsent = (errno: number): boolean => errno === ENODATA || errno === EOPNOTSUPP || errno === ENOENT || errno === ENOTDIR;

    const collect = (listed: number, get: (name: string) => number): AclAttributes => {
      const names =
        listed > 0
          ? list
              .toString('latin1', 0, listed)
              .split('\0')
              .filter((name) => known.has(name))
          : [];
      if (options.unlisted && !names.includes(options.unlisted)) names.push(options.unlisted);
      let failed = listed < 0 && !isAbsent(koffi.errno());
      if (names.length === 0 && !failed) return noAclAttributes;
      const values: Record<string, Uint8Array> = {};
      for (const name of names) {
        const length = Number(get(name));
        if (length > 0) values[name] = Uint8Array.from(value.subarray(0, length));
        else if (length < 0 && !isAbsent(koffi.errno())) failed = true;
      }
      if (Object.keys(values).length === 0 && !failed) return noAclAttributes;
      return failed ? { values, failed: true } : { values };
    };
    return {
      ofPath(path) {
        const target = diskPath(path);
        const listed =
          typeof target === 'string' ? listText(target, list, maxAttributeBytes) : listPath(terminated(target), list, maxAttributeBytes);
        return collect(Number(listed), (name) => getPath(terminated(pathBytes(path)), name, value, maxAttributeBytes));
      },
      ofHandle: (handle) =>
        collect(Number(listHandle(handle, list, maxAttributeBytes)), (name) => getHandle(handle, name, value, maxAttributeBytes)),
    };
  } catch {
    // koffi is not installed for this platform, or the C library has no extended attributes.
    return null;
  }
}

const terminated = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, Buffer.of(0)]);
