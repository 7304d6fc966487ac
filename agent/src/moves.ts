import { entryOf, type FileRow, type Store } from './store.ts';

interface Match extends FileRow {
  from_dir: string;
  from_name: string;
}

/**
 * Pairs vanished files with new ones: by inode, size and time, then by content where exactly one file of each kind has it. What is left is
 * created or deleted. Called in the transaction that ends a scan.
 */
export function resolveMoves(store: Store, root: string): { moved: number; created: number; deleted: number } {
  const facts = store.columns
    .split(', ')
    .map((column) => `n.${column}`)
    .join(', ');
  const counts = { moved: 0, created: 0, deleted: 0 };
  const apply = (match: Match): void => {
    const { from_dir, from_name, ...row } = match;
    if (store.run('delete from fresh where root = ? and dir = ? and name = ?', root, row.dir, row.name) === 0) return;
    store.run('delete from gone where root = ? and dir = ? and name = ?', root, from_dir, from_name);
    // What was read from a file moves with it, as it does at the service. Its bytes are not read again, so nothing else would have it drawn.
    for (const table of ['reads', 'undrawn', 'undrawable'])
      store.run(
        `update or replace ${table} set dir = ?, name = ? where root = ? and dir = ? and name = ?`,
        row.dir,
        row.name,
        root,
        from_dir,
        from_name,
      );
    store.run('delete from files where root = ? and dir = ? and name = ?', root, from_dir, from_name);
    store.put('files', root, row);
    store.add(entryOf(root, 'moved', row, { from_rel_path: from_dir === '' ? from_name : `${from_dir}/${from_name}` }));
    counts.moved += 1;
  };
  const pairs = (condition: string): Match[] =>
    store.all<Match>(
      `select ${facts}, g.dir as from_dir, g.name as from_name from gone g
        join files f on f.root = g.root and f.dir = g.dir and f.name = g.name
        join fresh n on n.root = g.root and ${condition}
        where g.root = ? group by g.dir, g.name having count(*) = 1`,
      root,
    );
  for (const match of pairs(`n.inode = f.inode and n.inode <> '0' and n.device = f.device and n.size = f.size and n.mtime_ns = f.mtime_ns`))
    apply(match);
  const taken = new Map<string, number>();
  const byContent = pairs('n.content_hash = f.content_hash and n.size = f.size and n.size > 0');
  for (const { dir, name } of byContent) taken.set(`${dir}/${name}`, (taken.get(`${dir}/${name}`) ?? 0) + 1);
  for (const match of byContent) if (taken.get(`${match.dir}/${match.name}`) === 1) apply(match);
  for (const row of store.all<FileRow>(`select ${store.columns} from fresh where root = ?`, root)) {
    store.put('files', root, row);
    store.add(entryOf(root, 'created', row));
    counts.created += 1;
  }
  for (const { dir, name } of store.all<{ dir: string; name: string }>('select dir, name from gone where root = ?', root)) {
    if (store.run('delete from files where root = ? and dir = ? and name = ?', root, dir, name) === 0) continue;
    store.add({ event_type: 'deleted', library_ref: root, rel_path: dir === '' ? name : `${dir}/${name}` });
    counts.deleted += 1;
  }
  for (const table of ['fresh', 'gone']) store.run(`delete from ${table} where root = ?`, root);
  return counts;
}
