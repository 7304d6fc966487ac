import type { Document, Schema } from '../../src/types.ts';

/** The steps of the writer. Step i is the same in every process, so the number of the last step determines the state. */
export const schema: Schema = {
  version: 1,
  text: [{ name: 'name', infix: true }, { name: 'body' }],
  keyword: [{ name: 'kind' }, { name: 'tags', multi: true }],
  number: ['size'],
  sortable: ['title'],
  geo: 'place',
  scope: 'where',
};

interface Step {
  upserts: Document[];
  deletes: string[];
  /** How the step becomes visible: a commit, a commit with compaction, or a shadow swap. */
  how: 'commit' | 'compact' | 'swap';
}

const words = ['report', 'annual', 'budget', 'invoice', 'photo', 'beach', 'summer', 'contract', 'draft', 'final'];

/** A deterministic pseudo-random generator. */
function numbers(seed: number): (below: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

export function stepAt(index: number): Step {
  const below = numbers(index);
  const some = (most: number) => Array.from({ length: 1 + below(most) }, () => words[below(words.length)]!);
  const upserts = new Map<string, Document>();
  for (let left = 5 + below(40); left > 0; left--) {
    const id = `d${below(400)}`;
    upserts.set(id, {
      id,
      fingerprint: `${index}`,
      name: some(4).join('_'),
      body: some(30).join(' '),
      kind: `k${below(5)}`,
      tags: some(3),
      size: below(1000),
      title: some(2).join(' '),
      place: { lat: below(180) - 90, lng: below(360) - 180 },
      where: `a/${below(9)}/${below(9)}`,
    });
  }
  upserts.set('step', { id: 'step', fingerprint: `${index}`, name: 'step' });
  const deletes = Array.from({ length: below(20) }, () => `d${below(400)}`);
  return { upserts: [...upserts.values()], deletes, how: index % 17 === 0 ? 'swap' : index % 7 === 0 ? 'compact' : 'commit' };
}

/** The documents after steps 1 … index. */
export function stateAfter(index: number): Map<string, Document> {
  const documents = new Map<string, Document>();
  for (let at = 1; at <= index; at++) {
    const { upserts, deletes } = stepAt(at);
    for (const document of upserts) documents.set(document.id, document);
    for (const id of deletes) documents.delete(id);
  }
  return documents;
}
