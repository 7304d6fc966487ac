// Load for fault runs: edits with a ledger of what was acknowledged, searches, scans of new files, and rebuilds of the index.
import { setTimeout as sleep } from 'node:timers/promises';
import { call, makeFiles, mustCall } from './service.mjs';

/** Reproducible random numbers (mulberry32). */
export function createRandom(seed = 1) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Ids of up to `count` items of the library. */
export async function itemIds(url, libraryId, count = 200) {
  const page = await mustCall(url, 'GET', `/items?library_id=${libraryId}&limit=${Math.min(count, 200)}`);
  return page.items.map(({ id }) => id);
}

/** Every path that the library lists, page by page. */
export async function allPaths(url, libraryId) {
  const paths = [];
  for (let cursor; ; ) {
    const page = await mustCall(
      url,
      'GET',
      `/items?library_id=${libraryId}&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    paths.push(...page.items.map(({ rel_path }) => rel_path));
    cursor = page.next_cursor;
    if (!cursor) return paths;
  }
}

/**
 * Runs until `stop()`. `urls` is called for every request, because a service may come back at another port. Every answer is counted by
 * status; `onAnswer` may look at it.
 */
export function startLoad({ url, ids, libraryId, folder, kinds, random, onAnswer = () => {}, pauseMs = 30 }) {
  const ledger = new Map();
  const answers = new Map();
  let stopped = false;
  let paused = false;
  let sequence = 0;
  let files = 1_000_000;
  const ask = async (kind, method, path, body) => {
    const answer = await call(url(), method, path, body);
    const key = `${kind} ${answer.status}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
    onAnswer(kind, answer);
    return answer;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const actions = {
    async edit() {
      sequence += 1;
      const [id, tag] = [pick(ids), `t${sequence}`];
      const { status } = await ask('edit', 'PATCH', `/items/${id}`, { add_tags: [tag] });
      if (status === 200) ledger.set(id, [...(ledger.get(id) ?? []), tag].slice(-150));
      // An item holds at most 200 tags. What is removed must not come back, but only additions are checked.
      const full = ledger.get(id);
      if (full?.length === 150 && (await ask('edit', 'PATCH', `/items/${id}`, { tags: [] })).status === 200) ledger.delete(id);
    },
    search: () => ask('search', 'GET', `/search?q=${pick(['red', 'green', 'blue', 'file', 'number'])}&limit=20`),
    read: () => ask('read', 'GET', `/items/${pick(ids)}`),
    async scan() {
      makeFiles(folder, 10, files);
      files += 10;
      await ask('scan', 'POST', `/libraries/${libraryId}/scan`);
      await sleep(1500);
    },
    async rebuild() {
      await ask('rebuild', 'POST', '/system/rebuild-index');
      await sleep(4000);
    },
  };
  const loops = kinds.map(async (kind) => {
    while (!stopped) {
      if (!paused) await actions[kind]();
      await sleep(pauseMs);
    }
  });
  return {
    answers,
    acknowledged: () => [...ledger.values()].reduce((sum, tags) => sum + tags.length, 0),
    pause(value) {
      paused = value;
    },
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
    /** Acknowledged edits that the service no longer knows. */
    async lost() {
      const lost = [];
      for (const [id, tags] of ledger) {
        const item = await mustCall(url(), 'GET', `/items/${id}`);
        for (const tag of tags) if (!item.tags.includes(tag)) lost.push(`The tag ${tag} of item ${id} was acknowledged and is gone.`);
      }
      return lost;
    },
  };
}

export const countsOf = (answers) =>
  [...answers]
    .sort()
    .map(([key, count]) => `${key}: ${count}`)
    .join(', ');
