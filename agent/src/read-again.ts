/**
 * Reads contents again by command: all files with `force`, otherwise those that were never read. Files that are to be read again keep what
 * is known of them until then, marked, so that a cancelled command leaves everything as it was.
 */
import type { Command } from './commands.ts';
import type { Policy } from './policy.ts';
import type { Store } from './store.ts';

// A key names the reader; files without one (`none`) have nothing to be read.
/** A prefix for the key of an earlier reading. With it the key matches no extractor, so the file is read again. */
const mark = 'again ';

interface ReadingAgain {
  signal: AbortSignal;
  progress(done: number, total: number | null): void;
  wait(seconds: number): Promise<void>;
}

export async function readEverythingAgain(
  store: Store,
  roots: readonly string[],
  policy: Policy,
  { id, payload }: Command,
  { signal, progress, wait }: ReadingAgain,
): Promise<Record<string, unknown>> {
  if (!policy.extract_enabled)
    throw new Error('The rules of this agent do not let it read contents of files. Change them in a group first.');
  const max = Number(payload['max_items'] ?? -1);
  // A command that is delivered again after a restart goes on with what is left.
  if (store.meta('reading_again') !== id) queue(store, roots, payload['force'] === true, max, id);
  const total = Number(store.meta('reading_again_total') ?? 0);
  for (;;) {
    if (signal.aborted) {
      dequeue(store);
      signal.throwIfAborted();
    }
    const waiting = countWaiting(store, roots);
    progress(Math.max(0, total - waiting), total);
    if (waiting === 0) break;
    await wait(1);
  }
  store.run("delete from meta where key like 'reading_again%'");
  return { files: total };
}

const countWaiting = (store: Store, roots: readonly string[]): number =>
  roots.reduce((sum, root) => sum + (store.get<{ n: number }>('select count(*) as n from unread where root = ?', root)?.n ?? 0), 0);

function queue(store: Store, roots: readonly string[], force: boolean, max: number, id: string): void {
  store.transaction(() => {
    for (const root of roots) {
      store.run(
        `insert or ignore into unread (root, dir, name)
          select f.root, f.dir, f.name from files f left join reads r on r.root = f.root and r.dir = f.dir and r.name = f.name
          where f.root = ? and f.symlink_target is null and f.quick_hash is not null and (r.key is null or (? and r.key not like '%:none:%')) limit ?`,
        root,
        force ? 1 : 0,
        max,
      );
      if (force)
        store.run(
          `update reads set key = ? || key where root = ? and key not like ? || '%' and key not like '%:none:%'
            and exists (select 1 from unread u where u.root = reads.root and u.dir = reads.dir and u.name = reads.name)`,
          mark,
          root,
          mark,
        );
    }
    store.setMeta('reading_again', id);
    store.setMeta('reading_again_total', String(countWaiting(store, roots)));
  });
}

/** Removes the files that are still queued, and restores the keys of their earlier readings. */
function dequeue(store: Store): void {
  store.transaction(() => {
    store.run(
      `delete from unread where exists (select 1 from reads r
        where r.root = unread.root and r.dir = unread.dir and r.name = unread.name and r.key like ? || '%')`,
      mark,
    );
    store.run(`update reads set key = substr(key, ?) where key like ? || '%'`, mark.length + 1, mark);
    store.run("delete from meta where key like 'reading_again%'");
  });
}
