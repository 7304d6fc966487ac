import { verbs } from '@catalog/scanner';
import { Type } from 'typebox';
import { Id, nullable, Time } from '../../platform/schemas.ts';

const PrincipalOut = Type.Object({
  kind: Type.Enum(['user', 'group', 'well_known', 'unmapped']),
  id: Type.String({ description: '`uid:1000`, `gid:100`, `other`, a SID, or a name as an NFS server writes it.' }),
  name: nullable(Type.String()),
  well_known: Type.Optional(Type.String()),
});

const ReasonOut = Type.Object({
  allowed: Type.Boolean(),
  through: nullable(PrincipalOut),
  folder: nullable(Type.Object({ path: nullable(Type.String()) })),
  masked: Type.Boolean(),
  sentence: Type.String(),
});

const Verbs = Type.Array(Type.Enum([...verbs]));

const EntryOut = Type.Object({
  principal: PrincipalOut,
  type: Type.Enum(['allow', 'deny']),
  verbs: Verbs,
  raw_mask: Type.Integer(),
  inherited: Type.Boolean(),
  container_inherit: Type.Boolean(),
  object_inherit: Type.Boolean(),
  no_propagate: Type.Boolean(),
  inherit_only: Type.Boolean(),
  scope: Type.Enum(['this', 'subtree', 'dir_default']),
  source: Type.Enum(['local', 'share']),
  order_index: Type.Integer(),
});

const RecordOut = Type.Object({
  fidelity: Type.Enum(['full_native', 'synthesized_from_mode', 'posix_mode_only', 'unavailable']),
  mode: Type.String(),
  owner: PrincipalOut,
  group: PrincipalOut,
  posture: Type.Object({ dacl_present: Type.Boolean(), dacl_canonical: Type.Boolean(), generic_mapping_applied: Type.Boolean() }),
  entries: Type.Array(EntryOut),
});

const HistoryLine = Type.Object({
  sign: Type.Enum(['+', '-']),
  type: Type.Enum(['allow', 'deny']),
  principal: PrincipalOut,
  verbs: Verbs,
  people: Type.Integer({ description: 'People of this machine and the directory whom the entry is about.' }),
});
const OwnerChange = nullable(Type.Object({ before: PrincipalOut, after: PrincipalOut }));

const ChangeOut = Type.Object({
  changed_at: Time,
  folder: nullable(Type.String({ description: 'The folder that changed; null for the file itself.' })),
  summary: Type.String(),
  lines: Type.Array(HistoryLine),
  owner: OwnerChange,
  gained: Type.Integer({ description: 'People of this machine and the directory who can read since.' }),
  lost: Type.Integer({ description: 'People of this machine and the directory who no longer can.' }),
});

const NamedPeople = Type.Object({ count: Type.Integer(), names: Type.Array(Type.String(), { description: 'At most 50.' }) });

export const AccessCompareOut = Type.Object({
  complete: Type.Boolean({ description: 'False when changes after the first date are no longer known one by one.' }),
  parts: Type.Array(
    Type.Object({
      folder: nullable(Type.String({ description: 'Null for the file itself.' })),
      lines: Type.Array(HistoryLine),
      owner: OwnerChange,
    }),
  ),
  gained: NamedPeople,
  lost: NamedPeople,
});

export const ItemPermissionsOut = Type.Object({
  item_id: Id,
  state: Type.Enum(['collected', 'off', 'agent_off', 'symlink', 'not_yet'], { description: 'Why there is no record, if there is none.' }),
  collected_at: nullable(Time),
  since: nullable(Time),
  world_readable: nullable(Type.Boolean()),
  record: nullable(RecordOut),
  people: nullable(Type.Object({ can_read: Type.Integer(), cannot_read: Type.Integer() })),
  access: Type.Array(
    Type.Object({ principal: PrincipalOut, read: ReasonOut, write: Type.Boolean(), execute: Type.Boolean(), since: Time }),
  ),
  access_more: Type.Integer(),
  history: Type.Array(ChangeOut),
});

/** What an account here has to do with a person on disk: they have the same name. */
const AccountOut = Type.Object({
  username: Type.String(),
  display_name: nullable(Type.String()),
  role: Type.String(),
  last_login_at: nullable(Time),
});

export const ReadableFoldersOut = Type.Object({
  principal: PrincipalOut,
  groups: Type.Array(PrincipalOut),
  account: nullable(AccountOut),
  files: Type.Integer(),
  allowed: Type.Integer(),
  truncated: Type.Boolean(),
  children: Type.Array(
    Type.Object({
      library_id: Id,
      library: Type.String(),
      folder: Type.String(),
      own_files: Type.Boolean({ description: 'The files directly in the parent, not in a folder below it.' }),
      files: Type.Integer(),
      allowed: Type.Integer(),
      has_children: Type.Boolean(),
      why: Type.String(),
    }),
  ),
});

const stepFields = {
  allowed: Type.Boolean(),
  entry: nullable(Type.Enum(['owner', 'group', 'everyone', 'named', 'root'])),
  through: nullable(PrincipalOut),
  masked: Type.Boolean({ description: 'The entry would allow it, but the mask of the list takes it away.' }),
};

export const FolderReasonsOut = Type.Object({
  principal: PrincipalOut,
  folders: Type.Array(
    Type.Object({ folder: nullable(Type.String({ description: 'Null for a folder above the library.' })), ...stepFields }),
    { description: 'From the top down. The first that is not allowed decides.' },
  ),
  files: Type.Array(
    Type.Object({ files: Type.Integer(), in_folder: Type.Boolean({ description: 'A folder further down decides.' }), ...stepFields }),
  ),
});

export const PersonChangesOut = Type.Object({
  changes: Type.Array(
    Type.Object({
      changed_at: Time,
      library_id: Id,
      library: Type.String(),
      folder: nullable(Type.String({ description: 'Null when files were changed.' })),
      files: Type.Integer({ description: 'Files gained, or lost when negative, counted over the files of today.' }),
    }),
  ),
});

export const AccessCheckOut = Type.Object({
  item_id: Id,
  principal: PrincipalOut,
  groups: Type.Array(PrincipalOut),
  read: ReasonOut,
  write: ReasonOut,
  execute: ReasonOut,
});
