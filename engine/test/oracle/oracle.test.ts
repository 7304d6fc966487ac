import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Query, Schema, SearchResult } from '../../src/types.ts';
import { latitudes, longitudes, nearBorders, radii, world } from './corpora.ts';
import { query } from './queries.ts';
import { withCorpus } from './with-corpus.ts';

/**
 * Compares the engine with the oracle: random corpora written in several commits, random queries, and every visible part of the result.
 * ENGINE_ORACLE_CASES sets the number of queries, ENGINE_ORACLE_SEED repeats a run.
 */
const cases = Number(process.env['ENGINE_ORACLE_CASES'] ?? 1500);
const seed = Number(process.env['ENGINE_ORACLE_SEED'] ?? Date.now() % 0x7fffffff);
const queriesPerCorpus = cases > 5000 ? 250 : 100;

const formatTerms = (terms: Record<string, string[]> | undefined) =>
  Object.entries(terms ?? {})
    .map(([field, list]) => `${field}: ${[...list].sort().join(' ')}`)
    .sort()
    .join('; ');

/** Scores are compared to nine decimal places; min and max are ignored when there are no values. */
function format(result: Pick<SearchResult, 'total' | 'hits' | 'facets' | 'stats' | 'histograms'>) {
  const stats = Object.entries(result.stats).map(([field, { min, max, sum, count }]) => [
    field,
    count === 0 ? { count } : { min, max, sum, count },
  ]);
  return {
    total: result.total,
    hits: result.hits.map(({ id, score, matchedTerms }) => `${id} ${score.toFixed(9)} ${formatTerms(matchedTerms)}`),
    facets: result.facets,
    stats: Object.fromEntries(stats),
    histograms: result.histograms,
  };
}

test(`the engine follows the rules (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  let compared = 0;
  let withHits = 0;
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(query, { minLength: queriesPerCorpus, maxLength: queriesPerCorpus, size: 'max' }),
      async (corpus, queries) => {
        await withCorpus(corpus, async (reader, oracle, commit) => {
          for (const query of queries.filter((_, index) => index % corpus.commits.length === commit)) {
            const result = await reader.search(query);
            const expected = format(oracle.search(query));
            if (expected.total > 0) withHits++;
            compared++;
            expect({ query, ...format(result) }).toEqual({ query, ...expected });
          }
        });
      },
    ),
    { numRuns: Math.ceil(cases / queriesPerCorpus), seed, endOnFailure: true },
  );
  console.log(`oracle: ${compared} queries compared, ${withHits} of them with hits, seed ${seed}`);
  expect(withHits).toBeGreaterThan(compared / 4);
});

test('a radius contains the points one per cent inside it, and none one per cent outside', async () => {
  const upserts = nearBorders.map((place, index) => ({ id: `p${index}`, place, where: 'a' }));
  const schema: Schema = { version: 1, text: [], keyword: [], number: [], sortable: [], geo: 'place', scope: 'where' };
  const corpus = { schema, commits: [{ upserts, deletes: [] }], compacted: false, smallCell: 200, divided: false, tight: false };
  await withCorpus(corpus, async (reader, oracle) => {
    for (const metres of radii) {
      for (const centre of latitudes.flatMap((lat) => longitudes.map((lng) => ({ lat, lng })))) {
        const query: Query = { filter: { geoRadius: { ...centre, metres } }, limit: 500 };
        const ids = (await reader.search(query)).hits.map(({ id }) => id);
        expect({ query, ids }).toEqual({ query, ids: oracle.search(query).hits.map(({ id }) => id) });
      }
    }
  });
});

test(`pages by cursor add up to the whole result, and the listing contains every document once (seed ${seed})`, {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(query, { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      async (corpus, queries, size) => {
        await withCorpus(corpus, async (reader, oracle, _commit, last) => {
          if (!last) return;
          for (const query of queries) {
            const paged: Query = { ...query, offset: undefined, limit: size };
            const ids: string[] = [];
            let after: string | null = null;
            do {
              const page: SearchResult = await reader.search(after === null ? paged : { ...paged, after });
              ids.push(...page.hits.map(({ id }) => id));
              after = page.after;
            } while (after !== null && ids.length < 200);
            expect({ query, ids }).toEqual({ query, ids: oracle.search({ ...paged, limit: 200 }).hits.map(({ id }) => id) });
          }
          const listed: string[] = [];
          for await (const page of reader.list()) listed.push(...page.map(({ id }) => id));
          expect(listed).toEqual(oracle.ids());
        });
      },
    ),
    { numRuns: Math.ceil(cases / 150), seed, endOnFailure: true },
  );
});
