import { type RawBuilder, sql } from 'kysely';

/** The folder of a path and the name in it. Files at the top of a library are in the folder ''. */
export function splitPath(path: string): { folder: string; name: string } {
  const end = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(end, 0)), name: path.slice(end + 1) };
}

/** A condition on items: in this folder or below it. Only folders store paths, so it is decided once for each of them. */
export function isBelow(alias: string, folder: string, libraryId: string | null): RawBuilder<boolean> {
  const library = libraryId === null ? sql`true` : sql`b.library_id = ${libraryId}::uuid`;
  // '0' follows '/', so this is the range of all paths below the folder.
  return sql<boolean>`${sql.ref(`${alias}.folder_id`)} in (select b.id from folders b
    where ${library} and (b.rel_path = ${folder} or (b.rel_path >= ${`${folder}/`} and b.rel_path < ${`${folder}0`})))`;
}

/** A condition on items: at this path or, if it is a folder, below it. */
export function isAtOrBelow(alias: string, path: string, libraryId: string | null): RawBuilder<boolean> {
  const { folder, name } = splitPath(path);
  const library = libraryId === null ? sql`true` : sql`b.library_id = ${libraryId}::uuid`;
  return sql<boolean>`(${isBelow(alias, path, libraryId)} or (${sql.ref(`${alias}.filename`)} = ${name}
    and ${sql.ref(`${alias}.folder_id`)} in (select b.id from folders b where ${library} and b.rel_path = ${folder})))`;
}

/** A condition on items: their path starts with this text, which may end within a name. */
export function hasPathPrefix(alias: string, prefix: string): RawBuilder<boolean> {
  const { folder, name } = splitPath(prefix);
  const folderId = sql.ref(`${alias}.folder_id`);
  return sql<boolean>`(${folderId} in (select b.id from folders b where starts_with(b.rel_path, ${prefix}))
    or (starts_with(${sql.ref(`${alias}.filename`)}, ${name}) and ${folderId} in (select b.id from folders b where b.rel_path = ${folder})))`;
}

/**
 * Items in the order of library, folder and name: the folders are read in the order of their paths, and the items of each by its index, so a
 * page costs what it shows. `joinFolders` follows the tables and `f` are the folders.
 */
export const joinFolders = sql`join folders f on f.id = i.folder_id`;
/** The folders `f` of few items that were found by id. The planner would rather read all folders for a page of thousands. */
export const lookUpFolders = sql`cross join lateral (select * from folders where folders.id = i.folder_id offset 0) f`;
export const inPathOrder = sql`f.library_id, f.rel_path, i.filename`;

/** A condition with `joinFolders`: behind this item in that order. The first part is redundant; an index scan starts with it. */
export function isBehind(libraryId: string, path: string): RawBuilder<boolean> {
  const { folder, name } = splitPath(path);
  return sql<boolean>`((f.library_id, f.rel_path) >= (${libraryId}::uuid, ${folder}::text)
    and (f.library_id, f.rel_path, i.filename) > (${libraryId}::uuid, ${folder}::text, ${name}::text))`;
}

/** The items `i` of a library at these paths, after `from`. */
export function itemsAt(libraryId: string, paths: readonly string[]): RawBuilder<unknown> {
  const places = [...new Set(paths)].map(splitPath);
  return sql`unnest(${places.map(({ folder }) => folder)}::text[], ${places.map(({ name }) => name)}::text[]) as place (folder, name)
    join folders at_folder on at_folder.library_id = ${libraryId}::uuid and at_folder.rel_path = place.folder
    join items i on i.folder_id = at_folder.id and i.filename = place.name`;
}

/** A condition on folders: below this one, which is not included. */
export function isFolderBelow(alias: string, folder: string): RawBuilder<boolean> {
  const path = sql.ref(`${alias}.rel_path`);
  return folder === '' ? sql<boolean>`${path} <> ''` : sql<boolean>`(${path} >= ${`${folder}/`} and ${path} < ${`${folder}0`})`;
}
