import type { Filter, Hit } from '@catalog/engine';
import { sql } from 'kysely';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { isEnabled } from '../../settings/index.ts';
import { indexedModel } from '../documents/index.ts';
import type { SearchReader } from '../engines/index.ts';
import { countMatches, hydrate, type Partition, partitionsFor, scopeFilter, searchIndex, searchPartition } from '../query/index.ts';

/**
 * Finds similar items by vector, if the index has one of the item and the caller may read its content, which the vector is made from.
 * Otherwise each describing term is searched separately and weighted by its rarity; an item scores by the fraction of the total weight it
 * matches. While the index takes over a change of the item, the answer is provisional.
 */
export async function similarTo(deps: Dependencies, reader: SearchReader, principal: Principal, id: string, limit: number) {
  const { db, settings } = deps;
  const visibility = await visibilityOf(db, principal);
  const item = await describe(deps, visibility, id);
  const shown: Filter = { and: [{ eq: ['status', 'active'] }, { eq: ['is_sidecar', 'false'] }] };
  const comparable = item.readable && !item.pending && (await hasVector(deps, id));
  const near = comparable ? await byMeaning(deps, reader, visibility, shown, id, limit) : null;
  const pending = item.pending || item.behind || (comparable && near === null);
  const partitions = partitionsFor(visibility, { hasWords: true, ceiling: settings.searchScopeFilterCeiling });
  const hits = near ?? (await byWords(reader, partitions, { ...item, pending }, shown, id));
  const { hits: rows } = await hydrate(deps, hits.slice(0, limit), visibility, principal);
  return {
    id,
    by: near ? ('meaning' as const) : ('words' as const),
    pending,
    hits: rows.map((hit) => ({ ...hit, similarity: hit.score })),
  };
}

/** Whether the index has a vector of the item; false while search by meaning is off. */
async function hasVector({ db, settings }: Dependencies, id: string): Promise<boolean> {
  if (!isEnabled(settings, 'SVC_SEMANTIC_ENABLED')) return false;
  const { rows } = await sql`select from item_vectors v join embedding_models m on m.id = v.model_id
    where v.item_id = ${id} and m.fingerprint = ${await indexedModel(db)}`.execute(db);
  return rows.length > 0;
}

/** Items whose content the caller may not read take no part: their vectors would reveal what they are about. */
async function byMeaning(
  { settings }: Dependencies,
  reader: SearchReader,
  visibility: Visibility,
  shown: Filter,
  id: string,
  limit: number,
): Promise<Hit[] | null> {
  const scopes = (['search_metadata', 'search_content'] as const).flatMap((action) => {
    const scope = scopeFilter(visibility, settings.searchScopeFilterCeiling, action);
    return scope ? [scope] : [];
  });
  try {
    return (await searchIndex(reader, { likeId: id, filter: { and: [shown, ...scopes] }, limit })).hits;
  } catch (error) {
    // The index does not have the vector yet, or lost it a moment ago because the item changed; words still describe it.
    if ((error as { code?: string }).code === 'query_invalid') return null;
    throw error;
  }
}

/** While more changes than these wait for the index, every answer is provisional. */
const searchedChanges = 1000;

async function describe({ db }: Dependencies, visibility: Visibility, id: string): Promise<Describable> {
  const { rows } = await sql<
    Omit<Describable, 'readable'> & { library_id: string; rel_path: string }
  >`select coalesce(i.user_title, i.title) as title, i.filename, i.extension, i.tags, i.library_id, i.rel_path, i.body_text as body,
      array_remove(array[i.metadata ->> 'artist', i.metadata ->> 'album', i.metadata ->> 'author'], null) as names,
      coalesce(o.has_item, false) as pending, o.changes > ${searchedChanges} as behind
    from items i cross join (select count(*) as changes, bool_or(c.item_id = ${id}) as has_item
      from (select item_id from index_outbox order by seq limit ${searchedChanges + 1}) c) o
    where i.id = ${id} and ${visibility.whereItem('i')}`.execute(db);
  const item = rows[0];
  if (!item) throw notFound('item');
  const readable = visibility.allows(item.library_id, item.rel_path, 'search_content');
  return { ...item, readable, body: readable ? item.body : null };
}

async function byWords(
  reader: SearchReader,
  partitions: readonly Partition[],
  item: Describable,
  filter: Filter,
  id: string,
): Promise<Hit[]> {
  const terms = describingTerms(item);
  if (terms.length === 0) {
    // A vector or a text may come with the change.
    if (item.pending) return [];
    throw problem('similar_unavailable');
  }
  const all = await countMatches(reader, partitions, { filter });
  const scores = new Map<string, number>();
  let totalWeight = 0;
  for (const term of terms) {
    // Quotes match exactly this word, without typos.
    const results = await Promise.all(
      partitions.map((partition) => searchPartition(reader, partition, { text: `"${term}"`, filter, limit: 100 })),
    );
    const weight = Math.log(1 + all / (1 + results.reduce((sum, { total }) => sum + total, 0)));
    totalWeight += weight;
    for (const hit of results.flatMap(({ hits }) => hits)) if (hit.id !== id) scores.set(hit.id, (scores.get(hit.id) ?? 0) + weight);
  }
  return [...scores]
    .map(([each, score]) => ({ id: each, score: Math.min(1, score / totalWeight) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Words too common to describe an item, in English, German, French and Spanish. */
const stopWords = new Set(
  'about after also because been before being between both could does down each even from have here into just like made make many more most much must only other over same should some such than that their them then there these they this those through under very were what when where which while will with would your und der die das mit von für nicht les des une pour dans avec para con los las del'.split(
    ' ',
  ),
);

const maxTerms = 12;

interface Describable {
  title: string | null;
  filename: string;
  extension: string | null;
  tags: readonly string[];
  names: readonly string[];
  /** Whether the index does not know the latest change of the item yet. */
  pending: boolean;
  /** Whether the index has so many changes to take over that it may lack this one. */
  behind: boolean;
  /** Whether the caller may read content. */
  readable: boolean;
  /** Null when the caller may not read content. */
  body: string | null;
}

/** The words that describe an item: those of its names first, then the most frequent of its text. */
function describingTerms({ title, filename, extension, tags, names, body }: Describable): string[] {
  const stem = extension ? filename.slice(0, -(extension.length + 1)) : filename;
  const named = [title ?? '', stem, ...tags, ...names].flatMap(wordsOf).filter((word) => word.length >= 3 && !/^\d{1,3}$/.test(word));
  const counts = new Map<string, number>();
  for (const word of wordsOf((body ?? '').slice(0, 200_000)))
    if (word.length >= 4 && !stopWords.has(word) && !/^\d+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const repeated = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
  return [...new Set([...named.filter((word) => !stopWords.has(word)).slice(0, 8), ...repeated])].slice(0, maxTerms);
}

function wordsOf(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}]+|\d{4,}/gu) ?? []
  );
}
