import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { workerNodeFlags } from '../../server/src/platform/processes.ts';

export interface ScanResult {
  seconds: number;
  cpu: number;
  rssMiB: number;
  status: string;
  error: string | null;
  stats: Record<string, number>;
}

const scanProcess = fileURLToPath(new URL('./scan-process.ts', import.meta.url));

/** Scans a library in a process of its own. */
export function scanOnce(address: object, libraryId: string): Promise<ScanResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...workerNodeFlags, scanProcess, JSON.stringify(address), libraryId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('exit', (code) => {
      if (code !== 0) return reject(new Error(`The scan process exited with code ${code}.`));
      const result = JSON.parse(output) as ScanResult;
      if (result.status === 'finished') resolve(result);
      else reject(new Error(result.error ?? `The scan ended with the status ${result.status}.`));
    });
  });
}
