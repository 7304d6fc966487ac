/**
 * Starts a child process with every protection the host offers: its own network namespace (unshare), a limit on its data segment
 * (prlimit), no new privileges and death with its parent (setpriv), and no file writes outside its scratch folder (Node's permission
 * model). A missing protection is left out and reported in `protections`. The deadline and the heap limit do not depend on the host.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment, findTool, findToolCopies } from '../input/external-tool.ts';

export interface SandboxProtections {
  network: boolean;
  memory: boolean;
  privileges: boolean;
}

const scratchPrefix = 'catalog-reader-';
const childModule = fileURLToPath(new URL('./child.ts', import.meta.url));
const unshareFlags = ['-n', '-rn'];
let networkPrefix: string[] | undefined;

/** The command prefix that removes network access, probed once; empty when the host allows none. */
function probeNetworkPrefix(): string[] {
  if (networkPrefix !== undefined) return networkPrefix;
  const unshare = findTool('unshare');
  const noop = findTool('true');
  networkPrefix = [];
  if (unshare === null || noop === null) return networkPrefix;
  for (const flags of unshareFlags) {
    const probe = spawnSync(unshare, [flags, '--', noop], { stdio: 'ignore', timeout: 5000 });
    if (probe.status === 0) {
      networkPrefix = [unshare, flags, '--'];
      break;
    }
  }
  return networkPrefix;
}

const printVmData = "require('fs').readFileSync('/proc/self/status','utf8').match(/VmData:\\s+(\\d+)/)[1]";
const fallbackKilobytes = 655_360;
let baselineBytes: number | undefined;

/** The data segment of an empty Node process, up to half a gigabyte on some machines; the memory limit is added to it. */
function probeBaselineBytes(): number {
  if (baselineBytes === undefined) {
    const { stdout } = spawnSync(process.execPath, ['-p', printVmData], { env: cleanEnvironment(), encoding: 'utf8', timeout: 10_000 });
    const kilobytes = Number.parseInt(stdout ?? '', 10);
    baselineBytes = (Number.isInteger(kilobytes) ? kilobytes : fallbackKilobytes) * 1024;
  }
  return baselineBytes;
}

let prepared: Promise<void> | undefined;

/** Probes the host without blocking, for processes that serve requests meanwhile. Without this call the first launch probes and blocks. */
export function prepareSandbox(): Promise<void> {
  prepared ??= (async () => {
    const run = promisify(execFile);
    if (baselineBytes === undefined) {
      const kilobytes = await run(process.execPath, ['-p', printVmData], { env: cleanEnvironment(), timeout: 10_000 }).then(
        ({ stdout }) => Number.parseInt(stdout, 10),
        () => Number.NaN,
      );
      baselineBytes ??= (Number.isInteger(kilobytes) ? kilobytes : fallbackKilobytes) * 1024;
    }
    const [unshare, noop] = [findTool('unshare'), findTool('true')];
    if (networkPrefix !== undefined || unshare === null || noop === null) return;
    for (const flags of unshareFlags) {
      const works = await run(unshare, [flags, '--', noop], { timeout: 5000 }).then(
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

export function sandboxCommand(memoryMb: number): { command: string[]; protections: SandboxProtections } {
  // Restores the execute bit of a packaged ffprobe if needed, because the child may not write.
  findToolCopies('ffprobe');
  const network = probeNetworkPrefix();
  const prlimit = findTool('prlimit');
  const setpriv = findTool('setpriv');
  const command = [...network];
  if (prlimit !== null) command.push(prlimit, `--data=${memoryMb * 1024 * 1024 + probeBaselineBytes()}`, '--core=0', '--');
  if (setpriv !== null) command.push(setpriv, '--no-new-privs', '--pdeathsig', 'KILL', '--');
  return { command, protections: { network: network.length > 0, memory: prlimit !== null, privileges: setpriv !== null } };
}

/** Removes scratch folders whose owning process was killed before it could clean up. */
export function removeStaleScratch(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(scratchPrefix)) continue;
    const owner = Number.parseInt(name.slice(scratchPrefix.length), 10);
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

/** Keeps background extraction, and the tools it starts, from slowing down interactive requests. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process is gone or the host forbids it; running at normal priority is acceptable.
  }
}

export interface LaunchedChild {
  process: ChildProcess;
  /** The end of its standard error output, from which an out-of-memory crash is recognised. */
  stderrTail(): string;
  removeScratch(): void;
}

export function launchChild(memoryMb: number, background: boolean): LaunchedChild {
  const scratch = mkdtempSync(join(tmpdir(), `${scratchPrefix}${process.pid}-`));
  const { command } = sandboxCommand(memoryMb);
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
    // Parallelism comes from the number of children, so each decodes in one thread. Malloc arenas would count towards the memory limit.
    env: { ...cleanEnvironment(), TMPDIR: scratch, HOME: scratch, VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '4' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  if (background) lowerPriority(child.pid);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-4096);
  });
  return {
    process: child,
    stderrTail: () => stderr,
    removeScratch: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
