import { createSandboxPool, findThumbnailer, type SandboxPool, type ThumbnailTiers, thumbTaskModule } from '@catalog/readers';
import type { ItemRow } from '../../catalog/items/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { shownExtension } from '../sniff/index.ts';
import { mayWritePictures, type ThumbStore, thumbKey } from '../thumbs/index.ts';
import type { RemoteCopy } from '../views/index.ts';
import { limitsFor } from './file-job.ts';
import { writeThumbKey } from './store.ts';

/** Draws the thumbnail of a file on another machine when somebody asks for it, and keeps it. Null when the file has no picture. */
export type RemoteThumbs = (item: ItemRow, actor: Actor) => Promise<string | null>;

const drawSeconds = 30;

export function createRemoteThumbs(app: App, { db, settings }: Dependencies, thumbs: ThumbStore, fetchRemote: RemoteCopy): RemoteThumbs {
  const mayWrite = mayWritePictures(settings);
  const drawings = new Map<string, Promise<string | null>>();
  let pool: SandboxPool | undefined;
  app.addHook('onClose', async () => pool?.close());

  async function draw(item: ItemRow, actor: Actor): Promise<string | null> {
    const extension = shownExtension(item);
    const renderer = settings.thumbsEnabled ? findThumbnailer(extension) : undefined;
    if (!renderer || !(await mayWrite())) return null;
    const sizes = { gridPx: settings.thumbnailGridPx, previewPx: settings.thumbnailPreviewPx };
    // Kept apart from the thumbnails of files here, because an agent can claim any hash for files that are not verified.
    const contentHash = `agent ${item.content_hash ?? `${item.id} ${item.mtime_ms}`}`;
    const key = thumbKey({ contentHash, renderer: { name: renderer.name, version: renderer.version }, sizes });
    if (!(await thumbs.has(key))) {
      const copy = await fetchRemote(item, actor);
      pool ??= createSandboxPool({ size: 1, background: false, tasks: { thumb: thumbTaskModule } });
      const limits = { ...limitsFor(settings, null), timeoutSeconds: drawSeconds };
      const job = { path: copy.path, root: copy.folder, filename: item.filename, extension, size: copy.size, limits };
      const drawn = await pool.run<ThumbnailTiers | null>('thumb', job, { ...sizes, acceleration: settings.thumbAccel });
      if (!drawn.ok || drawn.result === null) return null;
      await thumbs.write(key, { grid: Buffer.from(drawn.result.grid), preview: Buffer.from(drawn.result.preview) });
    }
    await writeThumbKey(db, item.id, key);
    return key;
  }

  return (item, actor) => {
    const known = drawings.get(item.id) ?? draw(item, actor).finally(() => drawings.delete(item.id));
    drawings.set(item.id, known);
    return known;
  };
}
