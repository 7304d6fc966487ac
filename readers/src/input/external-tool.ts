/**
 * External tools. Each is found on PATH, spawned with an argument array (never a shell), in a process group of its own, under a CPU
 * limit, and killed as a group when its clock runs out or it says too much. The parent process is told of every group, so that a child
 * that dies leaves none behind. Callers put `--` or an absolute path before names; no tool ever sees a name that starts with a dash.
 */
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { ExtractError } from '../contract.ts';

export interface ToolResult {
  code: number | null;
  stdout: Buffer;
  stderr: string;
  /** The output cap was reached and the tool was stopped. */
  truncated: boolean;
}

export interface ToolOptions {
  timeoutSeconds: number;
  maxOutputBytes?: number;
  input?: Buffer;
  /** True: give what was printed before the cap instead of refusing. */
  keepTruncated?: boolean;
}

const found = new Map<string, string>();
const groups = new Set<number>();

/** The absolute path of a tool, or null when it is not installed. One that is installed or taken away while we run is noticed. */
export function findTool(name: string): string | null {
  const known = found.get(name);
  if (known !== undefined && isExecutable(known)) return known;
  const path = locateTool(name);
  if (path === null) found.delete(name);
  else found.set(name, path);
  return path;
}

/** Where a tool is at this moment, looked for anew. */
export function locateTool(name: string): string | null {
  return searchPath(name) ?? packagedTool(name);
}

/**
 * Every copy of a tool there is, the quickest to start first: the packaged one is linked statically and starts in a tenth of the time a
 * distribution's needs, which in turn may know formats the packaged one does not.
 */
export function findToolCopies(name: string): string[] {
  const own = packagedTool(name);
  const system = searchPath(name);
  return [own, system].filter((path) => path !== null);
}

function searchPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '' || !folder.startsWith('/')) continue;
    const path = join(folder, name);
    if (isExecutable(path)) return path;
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

/** ffprobe also comes as a package; npm may drop its execute bit, so it is put back. */
function packagedTool(name: string): string | null {
  if (name !== 'ffprobe') return null;
  try {
    const folder = createRequire(import.meta.url).resolve(`@ffprobe-installer/linux-${process.arch}/package.json`);
    const path = join(folder, '..', 'ffprobe');
    if (!isExecutable(path)) chmodSync(path, 0o755);
    return path;
  } catch {
    return null;
  }
}

/** Variables a tool may see: where programs are and how text is written, never a setting or a secret. */
export function cleanEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LD_LIBRARY_PATH']) if (from[name] !== undefined) clean[name] = from[name];
  return clean;
}

/** Tells the parent process which groups live; set by the child's entry point. */
let report: (pid: number, alive: boolean) => void = () => {};
export function setProcessGroupListener(listener: (pid: number, alive: boolean) => void): void {
  report = listener;
}

export function killAllTools(): void {
  for (const pid of groups) killGroup(pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

export function trackProcessGroup(pid: number): () => void {
  groups.add(pid);
  report(pid, true);
  return () => {
    groups.delete(pid);
    report(pid, false);
  };
}

/** A timer holds 24 days at most; a longer clock would ring at once. */
export function timerMilliseconds(seconds: number): number {
  return Math.min(Math.max(1, seconds * 1000), 2_147_483_647);
}

export function runTool(path: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const maxOutput = options.maxOutputBytes ?? 8 * 1024 * 1024;
  const limit = findTool('prlimit');
  const seconds = Math.ceil(timerMilliseconds(options.timeoutSeconds) / 1000) + 1;
  const command = limit ?? path;
  const full = limit === null ? [...args] : [`--cpu=${seconds}:${seconds + 1}`, '--core=0', '--', path, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, full, { detached: true, env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
    const forget = child.pid === undefined ? () => {} : trackProcessGroup(child.pid);
    const stdout: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let cut = false;
    let late = false;
    const stop = () => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timerMilliseconds(options.timeoutSeconds));
    child.stdout.on('data', (chunk: Buffer) => {
      if (cut) return;
      stdout.push(chunk);
      size += chunk.length;
      if (size > maxOutput) {
        cut = true;
        stop();
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4096) stderr += chunk.toString('utf8');
    });
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      forget();
      finish();
    };
    child.on('error', () => settle(() => reject(new ExtractError('dependency', 'A tool could not be started.'))));
    child.on('close', (code) =>
      settle(() => {
        if (late) reject(new ExtractError('timeout', `A tool took longer than ${options.timeoutSeconds} s.`));
        else if (cut && options.keepTruncated !== true) reject(new ExtractError('guard', `A tool printed more than ${maxOutput} bytes.`));
        else if (limit !== null && code === 127) reject(new ExtractError('dependency', 'A tool could not be started.'));
        else resolve({ code, stdout: Buffer.concat(stdout), stderr, truncated: cut });
      }),
    );
  });
}
