import type { Library } from '../../api/types.ts';
import type { ErrorAt } from '../../components/form.tsx';

const DEFAULTS = {
  name: '',
  root_path: '',
  enabled_categories: [] as string[],
  enabled_groups: [] as string[],
  enabled_presets: ['system_files', 'os_metadata', 'hidden_dotfiles'],
  include_globs: [] as string[],
  exclude_globs: [] as string[],
  scan_cron: '0 3 * * *' as string | null,
  watch_mode: false,
  hash_policy: 'auto' as Library['hash_policy'],
  hash_full_max_bytes: null as number | null,
  native_prefix: null as string | null,
  share_prefix: null as string | null,
  ocr_enabled: false,
  chunking_enabled: false,
  expose_gps: false,
  count_pruned_files: true,
  extract_overrides: null as Library['extract_overrides'],
  enabled: true,
};

/** The editable properties of a library. */
export type EditableFields = Pick<Library, keyof typeof DEFAULTS>;

const NAMES = Object.keys(DEFAULTS) as (keyof EditableFields)[];

export const editableFields = (library: Library | null): EditableFields =>
  library ? (Object.fromEntries(NAMES.map((name) => [name, library[name]])) as EditableFields) : DEFAULTS;

export interface TabProps {
  /** Null for a new library. */
  library: Library | null;
  fields: EditableFields;
  set: (patch: Partial<EditableFields>) => void;
  errorAt: ErrorAt;
}
