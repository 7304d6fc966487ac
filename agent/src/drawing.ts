/**
 * Draws thumbnails of files that were read, and sends each to the service. A file waits in the table `undrawn` until the service has its
 * picture or refuses it, or in `undrawable` until the next scan of its root if it cannot be opened. Drawing waits until the outbox is empty,
 * because the service must know the file first.
 */
import { stat } from 'node:fs/promises';
import type { SandboxPool, ThumbnailTiers } from '@catalog/readers';
import { type Client, ServiceProblem } from './client.ts';
import type { Pace } from './pace.ts';
import type { Policy } from './policy.ts';
import type { Readers } from './readers-package.ts';
import { requireInside } from './roots.ts';
import type { Store } from './store.ts';

interface UndrawnFile {
  root: string;
  dir: string;
  name: string;
  extension: string | null;
  size: number;
  mtime_ns: string;
  content_hash: string | null;
}

/** All files wait when drawing begins, and when renderers or sizes have changed; none when it ends. */
export function startDrawing(store: Store, readers: Readers | null, { thumbs_enabled, thumb_grid_px, thumb_preview_px }: Policy): void {
  const versions = (readers?.thumbnailers ?? []).map(({ name, version }) => `${name}@${version}`).join(' ');
  const stamp = readers && thumbs_enabled ? `${thumb_grid_px} ${thumb_preview_px} ${versions}` : null;
  if (store.meta('drawing') === stamp) return;
  store.transaction(() => {
    store.run("delete from meta where key = 'drawing'");
    store.run('delete from undrawn');
    store.run('delete from undrawable');
    if (stamp === null) return;
    store.setMeta('drawing', stamp);
    store.run(
      'insert into undrawn (root, dir, name) select root, dir, name from files where symlink_target is null and content_hash is not null',
    );
  });
}

/** The bytes of a file are new, so its picture is too. */
export function awaitDrawing(store: Store, root: string, dir: string, name: string, extension: string): void {
  if (store.meta('drawing') !== null)
    store.run('insert or replace into undrawn (root, dir, name, extension) values (?, ?, ?, ?)', root, dir, name, extension);
}

/** Nothing is drawn while changes wait to be sent. */
export function hasUndrawn(store: Store): boolean {
  return store.pending() === 0 && store.get('select 1 as waits from undrawn limit 1') !== undefined;
}

/** Lower case and without the dot; compound for packed tar files, as the service has it. */
export function extensionOf(name: string): string {
  return (/\.(tar\.[a-z0-9]+|[^.]+)$/i.exec(name.slice(1))?.[1] ?? '').toLowerCase();
}

const filesAtOnce = 16;
const drawSeconds = 60;
/** The service does not know the file, has other bytes of it, or does not take the picture: the next change of the file draws it again. */
const final = [404, 409, 413, 415, 422];

interface Drawing {
  readers: Readers;
  pool: SandboxPool;
  policy: Policy;
  pace: Pace;
  signal: AbortSignal;
}

/** Draws some of the files that wait. Returns how many were done. */
export async function drawSome(store: Store, client: Client, drawing: Drawing): Promise<number> {
  const files = store.all<UndrawnFile>(
    `select u.root, u.dir, u.name, u.extension, f.size, f.mtime_ns, f.content_hash from undrawn u
      join files f on f.root = u.root and f.dir = u.dir and f.name = u.name limit ?`,
    filesAtOnce,
  );
  // What is left belongs to files that are gone.
  if (files.length === 0) store.run('delete from undrawn');
  for (const file of files) {
    await drawing.pace.turn(drawing.policy, drawing.signal);
    const started = performance.now();
    const drawn = await draw(file, drawing);
    drawing.pace.add(performance.now() - started);
    if (drawn === 'stopped') return 0;
    if (drawn !== null && drawn !== 'away') await send(client, file, drawn, drawing.signal);
    store.transaction(() => {
      if (drawn === 'away')
        store.run(
          'insert or replace into undrawable select root, dir, name, extension from undrawn where root = ? and dir = ? and name = ?',
          file.root,
          file.dir,
          file.name,
        );
      store.run('delete from undrawn where root = ? and dir = ? and name = ?', file.root, file.dir, file.name);
    });
  }
  return files.length;
}

/** Called at the end of a scan of a whole root: files that could not be opened may be there now. */
export function drawUndrawable(store: Store, root: string): void {
  store.run('insert or ignore into undrawn select root, dir, name, extension from undrawable where root = ?', root);
  store.run('delete from undrawable where root = ?', root);
}

interface Drawn extends ThumbnailTiers {
  renderer: string;
}

/** Null when the file has no picture; `away` when it cannot be opened. */
async function draw(
  { root, dir, name, size, mtime_ns, content_hash, ...file }: UndrawnFile,
  { readers, pool, policy, signal }: Drawing,
): Promise<Drawn | 'stopped' | 'away' | null> {
  const extension = file.extension ?? extensionOf(name);
  const renderer = readers.findThumbnailer(extension);
  const onDisk = await requireInside(root, dir === '' ? name : `${dir}/${name}`).catch(() => null);
  if (onDisk === null) return 'away';
  // A name that is not valid UTF-8 is drawn by the service when somebody asks for it.
  if (!renderer || content_hash === null || typeof onDisk !== 'string') return null;
  const limits = { ...readers.defaultLimits, timeoutSeconds: drawSeconds };
  const sizes = { gridPx: policy.thumb_grid_px, previewPx: policy.thumb_preview_px };
  const outcome = await pool.run<ThumbnailTiers | null>(
    'thumb',
    { path: onDisk, root, filename: name, extension, size, limits },
    sizes,
    signal,
  );
  if (!outcome.ok && outcome.unreadable) return 'away';
  if (!outcome.ok) return outcome.stopped ? 'stopped' : null;
  const now = await stat(onDisk, { bigint: true }).catch(() => null);
  if (now === null) return 'away';
  // Another file by now: its scan and its reading draw it.
  if (now.size !== BigInt(size) || String(now.mtimeNs) !== mtime_ns) return null;
  return outcome.result && { ...outcome.result, renderer: `${renderer.name}@${renderer.version}` };
}

async function send(client: Client, { root, dir, name, content_hash }: UndrawnFile, drawn: Drawn, signal: AbortSignal): Promise<void> {
  const body = {
    library_ref: root,
    rel_path: dir === '' ? name : `${dir}/${name}`,
    content_hash,
    renderer: drawn.renderer,
    grid: Buffer.from(drawn.grid).toString('base64'),
    preview: Buffer.from(drawn.preview).toString('base64'),
  };
  try {
    await client.send('POST', '/thumbs', { body, signal });
  } catch (error) {
    if (!(error instanceof ServiceProblem) || !final.includes(error.status)) throw error;
  }
}
