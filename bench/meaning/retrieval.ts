// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the list it is used on
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createIndex, openReader, openWriter, type Query, type Schema } from '../../engine/src/index.ts';
import { createLocalEmbedder } from '../../server/src/content/embeddings/local/index.ts';
import type { Row } from '../row.ts';

const lists = '/var/lib/apt/lists';
const wantedPassages = 2400;
const wantedQuestions = 240;
const ratio = 0.5;
const smallestFullScale = 0.01;

interface Passage {
  id: string;
  text: string;
  /** The program that it describes; all passages of that program answer its question. */
  program: string;
}

/**
 * Questions are the summaries of programs in Debian's catalog of software ("Edit photos and drawings"), passages the paragraphs of their
 * descriptions. The catalog is part of the package lists that `apt-get update` fetches when `appstream` is installed.
 */
export async function measureRetrieval(folder: string, scale: number): Promise<{ rows: Row[]; notes: string[] }> {
  const programs = await readPrograms();
  // Embedding the whole set takes minutes; fewer questions say little.
  const isFull = scale >= smallestFullScale;
  const passages: Passage[] = programs
    .flatMap(({ id, paragraphs }) => paragraphs.map((text, at) => ({ id: `${id}#${at}`, text, program: id })))
    .slice(0, isFull ? wantedPassages : 200);
  const known = new Map(Map.groupBy(passages, ({ program }) => program));
  const questions = programs.filter(({ id }) => known.has(id)).slice(0, isFull ? wantedQuestions : 20);
  if (questions.length < 20)
    return {
      rows: [],
      notes: [`Retrieval was not measured: there is no software catalog in ${lists}. Install appstream and run apt-get update.`],
    };
  const embedder = createLocalEmbedder({ name: path.basename(folder), folder: async () => folder, threads: 2, lowPriority: false });
  const { dimension } = await embedder.model();
  const schema: Schema = {
    version: 1,
    text: [{ name: 'text' }],
    keyword: [],
    number: [],
    sortable: [],
    vector: { name: 'meaning', dimension },
  };
  const directory = path.join(await mkdtemp(path.join(tmpdir(), 'bench-retrieval-')), 'index');
  try {
    await createIndex(directory, schema);
    const writer = await openWriter(directory, schema);
    const vectors = await embedder.embed(
      passages.map(({ text }) => text),
      'passage',
    );
    await writer.upsert(passages.map(({ id, text }, at) => ({ id, text, meaning: vectors[at]! })));
    await writer.commit();
    await writer.close();
    const asked = await embedder.embed(
      questions.map(({ summary }) => summary),
      'query',
    );
    const reader = await openReader(directory);
    const quality = async (make: (text: string, near: Float32Array) => Query): Promise<number> => {
      let sum = 0;
      for (const [at, { id, summary }] of questions.entries()) {
        const { hits } = await reader.search({ ...make(summary, asked[at]!), limit: 10 });
        const relevant = new Set(known.get(id)!.map((passage) => passage.id));
        sum += gain(hits.map((hit) => relevant.has(hit.id))) / gain(Array.from({ length: Math.min(10, relevant.size) }, () => true));
      }
      return Math.round((sum / questions.length) * 1000) / 1000;
    };
    // The service requires all words. A question has many, so words alone are also measured without the last ones.
    const allWords = await quality((text) => ({ text }));
    const someWords = await quality((text) => ({ text, matching: 'last' }));
    const words = Math.max(allWords, someWords);
    const vector = await quality((_text, near) => ({ vector: { near, ratio: 1 } }));
    const hybrid = await quality((text, near) => ({ text, vector: { near, ratio } }));
    await reader.close();
    const row: Row = {
      name: `retrieval, words and meaning, nDCG@10`,
      value: hybrid,
      unit: '',
      peer: `words ${words}, meaning ${vector}`,
      ratio: Math.round((hybrid / Math.max(words, vector)) * 1000) / 1000,
      limit: '≥ words and ≥ meaning',
      ok: hybrid >= words && hybrid >= vector,
      detail: `ratio ${ratio}; words alone ${allWords} with all of them, ${someWords} with the first ones`,
    };
    return { rows: [row], notes: [`${questions.length} questions, ${passages.length} passages of Debian's software catalog`] };
  } finally {
    await embedder.close();
    await rm(path.dirname(directory), { recursive: true, force: true });
  }
}

/** The gain of a list, discounted by place. */
function gain(relevant: readonly boolean[]): number {
  return relevant.reduce((sum, each, place) => sum + (each ? 1 / Math.log2(place + 2) : 0), 0);
}

interface Program {
  id: string;
  summary: string;
  paragraphs: string[];
}

async function readPrograms(): Promise<Program[]> {
  const names = await readdir(lists).catch(() => [] as string[]);
  const file = names.find((name) => /dep11_Components-\w+\.yml\.gz$/.test(name));
  if (!file) return [];
  const text = execFileSync('zcat', [path.join(lists, file)], { maxBuffer: 1_000_000_000, encoding: 'utf8' });
  const seen = new Set<string>();
  return text.split('\n---\n').flatMap((part) => {
    const id = /^ID: (.+)$/m.exec(part)?.[1];
    const summary = original(part, 'Summary');
    const description = original(part, 'Description');
    if (!id || !summary || !description || summary.split(' ').length < 3 || seen.has(summary)) return [];
    seen.add(summary);
    const paragraphs = description
      .split(/<\/?(?:p|ul|ol)>/)
      .map((each) =>
        each
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((each) => each.length >= 80);
    return paragraphs.length > 0 ? [{ id, summary, paragraphs }] : [];
  });
}

/** The value of the language C in a block of translations; long values continue on indented lines. */
function original(part: string, field: string): string | null {
  const block = new RegExp(`^${field}:\\n((?: .*\\n|\\n)*)`, 'm').exec(`${part}\n`)?.[1];
  const lines = block?.split('\n') ?? [];
  const at = lines.findIndex((line) => line.startsWith('  C: '));
  if (at < 0) return null;
  const more: string[] = [];
  for (let next = at + 1; next < lines.length && (lines[next]!.startsWith('   ') || lines[next] === ''); next++)
    more.push(lines[next]!.trim());
  return [lines[at]!.slice(5).replace(/^[>|]-?$/, ''), ...more]
    .join(' ')
    .replace(/^['"]|['"]$/g, '')
    .replaceAll("''", "'")
    .trim();
}
