import { lstatSync, readdirSync } from 'node:fs';
import {
  cacheTagName,
  createWalkFileSystem,
  diskPath,
  type IgnoreDecision,
  isTaggedCache,
  type PatternOrigin,
  pathText,
} from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { notFound } from '../../platform/problem.ts';
import { itemsAt } from '../paths/index.ts';
import type { ItemStatus } from '../tables.ts';
import { childPath } from './context.ts';
import { type DecidedFile, decideFiles, loadRules, type RuleSource, type ScanRules } from './rules.ts';
import { normalizeScope } from './service.ts';
import { settleFolderMoves } from './settle-folder-moves.ts';

/** Why a path is in the catalog or not, by the same rules that scans use. */
export interface Explanation {
  path: string;
  verdict:
    | 'item'
    | 'missing'
    | 'trashed'
    | 'moved'
    | 'folder'
    | 'excluded'
    | 'pruned'
    | 'outside_selection'
    | 'unreadable'
    | 'symlink'
    | 'special'
    | 'never_seen'
    | 'not_there';
  /** One sentence for people. */
  reason: string;
  /** The folder or file above the path where it was decided. */
  at?: string;
  preset?: string;
  list?: 'exclude_globs' | 'include_globs';
  pattern?: string;
  line?: number;
  category?: string;
  group?: string;
  item?: { id: string; status: ItemStatus; symlink_target: string | null };
  moved_to?: { id: string; library_id: string; rel_path: string };
}

type DiskExplanation = Omit<Explanation, 'path'>;

export async function explainPath(db: Db, libraryId: string, given: string): Promise<Explanation> {
  const library = await db
    .selectFrom('libraries')
    .select(['root_path', 'enabled_presets', 'exclude_globs', 'include_globs', 'enabled_categories', 'enabled_groups'])
    .where('id', '=', libraryId)
    .executeTakeFirst();
  if (!library) throw notFound('library');
  const path = normalizeScope(given);
  const [item, movedTo, disk] = [
    await findItemAt(db, libraryId, path),
    await findMove(db, libraryId, path),
    explainDisk(library, path, await loadRules(db, library as RuleSource)),
  ];
  const known = item ? { item: { id: item.id, status: item.status, symlink_target: item.symlink_target } } : {};
  if (item?.status === 'trashed')
    return {
      path,
      ...disk,
      ...known,
      verdict: 'trashed',
      reason: 'It is in the recycle bin. Scans do not change it; restore it to use it again.',
    };
  if (item?.status === 'active' && disk.verdict === 'never_seen') {
    const what =
      item.symlink_target === null
        ? 'It is in the catalog.'
        : `It is in the catalog as a symlink to ${item.symlink_target}. Symlinks are not followed.`;
    return { path, ...disk, ...known, verdict: 'item', reason: what };
  }
  if (disk.verdict === 'not_there' && item?.status === 'missing') {
    return {
      path,
      ...disk,
      ...known,
      verdict: 'missing',
      reason: 'The file is no longer on disk. Its item becomes active again when a scan finds the file.',
    };
  }
  if (disk.verdict === 'not_there' && item?.status === 'active') {
    return {
      path,
      ...disk,
      ...known,
      verdict: 'item',
      reason: 'It is in the catalog, but the file is no longer on disk. The next scan marks it as missing.',
    };
  }
  if (disk.verdict === 'not_there' && movedTo) {
    return { path, ...disk, verdict: 'moved', reason: `The file was moved to ${movedTo.rel_path}.`, moved_to: movedTo };
  }
  return { path, ...disk, ...known };
}

/** Descends from the root like the walk and stops where the walk would stop. */
function explainDisk(library: { root_path: string }, path: string, rules: ScanRules): DiskExplanation {
  const files = createWalkFileSystem({ network: false });
  const names = path === '' ? [] : path.split('/');
  let folder = '';
  for (const [index, name] of names.entries()) {
    const at = childPath(folder, name);
    const kind = statPath(`${library.root_path}/${at}`);
    const last = index === names.length - 1;
    if (typeof kind !== 'string') return unreadable(kind.code, at);
    if (kind === 'missing')
      return {
        verdict: 'not_there',
        reason: last ? 'There is no such file or folder on disk.' : `There is no folder ${at} on disk.`,
        at,
      };
    if (kind === 'symlink' && !last)
      return { verdict: 'symlink', reason: `${at} is a symlink. Symlinks are in the catalog but not followed.`, at };
    if (kind === 'special') return { verdict: 'special', reason: 'It is a device, pipe or socket, not a file.', at };
    if (kind === 'folder') {
      const decision = rules.ignore.decide(at, true);
      if (decision?.excluded)
        return {
          verdict: 'pruned',
          reason: `The folder ${at} is skipped by ${describePattern(decision)}.`,
          at,
          ...patternSource(decision),
        };
      if (statPath(`${library.root_path}/${at}/${cacheTagName}`) === 'file' && isTaggedCache(`${library.root_path}/${at}`, files)) {
        return { verdict: 'pruned', reason: `The folder ${at} is skipped because its file ${cacheTagName} marks it as a cache.`, at };
      }
      folder = at;
      continue;
    }
    if (!last) return { verdict: 'not_there', reason: `${at} is a file, so there is nothing below it.`, at };
    return explainFile(library.root_path, folder, name, rules);
  }
  return { verdict: 'folder', reason: 'It is a folder. The rules of the library decide which of its files are in the catalog.' };
}

function explainFile(root: string, folder: string, name: string, rules: ScanRules): DiskExplanation {
  const at = folder === '' ? root : `${root}/${folder}`;
  let files: DecidedFile[];
  try {
    files = readdirSync(diskPath(at), { withFileTypes: true, encoding: 'buffer' })
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => decidedFile(at, pathText(entry.name), entry.isSymbolicLink()));
  } catch (error) {
    return unreadable((error as NodeJS.ErrnoException).code ?? 'EIO', folder);
  }
  if (!files.some((file) => file.name === name)) files.push(decidedFile(at, name, false));
  const decision = decideFiles(folder, files, rules)[files.findIndex((file) => file.name === name)];
  // The list holds one decision per name, so this only satisfies the compiler.
  if (!decision) return unreadable('ENOENT', folder);
  if (decision.admitted) {
    const { category, group } = decision.classification;
    return { verdict: 'never_seen', reason: 'The rules include it, but no scan has found it yet. Start a scan.', category, group };
  }
  if (decision.by === 'pattern')
    return { verdict: 'excluded', reason: `It is excluded by ${describePattern(decision.decision)}.`, ...patternSource(decision.decision) };
  const { category, group, extension } = decision.classification;
  const reason =
    extension === null
      ? 'It has no extension, so it is in none of the categories and groups that the library selects.'
      : `The library does not select the category ${category} or the group ${group}.`;
  return { verdict: 'outside_selection', reason, category, group };
}

const decidedFile = (folder: string, name: string, isLink: boolean): DecidedFile => ({
  name,
  isLink,
  size: () => sizeOf(`${folder}/${name}`),
});

function sizeOf(path: string): number {
  try {
    return lstatSync(diskPath(path)).size;
  } catch {
    // The file has vanished since it was listed.
    return 0;
  }
}

function unreadable(code: string, at: string): DiskExplanation {
  return {
    verdict: 'unreadable',
    reason: `${at === '' ? 'The library' : at} cannot be read (${code}). Allow the service to read it; until then items below it keep their status.`,
    at,
  };
}

function describePattern({ origin, pattern, line }: IgnoreDecision): string {
  return origin.kind === 'preset'
    ? `line ${line} of the preset ${origin.preset}: ${pattern}`
    : `line ${line} of the library's ${origin.kind}: ${pattern}`;
}

function patternSource({
  origin,
  pattern,
  line,
}: {
  origin: PatternOrigin;
  pattern: string;
  line: number;
}): Pick<Explanation, 'preset' | 'list' | 'pattern' | 'line'> {
  return { ...(origin.kind === 'preset' ? { preset: origin.preset } : { list: origin.kind }), pattern, line };
}

function statPath(path: string): 'file' | 'folder' | 'symlink' | 'special' | 'missing' | { code: string } {
  try {
    const facts = lstatSync(diskPath(path));
    return facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'symlink' : 'special';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : { code };
  }
}

async function findItemAt(
  db: Db,
  libraryId: string,
  path: string,
): Promise<{ id: string; status: ItemStatus; symlink_target: string | null } | undefined> {
  const { rows } = await sql<{ id: string; status: ItemStatus; symlink_target: string | null }>`
    select i.id, i.status, i.symlink_target from ${itemsAt(libraryId, [path])}`.execute(db);
  return rows[0];
}

/** The current path of the item that was at this path, from the change log. */
async function findMove(db: Db, libraryId: string, path: string): Promise<Explanation['moved_to'] | undefined> {
  await settleFolderMoves(db, libraryId);
  const { rows } = await sql<{ id: string; library_id: string; rel_path: string }>`
    select i.id, i.library_id, i.rel_path from scan_changes c join items i on i.id = c.item_id
    where c.kind = 'moved' and c.from_library_id = ${libraryId} and c.from_rel_path = ${path} order by c.run_id desc limit 1`.execute(db);
  return rows[0];
}
