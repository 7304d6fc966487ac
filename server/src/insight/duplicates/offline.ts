import { stat } from 'node:fs/promises';
import { diskPath } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** A disk that does not answer within this time counts as offline. */
const patienceMs = 2_000;

/** Libraries on this machine whose folder is not there, and libraries of other machines: nothing can be decided about their files here. */
export async function offlineLibraries(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; root_path: string; local: boolean }>`
    select id, root_path, source_agent_id is null as local from libraries`.execute(db);
  const states = await Promise.all(rows.map(async ({ id, root_path, local }) => ({ id, online: local && (await isFolder(root_path)) })));
  return states.filter(({ online }) => !online).map(({ id }) => id);
}

async function isFolder(path: string): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false);
  });
  try {
    return await Promise.race([
      stat(diskPath(path)).then(
        (found) => found.isDirectory(),
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
