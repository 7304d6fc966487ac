/** A sandbox task that tries to leave the sandbox with a shell, Python, ffmpeg and Node. It returns what it achieved. For tests only. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Source } from '../src/contract.ts';

export interface EscapeTargets {
  /** Files outside the library, with a known word in them. */
  secrets: string[];
  /** Files that must not come into being. */
  writes: string[];
  socket: string;
  port: number;
  /** The process that started the reader. */
  pid: number;
}

export interface EscapeResult {
  /** One line per attempt that succeeded. */
  achieved: string[];
  tried: number;
  status: Record<string, string>;
  processes: string[];
  uid: number | undefined;
  limits: Record<string, number>;
}

const word = 'catalog-secret';

export default async function tryToEscape(source: Source, targets: EscapeTargets): Promise<EscapeResult> {
  const achieved: string[] = [];
  let tried = 0;
  const attempt = (name: string, succeeded: () => boolean): void => {
    tried += 1;
    try {
      if (succeeded()) achieved.push(name);
    } catch {
      // Refused.
    }
  };
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8', timeout: 30_000 });
  const python = (code: string, ...args: string[]) => run('/usr/bin/python3', '-c', code, ...args);

  // The ways in must work for the given file, or the attempts below would prove nothing.
  const control = [
    run('/bin/cat', source.path).stdout,
    existsSync('/usr/bin/python3') ? python('import sys; print(open(sys.argv[1]).read())', source.path).stdout : word,
  ];
  if (!control.every((text) => text.includes(word))) throw new Error(`a program cannot read the given file: ${JSON.stringify(control)}`);

  for (const path of targets.secrets) {
    attempt(`sh read ${path}`, () => run('/bin/sh', '-c', 'cat "$0"', path).stdout.length > 0);
    attempt(`python read ${path}`, () => python('import sys; print(open(sys.argv[1], "rb").read())', path).stdout.length > 0);
    attempt(`ffmpeg read ${path}`, () => run('/usr/bin/ffmpeg', '-v', 'quiet', '-f', 'u8', '-i', path, '-f', 'u8', '-').stdout?.length > 0);
    attempt(`node read ${path}`, () => readFileSync(path).length > 0);
  }
  for (const path of targets.writes) {
    attempt(`sh write ${path}`, () => run('/bin/sh', '-c', 'echo x > "$0"', path).status === 0);
    attempt(`python write ${path}`, () => python('import sys; open(sys.argv[1], "w").write("x")', path).status === 0);
    attempt(
      `ffmpeg write ${path}`,
      () => run('/usr/bin/ffmpeg', '-v', 'quiet', '-f', 'lavfi', '-i', 'sine=d=0.1', '-f', 'u8', '-y', path).status === 0,
    );
    attempt(`sh rename over ${path}`, () => run('/bin/sh', '-c', 'echo x > "$TMPDIR/x" && mv "$TMPDIR/x" "$0"', path).status === 0);
  }
  attempt('sh delete the given file', () => run('/bin/rm', '-f', source.path).status === 0);
  attempt('sh chmod the given file', () => run('/bin/chmod', '777', source.path).status === 0);
  const connect = 'import socket,sys; s=socket.socket(getattr(socket,sys.argv[1])); s.settimeout(5); s.connect(eval(sys.argv[2]))';
  attempt('python database socket', () => python(connect, 'AF_UNIX', JSON.stringify(targets.socket)).status === 0);
  attempt('python abstract socket', () => python(connect, 'AF_UNIX', `"\\0catalog-escape-${targets.pid}"`).status === 0);
  attempt('python tcp', () => python(connect, 'AF_INET', `("127.0.0.1",${targets.port})`).status === 0);
  attempt(
    'ffmpeg tcp',
    () =>
      run('/usr/bin/ffmpeg', '-v', 'quiet', '-f', 'u8', '-t', '0.1', '-i', `tcp://127.0.0.1:${targets.port}`, '-f', 'null', '-').status ===
      0,
  );
  attempt('sh signal', () => run('/bin/sh', '-c', `kill -0 ${targets.pid}`).status === 0 && existsSync(`/proc/${targets.pid}/cmdline`));
  attempt('node signal', () => process.kill(targets.pid, 0) && existsSync(`/proc/${targets.pid}/cmdline`));
  attempt('mount', () => run('/usr/bin/unshare', '-rm', '/bin/true').status === 0);
  attempt('network namespace', () => run('/usr/bin/unshare', '-rn', '/bin/true').status === 0);
  attempt('ptrace', () => python('import ctypes,sys; l=ctypes.CDLL(None); sys.exit(0 if l.ptrace(0,0,0,0)==0 else 1)').status === 0);
  attempt(
    'survive the service',
    () => python('import ctypes,sys; l=ctypes.CDLL(None); sys.exit(0 if l.prctl(1,0,0,0,0)==0 else 1)').status === 0,
  );
  attempt(
    'a file above the limit',
    () => python('import os; f=open(os.environ["TMPDIR"]+"/big","wb"); f.seek(600<<20); f.write(b"x"); f.flush()').status === 0,
  );
  attempt(
    'run a program from the scratch folder',
    () => run('/bin/sh', '-c', 'cp /bin/true "$TMPDIR/t" && chmod 755 "$TMPDIR/t" && "$TMPDIR/t"').status === 0,
  );

  const limits = python(
    'import resource as r, json; print(json.dumps({n: r.getrlimit(getattr(r, n))[1] for n in ("RLIMIT_NPROC","RLIMIT_DATA","RLIMIT_FSIZE","RLIMIT_NOFILE","RLIMIT_CORE")}))',
  ).stdout;
  return {
    achieved,
    tried,
    status: processStatus(),
    processes: listProcesses(),
    uid: process.getuid?.(),
    limits: JSON.parse(limits || '{}') as Record<string, number>,
  };
}

function processStatus(): Record<string, string> {
  try {
    return Object.fromEntries(
      readFileSync('/proc/self/status', 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/:\s+/) as [string, string]),
    );
  } catch {
    // /proc is not part of the view.
    return {};
  }
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 60));
  } catch {
    // /proc may not be listed.
    return [];
  }
}
