import { patchItems } from '../../api/catalog.ts';
import type { ItemPatch, SearchHit } from '../../api/types.ts';

/** The service takes at most this many files in one request. */
const BATCH = 500;

async function inBatches(patches: [string, ItemPatch][]): Promise<void> {
  for (let i = 0; i < patches.length; i += BATCH) await patchItems(Object.fromEntries(patches.slice(i, i + BATCH)));
}

export interface BulkChange {
  apply: () => Promise<void>;
  undo: () => Promise<void>;
}

/** Adds one tag to many files; undo gives each file exactly the tags it had. */
export function addTag(hits: SearchHit[], tag: string): BulkChange {
  const before = hits.map((hit): [string, string[]] => [hit.id, hit.tags ?? []]);
  return {
    apply: () => inBatches(before.map(([id, tags]) => [id, { tags: tags.includes(tag) ? tags : [...tags, tag] }])),
    undo: () => inBatches(before.map(([id, tags]) => [id, { tags }])),
  };
}

/** Writes the same note on many files. */
export function setNote(hits: SearchHit[], note: string, before: Map<string, string>): BulkChange {
  return {
    apply: () => inBatches(hits.map((hit) => [hit.id, { user_metadata: { note } }])),
    undo: () => inBatches(hits.map((hit) => [hit.id, { user_metadata: { note: before.get(hit.id) ?? '' } }])),
  };
}

const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The chosen files as a table for a spreadsheet. */
export function listAsCsv(hits: SearchHit[], libraryName: (id: string) => string): string {
  const rows = hits.map((hit) => [
    libraryName(hit.library_id),
    hit.rel_path,
    String(hit.size),
    new Date(typeof hit.mtime === 'number' ? hit.mtime * 1000 : hit.mtime).toISOString(),
    hit.file_category ?? '',
    (hit.tags ?? []).join('; '),
  ]);
  return [['library', 'path', 'size', 'modified', 'kind', 'tags'], ...rows].map((row) => row.map(quote).join(',')).join('\r\n');
}

export function download(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
