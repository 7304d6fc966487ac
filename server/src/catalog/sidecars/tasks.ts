import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import '../tables.ts';
import { associateSidecars } from './associate.ts';

const foldersPerRun = 20_000;
const page = 500;

/**
 * Scans link the sidecars of this machine. Files of agents arrive in batches that may hold one half of a pair, so their folders are visited
 * here. The contents of a sidecar stay on the agent, so only the link is made.
 */
export async function associateAgentSidecars(db: Db, signal: AbortSignal): Promise<{ folders: number; linked: number }> {
  const done = { folders: 0, linked: 0 };
  for (const { id } of await agentLibraries(db))
    for (let after = 0; done.folders < foldersPerRun; ) {
      signal.throwIfAborted();
      const folders = await pageFolders(db, id, after);
      const last = folders.at(-1);
      if (last === undefined) break;
      after = last;
      const { linked } = await associateSidecars(db, id, folders, { priority: 'fill', read: null });
      done.folders += folders.length;
      done.linked += linked;
    }
  return done;
}

async function agentLibraries(db: Db): Promise<{ id: string }[]> {
  return (await sql<{ id: string }>`select id from libraries where source_agent_id is not null order by id`.execute(db)).rows;
}

/** Folders with a sidecar that has no link, or whose link leads to a file that is gone. The first part is answered by items_unlinked_sidecars. */
async function pageFolders(db: Db, libraryId: string, after: number): Promise<number[]> {
  const { rows } = await sql<{ folder_id: number }>`select distinct folder_id from (
      select folder_id from items where library_id = ${libraryId} and status = 'active' and sidecar_of is null
        and extension in ('nfo', 'xmp', 'thm', 'xml', 'jpg', 'jpeg', 'png', 'webp', 'tbn') and looks_like_sidecar(filename)
      union all
      select s.folder_id from items s left join items p on p.id = s.sidecar_of
      where s.library_id = ${libraryId} and s.status = 'active' and s.sidecar_of is not null
        and (p.id is null or p.status <> 'active' or p.folder_id <> s.folder_id)
    ) as open where folder_id > ${after} order by folder_id limit ${page}`.execute(db);
  return rows.map(({ folder_id }) => folder_id);
}

export const sidecarMaintenance: MaintenanceTask[] = [
  {
    key: 'associate_agent_sidecars',
    title: 'Sidecar files of agents',
    description: 'Links sidecar files that agents reported to the files they describe.',
    category: 'integrity',
    defaultCron: '20 5 * * *',
    task: defineMaintenanceTask('associate_agent_sidecars', ({ db, signal }) => associateAgentSidecars(db, signal)),
  },
];
