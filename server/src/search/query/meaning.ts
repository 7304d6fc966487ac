import type { Query } from '@catalog/engine';
import { type Embedder, EmbedderUnavailable } from '../../content/embeddings/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { isEnabled } from '../../settings/index.ts';
import { indexedModel } from '../documents/index.ts';
import type { Partition } from './partitions.ts';
import type { SearchParams } from './schemas.ts';

/** Whether meaning counted, and if not, why. */
export interface MeaningReport {
  applied: boolean;
  detail: string | null;
}

/** `passing` means that the same search may be answered by meaning soon. */
interface Mixed {
  query: Query;
  report: MeaningReport | null;
  passing?: boolean;
}

export interface Meaning {
  /** Adds the vector of the words to a query as `semantic` asks. A model that is out of reach leaves a search by words. */
  mix(query: Query, params: SearchParams, partitions: readonly Partition[]): Promise<Mixed>;
  /** The same for a query of the passage index, all of whose hits are content that the caller may read. */
  mixPassages(query: Query, ratio: number): Promise<Mixed>;
}

/** Vectors of recent queries: pages of results and changes of filters repeat the words. */
const rememberedQueries = 256;
/** People wait for the answer. The model of a busy machine may take longer; its vector is then ready for the next try. */
const patienceMs = 5000;

export function createMeaning(
  { db, log, settings }: Pick<Dependencies, 'db' | 'log' | 'settings'>,
  embedder: Embedder,
  waitMs = patienceMs,
): Meaning {
  const remembered = new Map<string, Promise<Float32Array>>();
  const vectorOf = (words: string): Promise<Float32Array> => {
    const known = remembered.get(words);
    const vector = known ?? embedder.embed([words], 'query').then(([first]) => first as Float32Array);
    remembered.delete(words);
    remembered.set(words, vector);
    if (!known) vector.catch(() => remembered.delete(words));
    if (remembered.size > rememberedQueries) remembered.delete(remembered.keys().next().value as string);
    return vector;
  };
  const withVector = async (query: Query, ratio: number, index: 'items' | 'passages'): ReturnType<Meaning['mix']> => {
    const without = (detail: string) => ({ query, report: { applied: false, detail }, passing: true });
    const words = spokenWords(query.text ?? '');
    if (ratio === 0 || words === '') return { query, report: null };
    if (!isEnabled(settings, 'SVC_SEMANTIC_ENABLED')) return { ...without('Search by meaning is off.'), passing: false };
    try {
      const { fingerprint } = await withPatience(embedder.model(), waitMs);
      if ((await indexedModel(db, index)) !== fingerprint)
        return without('The index has no vectors of the current model yet. They are added in the background.');
      return {
        query: { ...query, vector: { near: await withPatience(vectorOf(words), waitMs), ratio } },
        report: { applied: true, detail: null },
      };
    } catch (error) {
      if (!(error instanceof EmbedderUnavailable)) throw error;
      log.warning('A search by meaning was answered by words only.', { error });
      return without('The embedding model is not available, so the results are by words only. Try again shortly.');
    }
  };
  return {
    async mix(query, { semantic: ratio = 0 }, partitions) {
      const without = (detail: string) => ({ query, report: { applied: false, detail } });
      if (ratio === 0 || spokenWords(query.text ?? '') === '') return { query, report: null };
      if ((query.sort ?? []).length > 0) return without('The results are sorted by a field. Sort by relevance to search by meaning.');
      if (partitions.every(({ fields }) => fields !== null))
        return without('Meaning covers names and content together. Search in all fields, of files whose content you may read.');
      return withVector(query, ratio, 'items');
    },
    mixPassages: (query, ratio) => withVector(query, ratio, 'passages'),
  };
}

/** What a person would say: without quotes and excluded words. */
function spokenWords(text: string): string {
  return text
    .replace(/(^|\s)-("[^"]*"?|\S+)/g, ' ')
    .replaceAll('"', ' ')
    .trim();
}

function withPatience<T>(work: Promise<T>, waitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new EmbedderUnavailable(`The embedding model took longer than ${waitMs / 1000} s.`)), waitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
