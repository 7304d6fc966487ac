import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIndex, listShadows, openReader, openWriter, removeShadow } from '../../src/index.ts';
import type { Query } from '../../src/types.ts';
import { createOracle } from '../oracle/oracle.ts';
import { schema, stateAfter } from './steps.ts';

/** ENGINE_CRASHES sets the number of kills; ENGINE_CRASH_SEED repeats their timing. */
const crashes = Number(process.env['ENGINE_CRASHES'] ?? 20);
const seed = Number(process.env['ENGINE_CRASH_SEED'] ?? Date.now() % 1_000_000);

const queries: Query[] = [
  { limit: 1000, facets: ['kind', 'tags'], stats: ['size'] },
  { text: 'report', limit: 1000 },
  { text: 'annual budgte', matching: 'last', limit: 1000 },
  { text: '"annual report" -photo', limit: 1000 },
  { filter: { scope: ['a/3', 'a/5/1'] }, sort: [{ field: 'title', order: 'asc' }], limit: 1000 },
  { text: 'port', sort: [{ geo: { lat: 1, lng: 2 }, order: 'asc' }], limit: 1000 },
];

/** Starts the writing process, kills it after a delay, and returns the last steps it had finished and begun. */
async function writeAndKill(directory: string, last: number, afterMs: number): Promise<{ done: number; begun: number }> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'writing-process.ts'), directory, String(last)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The compile cache shortens process start, which takes most of the time.
    env: { ...process.env, NODE_COMPILE_CACHE: join(directory, '..', 'compiled') },
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The writing process ended early: ${output}`)));
  });
  await ready;
  await sleep(afterMs);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
  const largest = (what: string) =>
    Math.max(last, ...[...output.matchAll(new RegExp(`${what} (\\d+)`, 'g'))].map((match) => Number(match[1])));
  return { done: largest('done'), begun: largest('begin') };
}

async function checkState(directory: string, done: number, begun: number): Promise<number> {
  const reader = await openReader(directory);
  try {
    const listed: { id: string; fingerprint: string }[] = [];
    for await (const page of reader.list()) listed.push(...page);
    const step = Number(listed.find(({ id }) => id === 'step')?.fingerprint ?? 0);
    expect(step, `the index is at step ${step}, the writer had finished ${done}`).toBeGreaterThanOrEqual(done);
    expect(step).toBeLessThanOrEqual(begun);
    const state = stateAfter(step);
    const oracle = createOracle(schema);
    for (const document of state.values()) oracle.upsert(document);
    expect(listed).toEqual(oracle.ids().map((id) => ({ id, fingerprint: state.get(id)!.fingerprint })));
    for (const query of queries) {
      const { total, hits, facets, stats } = await reader.search(query);
      const expected = oracle.search(query);
      expect({ query, total, hits: hits.map(({ id }) => id), facets, stats }).toEqual({
        query,
        total: expected.total,
        hits: expected.hits.map(({ id }) => id),
        facets: expected.facets,
        stats: expected.stats,
      });
    }
    return step;
  } finally {
    await reader.close();
  }
}

test(`a writer killed at any moment leaves the last committed state (${crashes} kills, seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const parent = await mkdtemp(join(tmpdir(), 'engine-crash-'));
  const directory = join(parent, 'index');
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  let step = 0;
  let unfinished = 0;
  try {
    await createIndex(directory, schema);
    for (let crash = 0; crash < crashes; crash++) {
      const { done, begun } = await writeAndKill(directory, step, random(50) ** 2);
      if (begun > done) unfinished++;
      step = await checkState(directory, done, begun);
    }
    for (const { path } of await listShadows(directory)) await removeShadow(path);
    const writer = await openWriter(directory, schema);
    await writer.compact();
    await writer.close();
    await checkState(directory, step, step);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
  console.log(`crash: ${crashes} kills, ${unfinished} of them inside a step, ${step} steps committed, seed ${seed}`);
  expect(step).toBeGreaterThan(0);
});
