import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noMeilisearch, withMeilisearch } from './meilisearch/server.ts';
import { installedFiles } from './relevance/corpus.ts';
import { makeQuestions, type Question, type QuestionKind, questionKinds, questionsPerKind } from './relevance/questions.ts';
import { openEngine, openFts5, openMeilisearch, type SearchSystem } from './relevance/systems.ts';
import type { Bench, Row } from './row.ts';

/** The share of questions whose file must come first. */
const limits: Partial<Record<QuestionKind, number>> = {
  'all words': 0.97,
  'last word cut': 0.93,
  'one typo': 0.9,
  'words shuffled': 0.96,
  'folder + two words': 0.4,
};

interface Quality {
  /** The share of questions whose file is the first hit, or among the first ten. */
  top1: number;
  top10: number;
  /** The mean of 1 / place, 0 behind the tenth place. */
  mrr: number;
}

/**
 * Looks for known files: questions made by rule from the names of files of the installed Debian packages, put to the engine, SQLite FTS5 and,
 * if it is installed, Meilisearch.
 */
const bench: Bench = async ({ scale }) => {
  const files = installedFiles();
  if (files.length === 0) return { rows: [], notes: ['No installed Debian packages were found, so there are no file names to ask for.'] };
  const questions = makeQuestions(files, Math.max(10, Math.round(questionsPerKind * scale)));
  const folder = await mkdtemp(join(tmpdir(), 'bench-relevance-'));
  try {
    const own = await answer(await openEngine(files, folder), questions);
    const fts5 = await answer(await openFts5(files, folder), questions);
    const meilisearch = await withMeilisearch(async (call) => answer(await openMeilisearch(files, call), questions));
    const notes = [
      `${questions.length.toLocaleString('en')} questions about ${files.length.toLocaleString('en')} file names of this machine's packages`,
      ...(meilisearch === null ? [`Meilisearch was not measured: ${noMeilisearch}`] : []),
    ];
    return { rows: questionKinds.map((kind) => row(kind, own[kind], fts5[kind], meilisearch?.[kind], scale === 1)), notes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

async function answer(system: SearchSystem, questions: readonly Question[]): Promise<Record<QuestionKind, Quality>> {
  try {
    const places = new Map<Question, number>();
    for (const question of questions) places.set(question, (await system.search(question.text)).indexOf(question.wanted) + 1);
    const qualityOf = (kind: QuestionKind): Quality => {
      const own = questions.filter((question) => question.kind === kind).map((question) => places.get(question) ?? 0);
      const mean = (value: (place: number) => number) => own.reduce((sum, place) => sum + value(place), 0) / Math.max(1, own.length);
      return {
        top1: mean((place) => (place === 1 ? 1 : 0)),
        top10: mean((place) => (place > 0 ? 1 : 0)),
        mrr: mean((place) => (place > 0 ? 1 / place : 0)),
      };
    };
    return Object.fromEntries(questionKinds.map((kind) => [kind, qualityOf(kind)])) as Record<QuestionKind, Quality>;
  } finally {
    await system.close();
  }
}

/** Limits apply at scale 1; with fewer questions the figures vary too much. */
function row(kind: QuestionKind, own: Quality, fts5: Quality, meilisearch: Quality | undefined, limitsApply: boolean): Row {
  const limit = limits[kind] ?? 0;
  const peers = [...(meilisearch === undefined ? [] : [{ name: 'Meilisearch', quality: meilisearch }]), { name: 'FTS5', quality: fts5 }];
  const first = peers[0]?.quality.top1 ?? 0;
  return {
    name: `${kind}, top 1`,
    value: rounded(own.top1),
    unit: '',
    peer: peers.map(({ name, quality }) => `${name} ${rounded(quality.top1)}`).join(', '),
    ratio: first === 0 ? null : rounded(own.top1 / first),
    limit: `>= ${limit}`,
    ok: !limitsApply || own.top1 >= limit,
    detail: [{ name: 'engine', quality: own }, ...peers]
      .map(({ name, quality }) => `${name} top 10 ${rounded(quality.top10)}, MRR@10 ${rounded(quality.mrr)}`)
      .join('; '),
  };
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;

export default bench;
