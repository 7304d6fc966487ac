import { sql } from 'kysely';
import type { Dependencies } from '../src/platform/dependencies.ts';

type Rows = Pick<Dependencies, 'db'>;
let counter = 0;

/** Inserts a library directly into the database, for tests that need rows but no files. */
export async function addLibrary(
  { db }: Rows,
  fields: { name?: string; root_path?: string; expose_gps?: boolean; native_prefix?: string } = {},
): Promise<string> {
  counter += 1;
  const { name = `Library ${counter}`, root_path = `/nowhere/${counter}`, ...more } = fields;
  const { id } = await db
    .insertInto('libraries')
    .values({ name, root_path, scan_cron: null, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface ItemFields {
  size?: number;
  mtime?: Date;
  status?: 'active' | 'missing' | 'trashed';
  file_category?: string;
  file_group?: string;
  metadata?: Record<string, unknown>;
  quick_hash?: string | null;
  content_hash?: string | null;
  title?: string | null;
  year?: number | null;
  tags?: string[];
  user_metadata?: Record<string, unknown>;
  sidecar_of?: string | null;
  symlink_target?: string | null;
  deleted_at?: Date | null;
  extension?: string | null;
  allocated?: number | null;
}

/** Inserts an item and its folder as a scan would. */
export async function addItem({ db }: Rows, libraryId: string, relPath: string, fields: ItemFields = {}): Promise<string> {
  const slash = relPath.lastIndexOf('/');
  const folder = slash === -1 ? '' : relPath.slice(0, slash);
  const filename = relPath.slice(slash + 1);
  const { size = 10, mtime = new Date('2024-05-06T07:08:09.000Z'), metadata = {}, user_metadata = {}, ...more } = fields;
  const { id } = await db
    .insertInto('items')
    .values({
      library_id: libraryId,
      folder_id: await addFolder({ db }, libraryId, folder),
      filename,
      extension: filename.includes('.') ? filename.slice(filename.lastIndexOf('.') + 1).toLowerCase() : null,
      size,
      mtime_ns: `${mtime.getTime()}000000`,
      metadata: JSON.stringify(metadata),
      user_metadata: JSON.stringify(user_metadata),
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function addFolder({ db }: Rows, libraryId: string, folder: string): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`insert into folders (library_id, rel_path, path) values (${libraryId}, ${folder}, ${libraryId.replaceAll('-', '')}::ltree)
    on conflict (library_id, rel_path) do update set path = excluded.path returning id`.execute(db);
  return rows[0]!.id;
}

/** Inserts an item into a schema that may be older than 0085_paths_of_folders, where items store their paths. */
export async function addItemOfOldSchema({ db }: Rows, libraryId: string, name: string): Promise<void> {
  const folder = await addFolder({ db }, libraryId, '');
  const { rows } =
    await sql`select from information_schema.columns where table_name = 'items' and column_name = 'rel_path' and is_updatable = 'YES'`.execute(
      db,
    );
  const [column, value] = rows.length > 0 ? [sql`rel_path, `, sql`${name}, `] : [sql``, sql``];
  await sql`insert into items (library_id, folder_id, ${column} filename, size, mtime_ns) values (${libraryId}, ${folder}, ${value} ${name}, 1, 0)`.execute(
    db,
  );
}

/** Gives an item another path in its library. */
export async function moveItem({ db }: Rows, id: string, relPath: string): Promise<void> {
  const slash = relPath.lastIndexOf('/');
  const { library_id } = await db.selectFrom('items').select('library_id').where('id', '=', id).executeTakeFirstOrThrow();
  const folder = await addFolder({ db }, library_id, relPath.slice(0, Math.max(slash, 0)));
  await db
    .updateTable('items')
    .set({ folder_id: folder, filename: relPath.slice(slash + 1) })
    .where('id', '=', id)
    .execute();
}

export type Grant = [libraryId: string, relPath: string, action: string, effect?: 'allow' | 'deny'];

/** Creates a user with this role and only these grants, and returns its API key. */
export async function addPerson({ db }: Rows, grants: Grant[], role: 'user' | 'viewer' = 'user'): Promise<{ id: string; key: string }> {
  const { digestOf, newApiKey } = await import('../src/people/identity/credentials.ts');
  counter += 1;
  const person = await sql<{
    id: string;
  }>`insert into principals (username, global_role) values (${`person-${counter}`}, ${role}) returning id`.execute(db);
  const { id } = person.rows[0]!;
  for (const [library, relPath, action, effect = 'allow'] of grants)
    await sql`insert into grants (principal_id, library_id, rel_path, action, effect) values (${id}, ${library}, ${relPath}, ${action}, ${effect})`.execute(
      db,
    );
  const { key, prefix } = newApiKey();
  await sql`insert into api_keys (name, prefix, key_hash, scopes, principal_id) values ('test', ${prefix}, ${digestOf(key)}, '{write}', ${id})`.execute(
    db,
  );
  return { id, key };
}

/** Another key of a person, limited to a folder. */
export async function addLimitedKey({ db }: Rows, personId: string, pathScope: string): Promise<string> {
  const { digestOf, newApiKey } = await import('../src/people/identity/credentials.ts');
  const { key, prefix } = newApiKey();
  await sql`insert into api_keys (name, prefix, key_hash, scopes, principal_id, path_scope)
    values ('limited', ${prefix}, ${digestOf(key)}, '{write}', ${personId}, ${pathScope})`.execute(db);
  return key;
}

/** A key of a new service account, limited to libraries. */
export async function addKeyOfLibraries({ db }: Rows, libraries: string[]): Promise<string> {
  const { digestOf, newApiKey } = await import('../src/people/identity/credentials.ts');
  counter += 1;
  const { key, prefix } = newApiKey();
  await sql`with account as (insert into service_accounts (name) values (${`limited ${counter}`}) returning id)
    insert into api_keys (name, prefix, key_hash, scopes, service_account_id, libraries)
    select 'limited', ${prefix}, ${digestOf(key)}, '{write}', id, ${libraries}::uuid[] from account`.execute(db);
  return key;
}
