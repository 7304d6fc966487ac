import { spawn } from 'node:child_process';

/** Runs a program without a shell. Resolves with its exit code and, if `quiet`, with its output. */
export function run(file, args, { cwd, env, quiet = false, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    for (const stream of quiet ? [child.stdout, child.stderr] : []) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (onLine) for (const line of text.split('\n')) if (line.trim()) onLine(line);
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal, output }));
  });
}
