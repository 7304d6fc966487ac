import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findTool } from '../../input/external-tool.ts';

const fixture = fileURLToPath(new URL('./exiftool.fixture.ts', import.meta.url));

/** The process ids of the children of a process. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : Number(parent);
  } catch {
    return null;
  }
}

test.skipIf(findTool('exiftool') === null || findTool('setpriv') === null)(
  'the running exiftool ends when its parent process is killed',
  async () => {
    const reader = spawn(process.execPath, [fixture, fixture], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(reader.stdout, 'data');
    const tools = childrenOf(reader.pid!);
    expect(tools.length).toBe(1);
    reader.kill('SIGKILL');
    await once(reader, 'exit');
    await expect.poll(() => tools.filter((pid) => parentOf(pid) !== null), { timeout: 10_000 }).toEqual([]);
  },
);
