/**
 * External tools. Each is spawned with an argument array (never a shell) in its own process group, under a CPU limit, and the group is
 * killed when its time is over or its output too large. The parent process is informed of every group, so that it can kill the tools of a
 * child that died. Callers must pass absolute paths, or `--` before names, because a name may start with a dash.
 */
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, win32 } from 'node:path';
import { ExtractError } from '../contract.ts';

interface ToolResult {
  code: number | null;
  stdout: Buffer;
  stderr: string;
  /** True when the output limit was reached and the tool was killed. */
  truncated: boolean;
}

interface ToolOptions {
  timeoutSeconds: number;
  maxOutputBytes?: number;
  input?: Buffer;
  /** Returns the output up to the limit instead of throwing a guard error. */
  keepTruncated?: boolean;
}

const knownPaths = new Map<string, string>();
const processGroups = new Set<number>();

/** The absolute path of a tool, or null when it is not installed. Notices tools that are installed or removed later. */
export function findTool(name: string): string | null {
  const known = knownPaths.get(name);
  if (known !== undefined && isExecutable(known)) return known;
  const path = locateTool(name);
  if (path === null) knownPaths.delete(name);
  else knownPaths.set(name, path);
  return path;
}

/** Like findTool, but searches again on every call. */
export function locateTool(name: string): string | null {
  return searchPath(name) ?? packagedTool(name);
}

/**
 * All copies of a tool, the fastest to start first. The packaged copy is linked statically and starts in a tenth of the time; the
 * distribution's copy may support more formats.
 */
export function findToolCopies(name: string): string[] {
  return [packagedTool(name), searchPath(name)].filter((path) => path !== null);
}

const isWindows = process.platform === 'win32';

/** Searches absolute folders only: a relative one would depend on the current folder, which anybody may have written to. */
export function searchPath(
  name: string,
  { windows = isWindows, path = process.env['PATH'] ?? '', exists = isExecutable } = {},
): string | null {
  const rules = windows ? win32 : posix;
  for (const folder of path.split(rules.delimiter)) {
    if (!rules.isAbsolute(folder)) continue;
    const file = rules.join(folder, windows ? `${name}.exe` : name);
    if (exists(file)) return file;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** ffprobe is also an npm package. npm may drop its execute bit, so it is restored here. */
function packagedTool(name: string): string | null {
  if (name !== 'ffprobe') return null;
  try {
    const folder = createRequire(import.meta.url).resolve(`@ffprobe-installer/linux-${process.arch}/package.json`);
    const path = join(folder, '..', 'ffprobe');
    if (!isExecutable(path)) chmodSync(path, 0o755);
    return path;
  } catch {
    // The optional package is not installed, or its execute bit cannot be restored.
    return null;
  }
}

/** The environment for child processes: paths, locale and time zone, but no settings and no secrets. */
export function cleanEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  // Programs of Windows do not start without SystemRoot, and write temporary files to TEMP.
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP'])
    if (from[name] !== undefined) clean[name] = from[name];
  return clean;
}

/** Informs the parent process about started and ended groups; set by the child's entry point. */
let notifyGroup: (pid: number, alive: boolean) => void = () => {};
export function setProcessGroupListener(listener: (pid: number, alive: boolean) => void): void {
  notifyGroup = listener;
}

export function killAllTools(): void {
  for (const pid of processGroups) killGroup(pid);
}

function killGroup(pid: number): void {
  try {
    // Windows has no process groups.
    process.kill(isWindows ? pid : -pid, 'SIGKILL');
  } catch {
    // The process group is gone already.
  }
}

export function trackProcessGroup(pid: number): () => void {
  processGroups.add(pid);
  notifyGroup(pid, true);
  return () => {
    processGroups.delete(pid);
    notifyGroup(pid, false);
  };
}

/** Node timers hold at most 24 days; a longer delay would fire at once. */
export function timerMilliseconds(seconds: number): number {
  return Math.min(Math.max(1, seconds * 1000), 2_147_483_647);
}

export function runTool(path: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const maxOutput = options.maxOutputBytes ?? 8 * 1024 * 1024;
  const prlimit = findTool('prlimit');
  const seconds = Math.ceil(timerMilliseconds(options.timeoutSeconds) / 1000) + 1;
  const command = prlimit ?? path;
  const commandArgs = prlimit === null ? [...args] : [`--cpu=${seconds}:${seconds + 1}`, '--core=0', '--', path, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, {
      detached: !isWindows,
      windowsHide: true,
      env: cleanEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const untrack = child.pid === undefined ? () => {} : trackProcessGroup(child.pid);
    const stdout: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let truncated = false;
    let timedOut = false;
    const killTool = () => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killTool();
    }, timerMilliseconds(options.timeoutSeconds));
    child.stdout.on('data', (chunk: Buffer) => {
      if (truncated) return;
      stdout.push(chunk);
      size += chunk.length;
      if (size > maxOutput) {
        truncated = true;
        killTool();
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4096) stderr += chunk.toString('utf8');
    });
    // A tool may exit without reading its input; its exit code tells whether it failed.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      untrack();
      finish();
    };
    child.on('error', () => settle(() => reject(new ExtractError('dependency', 'A tool could not be started.'))));
    child.on('close', (code) =>
      settle(() => {
        if (timedOut) reject(new ExtractError('timeout', `A tool took longer than ${options.timeoutSeconds} s.`));
        else if (truncated && options.keepTruncated !== true)
          reject(new ExtractError('guard', `A tool printed more than ${maxOutput} bytes.`));
        else if (prlimit !== null && code === 127) reject(new ExtractError('dependency', 'A tool could not be started.'));
        else resolve({ code, stdout: Buffer.concat(stdout), stderr, truncated });
      }),
    );
  });
}
