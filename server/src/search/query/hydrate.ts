import type { Principal } from '../../platform/principal.ts';
import type { Hit } from '@catalog/engine';
import type { Visibility } from '../../people/access/index.ts';

import type { Dependencies } from '../../platform/dependencies.ts';
import { cutSnippet, markMatches } from './highlight.ts';
import { type HitRow, readHitRows } from './hit-rows.ts';

const contentNames = ['body_text', 'ocr_text', 'archive_members', 'notes'] as const;
const none: readonly string[] = [];
/** The open service knows no persons; its one caller has this id. */
const openCallerId = '00000000-0000-0000-0000-000000000000';

export type PresentedHit = ReturnType<typeof present>;

export interface Hydrated {
  /** Only those this caller may see, in the order of the index. */
  hits: PresentedHit[];
  /** By item: how much the caller is interested in it; empty where nobody was named. */
  interest: ReadonlyMap<string, number>;
}

/** The rows behind the hits, as the database has them now and under the caller's rights. */
export async function hydrate(
  { database }: Pick<Dependencies, 'database'>,
  hits: readonly Hit[],
  visibility: Visibility,
  caller?: Principal,
): Promise<Hydrated> {
  const interest = new Map<string, number>();
  if (hits.length === 0) return { hits: [], interest };
  const rows = await readHitRows(
    database,
    hits.map((hit) => hit.id),
    {
      withText: hits.filter(({ matchedTerms }) => matchedTerms && contentNames.some((field) => field in matchedTerms)).map((hit) => hit.id),
      subject: caller ? (caller.id ?? openCallerId) : null,
    },
  );
  const shown: PresentedHit[] = [];
  for (const hit of hits) {
    const row = rows.get(hit.id);
    if (!row || !visibility.allows(row.library_id, row.rel_path, 'search_metadata')) continue;
    if (row.interest > 0) interest.set(row.id, row.interest);
    shown.push(present(hit, row, row.text !== null && visibility.allows(row.library_id, row.rel_path, 'search_content')));
  }
  return { hits: shown, interest };
}

/** Field by field: fifty of these are made for every answer, and copying what is left of a row takes ten times as long. */
function present(hit: Hit, row: HitRow, mayReadContent: boolean) {
  const terms = (field: string): readonly string[] => hit.matchedTerms?.[field] ?? none;
  return {
    id: row.id,
    library_id: row.library_id,
    rel_path: row.rel_path,
    filename: row.filename,
    extension: row.extension,
    file_category: row.file_category,
    file_group: row.file_group,
    status: row.status,
    size: row.size,
    mtime: row.mtime,
    title: row.title,
    year: row.year,
    tags: row.tags,
    duration: row.duration,
    width: row.width,
    height: row.height,
    pages: row.pages,
    has_error: row.has_error,
    has_thumb: row.thumb_version !== null,
    thumb_version: row.thumb_version,
    sidecar_of: row.sidecar_of,
    missing_since: row.missing_since,
    _geo: row.place,
    distance_m: hit.distance ?? null,
    score: hit.score,
    snippet: row.text && mayReadContent ? cutSnippet(row.text, contentNames.flatMap(terms)) : null,
    highlight: {
      title: row.title === null ? null : markMatches(row.title, terms('title')),
      filename: markMatches(row.filename, terms('filename')),
      path: terms('path').length > 0 ? markMatches(row.rel_path, terms('path')) : null,
    },
  };
}
