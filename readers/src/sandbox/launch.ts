/**
 * Starts a child process behind every layer of the sandbox that the host offers (plan.ts). A child sees the folder of one library, its
 * programs and its scratch folder. What the host does not offer is left out and reported by `sandboxReport` (report.ts). The deadline and the heap
 * limit do not depend on the host.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment, findToolCopies } from '../input/external-tool.ts';
import { nodeCommand } from './node-command.ts';
import { limitsOf, programEntries, type ViewEntry } from './plan.ts';
import { countsAlone, type HostReport, launchLine, probeHost, readerUser } from './probe.ts';
import type { FileJob } from './protocol.ts';

const scratchPrefix = 'catalog-reader-';
const childModule = fileURLToPath(new URL('./child.ts', import.meta.url));
const hostModule = fileURLToPath(new URL('./print-host.ts', import.meta.url));
let host: HostReport | undefined;
let prepared: Promise<HostReport> | undefined;
let hidden: readonly string[] = [];

/** Folders that no reader sees, even inside a library: the service's own data. */
export function hideFromReaders(folders: readonly string[]): void {
  hidden = [...new Set(folders.flatMap((folder) => (existsSync(folder) ? [resolve(folder), realpathSync(folder)] : [])))];
}

/** Probes the host in another process, for processes that serve requests meanwhile. Without it the first launch probes and blocks. */
export function prepareSandbox(): Promise<HostReport> {
  prepared ??= (async () => {
    const [program, ...args] = nodeCommand(hostModule, ['--disable-warning=ExperimentalWarning']);
    const probed = await promisify(execFile)(program as string, args, {
      env: cleanEnvironment(),
      timeout: 60_000,
    }).then(
      ({ stdout }) => JSON.parse(stdout) as HostReport,
      () => probeHost(),
    );
    host ??= probed;
    return host;
  })();
  return prepared;
}

function probedHost(): HostReport {
  host ??= probeHost();
  return host;
}

/** Removes the folders of processes that were killed before they could clean up. */
export function removeStaleScratch(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(scratchPrefix)) continue;
    const owner = Number.parseInt(name.slice(scratchPrefix.length), 10);
    if (!Number.isInteger(owner) || isRunning(owner)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch (error) {
      // Another user's service left it.
      if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder that a child must see to read this file. */
export const libraryOf = (job: FileJob): string => resolve(job.root ?? dirname(job.path));

export interface LaunchedChild {
  process: ChildProcess;
  /** The id of the reader itself, which is a child of `process` where it has its own process ids. */
  readerPid(): number | undefined;
  /** The folder of the library that it sees. */
  library: string;
  /** True when killing the process kills everything it has started. */
  ownProcesses: boolean;
  /** The path by which the child reaches the file, and a function to call when the file is done. */
  reach(job: FileJob): { path: string; release(): void };
  /** The end of its standard error output, from which an out-of-memory crash is recognised. */
  stderrTail(): string;
  removeScratch(): void;
}

export function launchChild(memoryMb: number, background: boolean, library: string): LaunchedChild {
  const { layers, baselineBytes } = probedHost();
  // Restores the execute bit of a packaged ffprobe if needed, because the child may not write.
  findToolCopies('ffprobe');
  const folder = mkdtempSync(join(tmpdir(), `${scratchPrefix}${process.pid}-`));
  const [viewRoot, scratch, names] = [join(folder, 'view'), join(folder, 'work'), join(folder, 'names')];
  for (const path of [viewRoot, scratch, names]) mkdirSync(path);
  const entries: ViewEntry[] = [
    ...programEntries(),
    { path: library, kind: 'library' },
    { path: names, kind: 'library' },
    ...hidden.map((path): ViewEntry => ({ path, kind: 'hide' })),
  ];
  const command = nodeCommand(childModule, [
    `--max-old-space-size=${Math.max(128, Math.floor(memoryMb * 0.6))}`,
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${scratch}`,
    '--allow-child-process',
    '--allow-addons',
    '--allow-wasi',
    '--allow-worker',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]);
  const environment = {
    ...(cleanEnvironment() as Record<string, string>),
    ...{ TMPDIR: scratch, TEMP: scratch, HOME: scratch },
    // Parallelism comes from the number of children, so each decodes in one thread. Malloc arenas would count towards the memory limit.
    ...{ VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '4' },
  };
  // The launcher starts without the channel; the number is its position in `stdio` below.
  const channel = { NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'advanced' };
  const [program, ...args] = launchLine({
    layers,
    command,
    environment: { ...environment, ...channel },
    entries,
    viewRoot,
    scratch,
    user: readerUser(layers),
    keepReading: process.getuid?.() === 0,
    nice: background ? constants.priority.PRIORITY_LOW : 0,
    limits: limitsOf(memoryMb * 1024 * 1024 + baselineBytes, countsAlone(layers)),
  });
  const child = spawn(program as string, args, {
    detached: true,
    windowsHide: true,
    env: layers.length === 0 ? environment : cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  if (layers.length === 0 && background) lowerPriority(child.pid);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-4096);
  });
  let links = 0;
  return {
    process: child,
    readerPid: () => (child.pid === undefined || !layers.includes('processes') ? child.pid : onlyChildOf(child.pid)),
    library,
    ownProcesses: layers.includes('processes'),
    reach({ path }) {
      if (path.startsWith(library === '/' ? '/' : `${library}/`)) return { path, release: () => {} };
      // A name that is not valid UTF-8 is passed as a link outside the library, which the child cannot see.
      links += 1;
      const link = join(names, `${links}${extname(path)}`);
      try {
        symlinkSync(readlinkSync(path, 'buffer'), link);
      } catch {
        // Not a link, or gone: the child reports that it cannot open the file.
        return { path, release: () => {} };
      }
      return { path: link, release: () => rmSync(link, { force: true }) };
    },
    stderrTail: () => stderr,
    removeScratch: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where no launcher does it. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The host forbids it; background work is then as fast as other work.
  }
}

function onlyChildOf(pid: number): number | undefined {
  try {
    return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10) || undefined;
  } catch {
    // It has exited.
    return undefined;
  }
}
