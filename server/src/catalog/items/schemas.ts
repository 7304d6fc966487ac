import { Type } from 'typebox';
import { Id, JsonObject, noExtraFields, nullable, Time } from '../../platform/schemas.ts';

const ItemStatusName = Type.Enum(['active', 'missing', 'trashed']);

const shown = {
  id: Id,
  library_id: Id,
  library_name: Type.String(),
  library_share_prefix: nullable(Type.String()),
  library_share_unc: nullable(Type.String()),
  source_agent_id: nullable(Id),
  file_category: Type.String(),
  file_group: Type.String(),
  status: ItemStatusName,
  path: Type.String({ description: 'The absolute path on the machine that scans it.' }),
  rel_path: Type.String(),
  native_path: nullable(Type.String()),
  share_url: nullable(Type.String()),
  share_unc: nullable(Type.String({ description: 'The same place as a UNC path; null if the address has none.' })),
  share_source: Type.Enum(['manual', 'mount-map', 'mapping', 'none']),
  filename: Type.String(),
  extension: nullable(Type.String()),
  size: Type.Integer(),
  mtime: Time,
  quick_hash: nullable(Type.String()),
  content_hash: nullable(Type.String()),
  policy_version: nullable(Type.String()),
  hash_error: nullable(Type.String()),
  nlink: nullable(Type.Integer()),
  inode: nullable(Type.Integer()),
  dev: nullable(Type.Integer()),
  symlink_target: nullable(Type.String()),
  title: nullable(Type.String()),
  year: nullable(Type.Integer()),
  external_ids: JsonObject,
  user_metadata: JsonObject,
  tags: Type.Array(Type.String()),
  has_thumb: Type.Boolean(),
  /** Identifies the picture; thumbnails requested with it as `v` can be cached forever. */
  thumb_version: nullable(Type.String()),
  has_text: Type.Boolean(),
  unread: Type.Boolean({ description: 'Whether its contents wait to be read.' }),
  first_seen: Time,
  last_seen: Time,
  last_changed: Time,
  last_verified_at: nullable(Time),
  deleted_at: nullable(Time),
  sidecar_of: nullable(Id),
};
export const ItemOut = Type.Object(
  {
    ...shown,
    drawable: Type.Boolean({ description: 'Whether files of this type can have a thumbnail.' }),
    may_read_content: Type.Boolean({ description: 'Whether you may read its text and pages.' }),
    may_download: Type.Boolean({ description: 'Whether you may open and download the file itself.' }),
    metadata: JsonObject,
  },
  { title: 'ItemOut' },
);
export const ItemListed = Type.Object({ ...shown, metadata: Type.Optional(JsonObject) }, { title: 'ItemListed' });

const Tag = Type.String({ minLength: 1, maxLength: 128 });
const Tags = Type.Array(Tag, { maxItems: 200 });
export const ItemPatch = Type.Object(
  {
    title: Type.Optional(nullable(Type.String({ maxLength: 1000, description: 'Null restores the extracted title.' }))),
    year: Type.Optional(nullable(Type.Integer({ minimum: -9999, maximum: 9999 }))),
    tags: Type.Optional(nullable(Tags)),
    add_tags: Type.Optional(Tags),
    remove_tags: Type.Optional(Tags),
    user_metadata: Type.Optional(
      nullable(
        Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), {
          description: 'Merged by key. A null value removes its key; null removes all keys.',
        }),
      ),
    ),
    external_ids: Type.Optional(
      nullable(Type.Record(Type.String({ maxLength: 64 }), Type.Union([Type.String({ maxLength: 256 }), Type.Number(), Type.Null()]))),
    ),
    expected_user_metadata: Type.Optional(
      Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), {
        description: 'What these keys held when the caller read the item; null for nothing. If one has changed, nothing is saved (409).',
      }),
    ),
  },
  { ...noExtraFields, title: 'ItemPatch' },
);

export const HistoryEntry = Type.Object(
  {
    id: Id,
    at: Time,
    source: Type.Enum(['user', 'extractor', 'sidecar']),
    principal_id: nullable(Id),
    actor: nullable(Type.String()),
    before: JsonObject,
    after: JsonObject,
  },
  { title: 'ItemHistoryEntry' },
);

export const ThreadOut = Type.Object(
  {
    id: Id,
    capped: Type.Boolean({ description: 'True if the thread has more messages than are listed.' }),
    messages: Type.Array(
      Type.Object({
        id: Id,
        library_id: Id,
        library_name: Type.String(),
        rel_path: Type.String(),
        subject: nullable(Type.String()),
        from: nullable(Type.String()),
        date: nullable(Type.String({ description: 'As the message states it.' })),
      }),
    ),
  },
  { title: 'ThreadResponse' },
);

export const CopiesOut = Type.Object(
  {
    id: Id,
    count: Type.Integer(),
    match: Type.Enum(['content', 'quick', 'none'], {
      description: 'How copies were found: by content hash, by quick hash and size, or not at all because there is no hash yet.',
    }),
    capped: Type.Boolean(),
    copies: Type.Array(
      Type.Object({
        id: Id,
        library_id: Id,
        library_name: Type.String(),
        rel_path: Type.String(),
        path: Type.String(),
        native_path: nullable(Type.String()),
        size: Type.Integer(),
        hard_link: Type.Boolean({ description: 'True for a hard link to the same file.' }),
        last_seen: Time,
      }),
    ),
  },
  { title: 'CopiesResponse' },
);
