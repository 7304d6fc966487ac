import { join } from 'node:path';
import type { Segment, SharedSegment, View } from '../segment/types.ts';
import { EngineError } from '../errors.ts';
import { openSegment, setDeleted, shareSegment } from '../segment/open-segment.ts';
import { readDeletes, type Manifest, readManifest } from '../store/manifest.ts';
import type { Schema } from '../types.ts';

/** What one thread tells the others of the view it has loaded. */
export interface SharedView {
  generation: number;
  schema: Schema;
  segments: SharedSegment[];
  deletes: Uint32Array[];
}

/**
 * Brings a view up to the newest manifest. Segments that both have are kept; new ones are loaded beside the old view, which goes on
 * answering until the exchange. A writer may remove a file between the reading of the manifest and the opening of the file: then
 * there is a newer manifest, and the loading starts again with that.
 */
export async function followManifest(
  directory: string,
  view: View | null,
  tell: (shared: SharedView) => void = () => undefined,
): Promise<View> {
  for (;;) {
    const manifest = await readManifest(directory);
    if (view && view.generation === manifest.generation) return view;
    const loaded: Segment[] = [];
    try {
      return await load(directory, manifest, view, loaded, tell);
    } catch (error) {
      for (const segment of loaded) segment.close();
      const newest = await readManifest(directory);
      if (newest.generation === manifest.generation) throw error;
    }
  }
}

async function load(
  directory: string,
  manifest: Manifest,
  view: View | null,
  loaded: Segment[],
  tell: (shared: SharedView) => void,
): Promise<View> {
  const segments: Segment[] = [];
  for (const entry of manifest.segments) {
    const known = view?.segments.find((segment) => segment.file === entry.file);
    if (known) segments.push(known);
    else {
      const segment = await openSegment(join(directory, entry.file), entry.bytes, manifest.schema);
      if (segment.documents !== entry.documents) {
        throw new EngineError('corrupt', `Segment ${entry.file} has another number of documents than the manifest says.`);
      }
      loaded.push(segment);
      segments.push(segment);
    }
  }
  const deletes = manifest.segments.map((entry) => readDeletes(directory, entry));
  const { generation, schema } = manifest;
  tell({ generation, schema, segments: segments.map((segment) => segment.shared), deletes });
  return exchange(view, { generation, schema, segments }, deletes);
}

/** From the first line on nothing waits: no query can see half of the exchange. */
function exchange(old: View | null, next: View, deletes: readonly Uint32Array[]): View {
  for (const [index, segment] of next.segments.entries()) setDeleted(segment, deletes[index]!);
  for (const segment of old?.segments ?? []) if (!next.segments.includes(segment)) segment.close();
  return next;
}

/** Takes over a view that another thread has loaded. */
export function adoptView(shared: SharedView, view: View | null): View {
  const segments = shared.segments.map(
    (each) => view?.segments.find((segment) => segment.shared.path === each.path) ?? shareSegment(each, shared.schema),
  );
  return exchange(view, { generation: shared.generation, schema: shared.schema, segments }, shared.deletes);
}
