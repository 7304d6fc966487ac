/**
 * Thumbnails that agents have drawn. They are kept apart from those that the service draws, and per agent, because an agent can send any
 * picture for any bytes: it reaches nothing but the pictures of its own files.
 */

import { sql } from 'kysely';
import { splitPath } from '../../catalog/paths/index.ts';
import { writeThumbKey } from '../../content/pipeline/index.ts';
import { type ThumbStore, thumbKey } from '../../content/thumbs/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { webpSize } from './webp.ts';

export interface DrawnThumb {
  libraryRef: string;
  relPath: string;
  /** The hash of the bytes that were drawn. */
  contentHash: string;
  renderer: string;
  grid: Buffer;
  preview: Buffer;
}

interface DrawnItem {
  id: string;
  content_hash: string | null;
  thumb_key: string | null;
}

async function findOwn(db: Db, agentId: string, libraryRef: string, relPath: string): Promise<DrawnItem | undefined> {
  const { folder, name } = splitPath(relPath);
  const { rows } = await sql<DrawnItem>`select i.id, i.content_hash, i.thumb_key
    from libraries l join folders f on f.library_id = l.id and f.rel_path = ${folder} join items i on i.folder_id = f.id and i.filename = ${name}
    where l.source_agent_id = ${agentId} and l.root_path = ${libraryRef} and i.status = 'active'`.execute(db);
  return rows[0];
}

/** Returns whether the picture is new. */
export async function storeThumb(db: Db, settings: Settings, thumbs: ThumbStore, agentId: string, drawn: DrawnThumb): Promise<boolean> {
  const sizes = { gridPx: settings.thumbnailGridPx, previewPx: settings.thumbnailPreviewPx };
  for (const [picture, limit] of [
    [drawn.grid, sizes.gridPx],
    [drawn.preview, sizes.previewPx],
  ] as const) {
    const size = webpSize(picture);
    if (size === null || Math.max(size.width, size.height) > limit)
      throw problem('unsupported_media_type', `Send WebP pictures of at most ${sizes.gridPx} and ${sizes.previewPx} pixels.`);
  }
  const item = await findOwn(db, agentId, drawn.libraryRef, drawn.relPath);
  if (!item) throw notFound('item');
  if (item.content_hash !== drawn.contentHash)
    throw problem('conflict', 'The catalog has other bytes of this file. Draw it again when they are reported.');
  const [name = '', version] = drawn.renderer.split('@');
  const key = thumbKey({ contentHash: `upload ${agentId} ${drawn.contentHash}`, renderer: { name, version: Number(version) }, sizes });
  const isNew = !(await thumbs.has(key));
  if (isNew) await thumbs.write(key, { grid: drawn.grid, preview: drawn.preview });
  if (item.thumb_key !== key) await writeThumbKey(db, item.id, key);
  return isNew;
}
