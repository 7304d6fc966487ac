/** Lists files and folders below a root without opening or cataloguing them. Symlinks are listed and never followed. */
import { type BigIntStats, type Dirent, lstatSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { diskPath, pathText } from '@catalog/scanner';
import type { Client } from './client.ts';
import type { Command, CommandContext } from './commands.ts';
import { openCollectors } from './inventory-collectors.ts';
import { requireRoots } from './roots.ts';

interface Summary {
  entries: number;
  denied: number;
  denied_sample: string[];
  capped: boolean;
  duration_ms: number;
  collectors_run: string[];
  collector_errors: Record<string, string>;
}

const pack = promisify(gzip);
const maxSample = 20;

export async function performInventory(
  client: Client,
  roots: readonly string[],
  { payload }: Command,
  { id, signal, progress }: CommandContext,
): Promise<Record<string, unknown>> {
  const maxEntries = Number(payload['max_entries'] ?? 20_000);
  const maxDepth = Number(payload['max_depth'] ?? 64);
  const start = typeof payload['path'] === 'string' ? payload['path'] : '';
  const { run, errors, describe } = openCollectors(payload['collectors']);
  const summary: Summary = {
    ...{ entries: 0, denied: 0, denied_sample: [], capped: false, duration_ms: 0 },
    collectors_run: run,
    collector_errors: errors,
  };
  const began = Date.now();
  const lines: string[] = [];
  for (const root of requireRoots(roots, payload['library_ref'])) {
    refuseOutside(root, start);
    await listFolder(root, start, 1);
  }
  summary.entries = lines.length;
  summary.duration_ms = Date.now() - began;
  const body = await pack(Buffer.from(lines.join('')));
  await client.send('POST', '/inventory-results', {
    body,
    headers: { 'content-type': 'application/gzip', 'x-svc-command-id': id },
    timeoutSeconds: 120,
    signal,
  });
  return { summary };

  async function listFolder(root: string, dir: string, depth: number): Promise<void> {
    signal.throwIfAborted();
    const folders: string[] = [];
    for (const entry of await entriesOf(root, dir)) {
      if (lines.length >= maxEntries) {
        summary.capped = true;
        return;
      }
      const relPath = dir === '' ? pathText(entry.name as unknown as Buffer) : `${dir}/${pathText(entry.name as unknown as Buffer)}`;
      const facts = factsOf(`${root}/${relPath}`);
      if (!facts) {
        deny(relPath);
        continue;
      }
      const found = await describe(root, `${root}/${relPath}`, facts);
      lines.push(`${JSON.stringify({ root, path: relPath, type: typeOf(facts), ...found })}\n`);
      if (facts.isDirectory()) folders.push(relPath);
    }
    progress(lines.length, null);
    if (depth >= maxDepth) {
      summary.capped ||= folders.length > 0;
      return;
    }
    for (const folder of folders) await listFolder(root, folder, depth + 1);
  }
  async function entriesOf(root: string, dir: string): Promise<Dirent[]> {
    try {
      const options = { withFileTypes: true, encoding: 'buffer' } as const;
      return (await readdir(diskPath(dir === '' ? root : `${root}/${dir}`), options)) as unknown as Dirent[];
    } catch {
      deny(dir);
      return [];
    }
  }
  function deny(relPath: string): void {
    summary.denied += 1;
    if (summary.denied_sample.length < maxSample) summary.denied_sample.push(relPath);
  }
}

/** A symlink inside the root could lead out of it. */
function refuseOutside(root: string, start: string): void {
  const [real, base] = [realpathSync(diskPath(start === '' ? root : `${root}/${start}`)), realpathSync(diskPath(root))];
  if (real !== base && !real.startsWith(base.endsWith(path.sep) ? base : base + path.sep))
    throw new Error('The path leads out of the folder that this agent reports.');
}

function factsOf(file: string): BigIntStats | null {
  try {
    return lstatSync(diskPath(file), { bigint: true });
  } catch {
    // Deleted meanwhile, or not accessible: counted as denied.
    return null;
  }
}

function typeOf(facts: BigIntStats): string {
  return facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'link' : 'other';
}
