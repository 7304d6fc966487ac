import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { surviveFullDisk } from './scenario.ts';

const run = promisify(execFile);

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-full-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a full disk keeps the old state and is reported, and no document is lost once there is space again (writes refused)', {
  timeout: 120_000,
}, async () => {
  await inFolder(async (folder) => {
    const { stdout } = await run(
      process.execPath,
      ['--import', join(import.meta.dirname, 'refuse-writes.ts'), join(import.meta.dirname, 'refused-process.ts'), join(folder, 'index')],
      { env: { ...process.env, FULL_DISK: join(folder, 'full') } },
    );
    expect(stdout).toBe('survived');
  });
});

test('a full disk keeps the old state and is reported, and no document is lost once there is space again (a real, small disk)', {
  timeout: 120_000,
}, async (context) => {
  await inFolder(async (folder) => {
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).catch((error: Error) => error);
    if (mounted instanceof Error) return context.skip('This user may not mount a disk of a few megabytes.');
    const ballast = join(folder, 'ballast');
    try {
      await surviveFullDisk(
        join(folder, 'index'),
        // Fills the disk completely; the last write is cut short by the file system.
        () => writeFile(ballast, Buffer.alloc(8 << 20)).catch((error: NodeJS.ErrnoException) => expect(error.code).toBe('ENOSPC')),
        () => rm(ballast, { force: true }),
      );
    } finally {
      await run('umount', [folder]);
    }
  });
});
