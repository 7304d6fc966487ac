import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Document, Query } from '../../src/types.ts';
import { withIndex } from '../temporary-index.ts';
import { type Corpus, world } from './corpora.ts';
import { cosineScore, plainVectors } from './plain-vectors.ts';
import { query } from './queries.ts';
import { withCorpus } from './with-corpus.ts';

/** Uses the same environment variables as the word tests, with a third of the cases, because each query runs the oracle three times. */
const cases = Math.ceil(Number(process.env['ENGINE_ORACLE_CASES'] ?? 1500) / 3);
const seed = Number(process.env['ENGINE_ORACLE_SEED'] ?? Date.now() % 0x7fffffff);
const queriesPerCorpus = 50;
const dimension = 6;
/** Vectors are stored in 32 bits, so scores agree to about seven digits. */
const places = 5;
const tolerance = 1e-5;

const vector = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: dimension, maxLength: dimension })
  .filter((list) => list.some((each) => each !== 0))
  .map((list) => Float32Array.from(list));

/** A corpus in which four of five documents have vectors. */
const vectorCorpus = fc
  .tuple(world, fc.boolean(), fc.array(vector, { minLength: 40, maxLength: 40, size: 'max' }))
  .map(([corpus, quantise, vectors]): Corpus => {
    let turn = 0;
    const withVector = (document: Document): Document =>
      turn++ % 5 === 4 ? document : { ...document, meaning: vectors[(turn * 7) % vectors.length]! };
    return {
      ...corpus,
      schema: { ...corpus.schema, vector: { name: 'meaning', dimension, quantise } },
      commits: corpus.commits.map(({ upserts, deletes }) => ({ upserts: upserts.map(withVector), deletes })),
    };
  });

const vectorQuery = fc.record({
  base: query,
  near: vector,
  ratio: fc.constantFrom(0.1, 0.25, 0.5, 0.9, 1),
  like: fc.option(fc.nat(), { freq: 3 }),
});

test(`nearest documents, similar documents, and mixes of words and vectors follow the rules (seed ${seed})`, {
  timeout: 3_600_000,
}, async () => {
  let compared = 0;
  let mixed = 0;
  await fc.assert(
    fc.asyncProperty(
      vectorCorpus,
      fc.array(vectorQuery, { minLength: queriesPerCorpus, maxLength: queriesPerCorpus, size: 'max' }),
      async (corpus, all) => {
        const vectors = new Map<string, Float32Array>();
        await withCorpus(corpus, async (reader, oracle, commit) => {
          const { upserts, deletes } = corpus.commits[commit]!;
          for (const { id, meaning } of upserts) {
            if (meaning) vectors.set(id, meaning as Float32Array);
            else vectors.delete(id);
          }
          for (const id of deletes) vectors.delete(id);
          const known = [...vectors.keys()];
          for (const { base, near, ratio, like } of all.filter((_, index) => index % corpus.commits.length === commit)) {
            const { text, fields, prefix, matching, filter, facets, stats, offset } = base;
            const likeId = like === null || known.length === 0 ? undefined : known[like % known.length];
            const query: Query = {
              ...{ text, fields, prefix, matching, filter, facets, stats, offset, limit: like === null ? 10 : 100 },
              ...(likeId === undefined ? { vector: { near, ratio } } : { likeId }),
            };
            const result = await reader.search(query);
            const expected = plainVectors(oracle, vectors, query);
            if (likeId === undefined && ratio < 1) mixed++;
            compared++;
            const { total, facets: counts } = result;
            expect({ query, total, counts }).toEqual({ query, total: expected.total, counts: expected.facets });
            const page = expected.ranked.slice(offset ?? 0, (offset ?? 0) + query.limit!);
            expect(
              result.hits.map(({ score }) => score.toFixed(places - 1)),
              JSON.stringify(query),
            ).toHaveLength(page.length);
            const scores = new Map(expected.ranked.map(({ id, score }) => [id, score]));
            // Documents whose scores differ by less than single precision may appear in either order.
            for (const [place, { id, score }] of result.hits.entries()) {
              expect(Math.abs(score - (scores.get(id) ?? -1)), `${id} in ${JSON.stringify(query)}`).toBeLessThan(tolerance);
              expect(Math.abs(score - page[place]!.score), `place ${place} of ${JSON.stringify(query)}`).toBeLessThan(tolerance);
            }
            expect(new Set(result.hits.map(({ id }) => id)).size).toBe(result.hits.length);
          }
        });
      },
    ),
    { numRuns: Math.ceil(cases / queriesPerCorpus), seed, endOnFailure: true },
  );
  console.log(`oracle: ${compared} vector queries compared, ${mixed} of them mixed with words, seed ${seed}`);
  expect(compared).toBeGreaterThan(0);
});

test('quantised vectors with rescoring find at least 95 of 100 true neighbours', {
  timeout: 120_000,
}, async () => {
  const width = 96;
  let state = 99;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  // Vectors form clusters as real embeddings do; uniformly random vectors have no meaningful neighbours.
  const centres = Array.from({ length: 60 }, () => Float32Array.from({ length: width }, next));
  const around = (centre: Float32Array) => centre.map((each) => each + next() * 1.5);
  const documents = Array.from({ length: 30_000 }, (_, index) => ({ id: `v${index}`, name: 'x', meaning: around(centres[index % 60]!) }));
  const schema = {
    version: 1,
    text: [{ name: 'name' }],
    keyword: [],
    number: [],
    sortable: [],
    vector: { name: 'meaning', dimension: width, quantise: true },
  };
  await withIndex(schema, documents, async ({ reader }) => {
    let found = 0;
    const vectors = Array.from({ length: 50 }, (_, index) => around(centres[index]!));
    for (const near of vectors) {
      const scored = documents.map(({ id, meaning }) => ({ id, score: cosineScore(near, meaning) })).sort((a, b) => b.score - a.score);
      const nearest = new Set(scored.slice(0, 10).map(({ id }) => id));
      const { hits } = await reader.search({ vector: { near, ratio: 1 }, limit: 10 });
      found += hits.filter(({ id }) => nearest.has(id)).length;
    }
    const recall = found / (vectors.length * 10);
    console.log(`quantised vectors: recall at 10 of ${recall} over ${documents.length} vectors of ${width}`);
    expect(recall).toBeGreaterThanOrEqual(0.95);
  });
});
