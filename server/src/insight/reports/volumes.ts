import { stat, statfs } from 'node:fs/promises';
import { diskPath } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** A disk that does not respond within this time is left out. */
const patienceMs = 2_000;

interface Volume {
  library_id: string;
  /** Libraries with the same device share their free space. */
  device: number;
  free: number;
}

/** The free space below the libraries of this machine. Libraries of other machines and disks that cannot be reached are left out. */
export async function libraryVolumes(db: Db): Promise<Volume[]> {
  const { rows } = await sql<{ id: string; root_path: string }>`select id, root_path from libraries where source_agent_id is null`.execute(
    db,
  );
  const volumes = await Promise.all(rows.map(({ id, root_path }) => withinPatience(readVolume(id, diskPath(root_path)))));
  return volumes.filter((volume) => volume !== null);
}

async function readVolume(library_id: string, path: string | Buffer): Promise<Volume | null> {
  try {
    const [{ dev }, { bavail, bsize }] = await Promise.all([stat(path), statfs(path)]);
    return { library_id, device: dev, free: bavail * bsize };
  } catch {
    // The disk is offline; its library has no forecast.
    return null;
  }
}

async function withinPatience(work: Promise<Volume | null>): Promise<Volume | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
