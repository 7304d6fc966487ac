/**
 * Starts a child inside every fence the host offers: a network namespace of its own (unshare), a ceiling on its data (prlimit), no new
 * privileges and death with its parent (setpriv), no file writes outside its scratch folder (Node's permission model). A fence the host
 * does not offer is left out and named in `fences`, so that the About page can say what is missing; the deadline and the heap ceiling
 * never depend on the host.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment, findToolCopies, findTool } from '../input/external-tool.ts';

export interface SandboxProtections {
  network: boolean;
  memory: boolean;
  privileges: boolean;
}

interface Wrapper {
  command: string[];
  fences: SandboxProtections;
}

const SCRATCH = 'catalog-reader-';
const childModule = fileURLToPath(new URL('./child.ts', import.meta.url));
let networkPrefix: string[] | undefined;

/** The prefix that cuts the network, tried once; empty when the host allows none. */
function cutNetwork(): string[] {
  if (networkPrefix !== undefined) return networkPrefix;
  const unshare = findTool('unshare');
  const nothing = findTool('true');
  networkPrefix = [];
  if (unshare === null || nothing === null) return networkPrefix;
  for (const flags of ['-n', '-rn']) {
    const tried = spawnSync(unshare, [flags, '--', nothing], { stdio: 'ignore', timeout: 5000 });
    if (tried.status === 0) {
      networkPrefix = [unshare, flags, '--'];
      break;
    }
  }
  return networkPrefix;
}

const VM_DATA = "require('fs').readFileSync('/proc/self/status','utf8').match(/VmData:\\s+(\\d+)/)[1]";
const fallbackKilobytes = 655_360;
let emptyDataBytes: number | undefined;

/** The kernel counts what an empty Node process reserves as data, half a gigabyte on some machines; the ceiling is put on top of that. */
function dataOfEmptyProcess(): number {
  if (emptyDataBytes === undefined) {
    const { stdout } = spawnSync(process.execPath, ['-p', VM_DATA], { env: cleanEnvironment(), encoding: 'utf8', timeout: 10_000 });
    const kilobytes = Number.parseInt(stdout ?? '', 10);
    emptyDataBytes = (Number.isInteger(kilobytes) ? kilobytes : fallbackKilobytes) * 1024;
  }
  return emptyDataBytes;
}

let prepared: Promise<void> | undefined;

/** Finds out what the host offers without blocking: for processes that answer people meanwhile. Others find out at the first launch. */
export function prepareSandbox(): Promise<void> {
  prepared ??= (async () => {
    const run = promisify(execFile);
    if (emptyDataBytes === undefined) {
      const kilobytes = await run(process.execPath, ['-p', VM_DATA], { env: cleanEnvironment(), timeout: 10_000 }).then(
        ({ stdout }) => Number.parseInt(stdout, 10),
        () => Number.NaN,
      );
      emptyDataBytes ??= (Number.isInteger(kilobytes) ? kilobytes : fallbackKilobytes) * 1024;
    }
    const [unshare, nothing] = [findTool('unshare'), findTool('true')];
    if (networkPrefix !== undefined || unshare === null || nothing === null) return;
    for (const flags of ['-n', '-rn']) {
      const works = await run(unshare, [flags, '--', nothing], { timeout: 5000 }).then(
        () => true,
        () => false,
      );
      if (!works) continue;
      networkPrefix ??= [unshare, flags, '--'];
      return;
    }
    networkPrefix ??= [];
  })();
  return prepared;
}

export function wrapperFor(memoryMb: number): Wrapper {
  // Looked for here because a packaged tool may need its execute bit put back, and the child may not write.
  findToolCopies('ffprobe');
  const network = cutNetwork();
  const prlimit = findTool('prlimit');
  const setpriv = findTool('setpriv');
  const command = [...network];
  if (prlimit !== null) command.push(prlimit, `--data=${memoryMb * 1024 * 1024 + dataOfEmptyProcess()}`, '--core=0', '--');
  if (setpriv !== null) command.push(setpriv, '--no-new-privs', '--pdeathsig', 'KILL', '--');
  return { command, fences: { network: network.length > 0, memory: prlimit !== null, privileges: setpriv !== null } };
}

/** Folders of readers whose parent was killed before it could clean up. */
export function discardStaleScratch(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(SCRATCH)) continue;
    const owner = Number.parseInt(name.slice(SCRATCH.length), 10);
    if (Number.isInteger(owner) && !isRunning(owner)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
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

/** Readers of a scan, and the tools they start, let everybody else go first: people who ask something do not wait for them. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed, or gone already: then they compete like anybody.
  }
}

export interface Launched {
  process: ChildProcess;
  /** Last words on standard error, for telling memory from other deaths. */
  lastWords(): string;
  discard(): void;
}

export function launchChild(memoryMb: number, background: boolean): Launched {
  const scratch = mkdtempSync(join(tmpdir(), `${SCRATCH}${process.pid}-`));
  const { command } = wrapperFor(memoryMb);
  const node = [
    process.execPath,
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
    childModule,
  ];
  const [program, ...args] = [...command, ...node];
  const child = spawn(program as string, args, {
    detached: true,
    cwd: scratch,
    // One decoding thread each: the number of children is the parallelism. A large arena count would count against the memory ceiling.
    env: { ...cleanEnvironment(), TMPDIR: scratch, HOME: scratch, VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '4' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  if (background) giveWay(child.pid);
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-4096);
  });
  return {
    process: child,
    lastWords: () => words,
    discard: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
