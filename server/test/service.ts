import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

interface RunningCommand {
  child: ChildProcess;
  output(): string;
  ended: Promise<Outcome>;
}

/** The real command in a process of its own, with a bare environment. */
export function startCommand(args: string[], env: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: os.tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<Outcome>((resolve) => child.once('close', (code, signal) => resolve({ code, signal, output })));
  return { child, output: () => output, ended };
}

export function runCommand(args: string[], env: Record<string, string>): Promise<Outcome> {
  return startCommand(args, env).ended;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits for a condition; the limit only ends a test that would hang. */
export async function until<T>(condition: () => T | Promise<T>, what: string, limitMs = 45_000): Promise<NonNullable<T>> {
  const started = Date.now();
  for (;;) {
    const value = await Promise.resolve(condition()).catch(() => null as T);
    if (value) return value as NonNullable<T>;
    if (Date.now() - started > limitMs) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export interface Service extends RunningCommand {
  url: string;
  configDir: string;
  /** The ids of the running processes. */
  processes(): { app: number | undefined; worker: number | undefined; postgres: number | undefined };
}

/** Starts `catalog all` on a free port and waits until it is ready. */
export async function startService(configDir: string, env: Record<string, string> = {}): Promise<Service> {
  const port = await freePort();
  const running = startCommand(['all'], {
    SVC_CONFIG_DIR: configDir,
    SVC_PORT: String(port),
    SVC_STOP_GRACE_SECONDS: '10',
    SVC_BROWSE_ROOTS: '/',
    ...env,
  });
  await until(
    () => {
      if (running.child.exitCode !== null) throw new Error(`ended: ${running.output()}`);
      return running.output().includes('is running.');
    },
    `the service to start; output: ${running.output()}`,
    180_000,
  );
  return { ...running, url: `http://127.0.0.1:${port}`, configDir, processes: () => childProcesses(running.child.pid!, configDir) };
}

/** The processes of `catalog all`. */
export function childProcesses(supervisor: number, configDir: string) {
  const found: { app: number | undefined; worker: number | undefined; postgres: number | undefined } = {
    app: undefined,
    worker: undefined,
    postgres: undefined,
  };
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]);
      if (words.includes(path.join(configDir, 'postgres', 'data')) && words.includes('-D')) found.postgres = pid;
      if (parent === supervisor && words.includes('app')) found.app = pid;
      if (parent === supervisor && words.includes('worker')) found.worker = pid;
    } catch {
      // The process exited in the meantime.
    }
  }
  return found;
}

export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-service-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function stopService(service: RunningCommand): Promise<Outcome> {
  if (service.child.exitCode === null) service.child.kill('SIGTERM');
  return service.ended;
}
