/** What a reader may see and use, as data: the launcher (launcher/main.mjs) carries it out before the reader's first instruction. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateTool } from '../input/external-tool.ts';

/**
 * mounts: a view of the file system that holds only what a reader needs. processes, network, ipc: namespaces of its own. user: a user id
 * without rights, where the service runs as root. capabilities: none, or only that of reading. privileges: no_new_privs.
 */
export const layerNames = [
  'mounts',
  'processes',
  'network',
  'ipc',
  'limits',
  'user',
  'capabilities',
  'privileges',
  'landlock',
  'seccomp',
] as const;
export type LayerName = (typeof layerNames)[number];

/** program: readable and executable; library: readable; device: readable and writable; hide: covered although a folder above is shown. */
export interface ViewEntry {
  path: string;
  kind: 'program' | 'library' | 'device' | 'hide';
}

export interface LaunchPlan {
  layers: readonly LayerName[];
  command: string[];
  environment: Record<string, string>;
  entries: ViewEntry[];
  /** Empty folder on which the view is built. */
  viewRoot: string;
  /** The only writable folder. */
  scratch: string;
  user: { uid: number; gid: number } | null;
  /** Keeps the capability to read files of every owner. */
  keepReading: boolean;
  nice: number;
  limits: { memoryBytes: number; fileBytes: number; scratchBytes: number; processes: number; files: number };
}

const megabyte = 1024 * 1024;
/** Threads count as processes. Where the kernel counts per user of the whole machine, other processes of the user need room too. */
export const limitsOf = (memoryBytes: number, countedAlone: boolean): LaunchPlan['limits'] => ({
  memoryBytes,
  fileBytes: 512 * megabyte,
  scratchBytes: 512 * megabyte,
  processes: countedAlone ? 512 : 8192,
  files: 1024,
});

const systemPaths = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
  ...[
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'alternatives',
    'fonts',
    'localtime',
    'perl',
    'magic',
    'mime.types',
    'drirc',
    'ssl/openssl.cnf',
  ].map((name) => `/etc/${name}`),
];
const devicePaths = ['null', 'zero', 'full', 'random', 'urandom', 'dri'].map((name) => `/dev/${name}`);
const toolNames = ['ffprobe', 'ffmpeg', 'exiftool', 'tesseract', 'pdftotext', 'setpriv', 'prlimit'];
const packageFolder = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** The programs a reader consists of and may start: the system's, this package with its dependencies, Node, and tools elsewhere. */
export function programEntries(): ViewEntry[] {
  const paths = [...systemPaths, packageFolder, ...dependencyFolders(), process.execPath, ...toolNames.flatMap(toolFolders)];
  const libraries = (process.env['LD_LIBRARY_PATH'] ?? '').split(':').filter((path) => path.startsWith('/'));
  return [...new Set([...paths, ...libraries].filter((path) => existsSync(path)))]
    .map((path): ViewEntry => ({ path, kind: 'program' }))
    .concat(devicePaths.filter((path) => existsSync(path)).map((path) => ({ path, kind: 'device' })));
}

function dependencyFolders(): string[] {
  const folders = [];
  for (let at = packageFolder; at !== dirname(at); at = dirname(at)) folders.push(join(at, 'node_modules'));
  return folders;
}

/** The folder of a tool that is installed outside the system's folders, with the libraries and data beside it. */
function toolFolders(name: string): string[] {
  const path = locateTool(name);
  if (path === null || path.startsWith('/usr/')) return [];
  const folders = [dirname(path), dirname(realpathSync(path))];
  return folders.flatMap((folder) => [folder, join(folder, '..', 'lib'), join(folder, '..', 'share')]);
}
