import type { Library } from '../../api/types.ts';
import type { ErrorAt } from '../../components/form.tsx';

const FRESH = {
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

/** What a person may change about a library. */
export type LibraryFields = Pick<Library, keyof typeof FRESH>;

const NAMES = Object.keys(FRESH) as (keyof LibraryFields)[];

export const fieldsOf = (library: Library | null): LibraryFields =>
  library ? (Object.fromEntries(NAMES.map((name) => [name, library[name]])) as LibraryFields) : FRESH;

export interface TabProps {
  /** Null for a library that does not exist yet. */
  library: Library | null;
  fields: LibraryFields;
  set: (patch: Partial<LibraryFields>) => void;
  errorAt: ErrorAt;
}
