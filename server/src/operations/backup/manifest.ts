import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** One file of a bundle. `bytes` and `sha256` describe the file as stored. */
const Part = Type.Object({ name: Type.String(), bytes: Type.Integer(), sha256: Type.String() });

/** A table without rows has no file; its size is 0. */
const TablePart = Type.Object({
  ...Part.properties,
  table: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer(),
  /** Digest of the rows before compression: equal digests mean equal rows in equal order. */
  rows_sha256: Type.String(),
});

const ManifestBody = Type.Object({
  bundle_version: Type.Literal(1),
  name: Type.String(),
  created_at: Type.String(),
  created_by: Type.String(),
  app_version: Type.String(),
  schema_head: Type.Integer(),
  migrations: Type.Array(Type.Object({ version: Type.Integer(), name: Type.String(), digest: Type.String() })),
  postgres_server_version: Type.String(),
  /** The major version of the program that made files/database.dump; null or absent without one. */
  pg_dump_version: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  item_count: Type.Integer(),
  tables: Type.Array(TablePart),
  sequences: Type.Array(Type.Object({ name: Type.String(), last_value: Type.Integer(), is_called: Type.Boolean() })),
  files: Type.Array(Part),
  complete: Type.Boolean(),
  missing: Type.Array(Type.String()),
  fingerprints: Type.Object({
    secret_key: Type.Union([Type.String(), Type.Null()]),
    /** Absent in backups of versions without agents. */
    ca_root: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  restore_notes: Type.Array(Type.String()),
});

export type BundlePart = Type.Static<typeof Part>;
export type BundleTable = Type.Static<typeof TablePart>;
export type Manifest = Type.Static<typeof ManifestBody>;

export const manifestName = 'MANIFEST.json';
export const bundleNamePattern = '^catalog-[0-9]{8}T[0-9]{6}Z(-[0-9]{1,3})?$';

/** Something in a bundle is not what was written. The message names the part. */
export class DamagedBundle extends Error {}

const validator = Compile(ManifestBody);

/** The text of MANIFEST.json. Its last member is the digest of everything before it. */
export function formatManifest(manifest: Manifest): string {
  const digest = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  return `${JSON.stringify({ ...manifest, manifest_sha256: digest }, null, 2)}\n`;
}

/** Accepts only the exact text that `formatManifest` writes, so that no changed byte goes unnoticed. */
export function parseManifest(text: string): Manifest {
  let value: Manifest & { manifest_sha256?: string };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw new DamagedBundle(`${manifestName} is damaged: it is not valid JSON.`);
  }
  if (typeof value === 'object' && value !== null && (value as { bundle_version: unknown }).bundle_version !== 1)
    throw new DamagedBundle(`${manifestName} is damaged, or the backup was made by a newer Catalog. Use the version that made it.`);
  const { manifest_sha256: _digest, ...manifest } = value;
  if (!validator.Check(manifest) || formatManifest(manifest) !== text)
    throw new DamagedBundle(`${manifestName} is damaged: its checksum does not match.`);
  return manifest;
}

/** All files of the bundle except the manifest. */
export function partsOf({ tables, files }: Manifest): BundlePart[] {
  return [...tables.filter(({ bytes }) => bytes > 0), ...files];
}
