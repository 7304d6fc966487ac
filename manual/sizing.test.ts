import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coefficientsFrom, publishedCoefficients } from '../bench/simulation/coefficients.ts';
import { simulate } from '../bench/simulation/network.ts';

const stage = (name: string, servers: number, seconds: number, queue = 10) => ({ name, servers, seconds: () => seconds, queue });

test('the simulated time is that of the slowest stage plus the way of one batch', () => {
  const { seconds, finished, stages } = simulate([stage('fast', 2, 1), stage('slow', 1, 2), stage('last', 4, 1)], 100);
  expect(finished).toBe(100);
  // The first batch reaches the slow stage after 1 s, 100 batches take 200 s there, and the last one takes 1 s more.
  expect(seconds).toBe(202);
  expect(stages[1]?.busy).toBeCloseTo(200 / 202);
});

test('a stage whose successor is full waits for it instead of piling up work', () => {
  const { stages } = simulate([stage('fast', 4, 1), stage('slow', 1, 3, 5)], 200);
  expect(stages[1]?.longestQueue).toBeLessThanOrEqual(5);
  expect(stages[0]?.blocked).toBeGreaterThan(0.8);
});

test('the coefficients come from rows of a benchmark report, and missing rows are named', () => {
  expect(() => coefficientsFrom({ scale: 1, cores: 2, rows: [] })).toThrow(/scanSeconds \(npm run bench -- scan --json\)/);
});

test('the calculator uses coefficients that the manual publishes', () => {
  const published = publishedCoefficients();
  const script = readFileSync(new URL('./sizing.js', import.meta.url), 'utf8');
  const used = [...script.matchAll(/costs\.(\w+)\.value/g)].map(([, name]) => name as keyof typeof published);
  expect(used.length).toBeGreaterThan(5);
  for (const name of used) expect(published[name].value).toBeGreaterThan(0);
});
