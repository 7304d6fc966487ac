import { parseIgnorePattern } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { CronError, parseCron } from '../../platform/queue/index.ts';
import { checkPresetNames, extensionGroups } from '../presets/index.ts';
import { checkTaxonomyKeys } from '../taxonomy/index.ts';

/** Settings that a library may override, by their names in lower case. */
export const extractOverrideKeys = [
  'extract_timeout_seconds',
  'ffprobe_timeout_s',
  'document_max_bytes',
  'doc_decompressed_max',
  'doc_decompression_ratio',
  'doc_decompression_ratio_min_bytes',
  'model3d_max_bytes',
  'email_max_bytes',
  'body_text_max_chars',
] as const;

export interface LibraryFields {
  name?: string;
  root_path?: string;
  enabled?: boolean;
  enabled_categories?: string[];
  enabled_groups?: string[];
  include_globs?: string[];
  exclude_globs?: string[];
  enabled_presets?: string[];
  enabled_extension_groups?: string[];
  scan_cron?: string | null;
  watch_mode?: boolean;
  hash_policy?: 'auto' | 'full' | 'quick_only';
  hash_full_max_bytes?: number | null;
  native_prefix?: string | null;
  share_prefix?: string | null;
  ocr_enabled?: boolean;
  chunking_enabled?: boolean;
  expose_gps?: boolean;
  permissions_enabled?: boolean;
  content_sniff_enabled?: boolean;
  count_pruned_files?: boolean;
  vanish_guard_pct?: number | null;
  extract_overrides?: Record<string, number | string | null> | null;
  worker_labels?: string[];
}

/** Checks what the schema cannot, except for the root, and returns the fields as they are stored. */
export async function checkLibraryFields(db: Db, given: LibraryFields): Promise<LibraryFields> {
  const fields = { ...given };
  if (fields.name !== undefined) fields.name = fields.name.trim();
  if (fields.scan_cron !== undefined) fields.scan_cron = parseCronField(fields.scan_cron, ['body', 'scan_cron']);
  for (const list of ['include_globs', 'exclude_globs'] as const)
    fields[list]?.forEach((glob, index) => {
      if (!parseIgnorePattern(glob))
        throw fieldProblem(
          ['body', list, index],
          `"${glob.slice(0, 80)}" matches nothing, because it is blank, a comment or ends in a backslash. Correct or remove it.`,
        );
    });
  await checkPresetNames(db, fields.enabled_presets ?? [], ['body', 'enabled_presets']);
  const unknownGroup = fields.enabled_extension_groups?.find((name) => !extensionGroups.some((group) => group.name === name));
  if (unknownGroup !== undefined)
    throw fieldProblem(['body', 'enabled_extension_groups'], `There is no extension group "${unknownGroup}".`, 'extension_group_unknown');
  await checkTaxonomyKeys(
    db,
    { categories: fields.enabled_categories, groups: fields.enabled_groups },
    { categories: ['body', 'enabled_categories'], groups: ['body', 'enabled_groups'] },
  );
  for (const prefix of ['native_prefix', 'share_prefix'] as const)
    if (fields[prefix] !== undefined) fields[prefix] = fields[prefix]?.trim() || null;
  if (fields.extract_overrides !== undefined) fields.extract_overrides = keepNumbers(fields.extract_overrides);
  return fields;
}

/** Null or blank means no schedule. */
export function parseCronField(text: string | null, loc: (string | number)[]): string | null {
  if (text === null || text.trim() === '') return null;
  try {
    parseCron(text);
  } catch (error) {
    if (error instanceof CronError) throw fieldProblem(loc, error.message, 'cron_invalid');
    throw error;
  }
  return text.trim().replace(/\s+/g, ' ');
}

/** Removes null and blank values, which mean that the global setting applies. */
function keepNumbers(overrides: Record<string, number | string | null> | null): Record<string, number> | null {
  const kept = Object.entries(overrides ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}
