import type { Hit } from '@catalog/engine';
import type { Visibility } from '../../people/access/index.ts';
import type { Principal } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { cutSnippet, markMatches } from './highlight.ts';
import { type HitRow, readHitRows } from './hit-rows.ts';

const contentNames = ['body_text', 'ocr_text', 'archive_members', 'notes'] as const;
const none: readonly string[] = [];
/** The open service knows no persons; its one caller has this id. */
const nobody = '00000000-0000-0000-0000-000000000000';

export type ShownHit = ReturnType<typeof present>;

export interface Hydrated {
  /** Only those this caller may see, in the order of the index. */
  hits: ShownHit[];
  /** By item: how much the caller is interested in it; empty where nobody was named. */
  interest: ReadonlyMap<string, number>;
}

/** The rows behind the hits, as the database has them now and under the caller's rights. */
export async function hydrate(
  { database }: Pick<Parts, 'database'>,
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
      subject: caller ? (caller.id ?? nobody) : null,
    },
  );
  const shown: ShownHit[] = [];
  for (const hit of hits) {
    const row = rows.get(hit.id);
    if (!row || !visibility.allows(row.library_id, row.rel_path, 'search_metadata')) continue;
    if (row.interest > 0) interest.set(row.id, row.interest);
    shown.push(present(hit, row, row.text !== null && visibility.allows(row.library_id, row.rel_path, 'search_content')));
  }
  return { hits: shown, interest };
}

function present(hit: Hit, { interest: _, place, text, ...row }: HitRow, mayReadContent: boolean) {
  const terms = (field: string): readonly string[] => hit.matchedTerms?.[field] ?? none;
  return {
    ...row,
    has_thumb: row.thumb_version !== null,
    _geo: place,
    distance_m: hit.distance ?? null,
    score: hit.score,
    snippet: text && mayReadContent ? cutSnippet(text, contentNames.flatMap(terms)) : null,
    highlight: {
      title: row.title === null ? null : markMatches(row.title, terms('title')),
      filename: markMatches(row.filename, terms('filename')),
      path: terms('path').length > 0 ? markMatches(row.rel_path, terms('path')) : null,
    },
  };
}
