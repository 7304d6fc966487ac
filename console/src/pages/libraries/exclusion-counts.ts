import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import type { FolderCount, Preset } from '../../api/types.ts';
import { formatDuration } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';

const TAGGED_CACHE = 'tagged_cache';
/** Files per second that a scan of a local disk reaches on a small machine. */
const FILES_PER_SECOND = 5000;

type PresetState = Pick<Preset, 'name' | 'default_enabled'>;

/** Some presets are on by default; a library turns one off with `-name`. */
export const isPresetOn = ({ name, default_enabled }: PresetState, names: readonly string[]): boolean =>
  !names.includes(`-${name}`) && (default_enabled || names.includes(name));

export function togglePreset({ name, default_enabled }: PresetState, names: readonly string[], on: boolean): string[] {
  const others = names.filter((one) => one !== name && one !== `-${name}`);
  if (on) return [...others, name];
  return default_enabled ? [...others, `-${name}`] : others;
}

interface ExclusionCounts {
  kept: number;
  /** Files each active preset excludes, or each inactive preset would exclude in addition. A file counts for the first active match. */
  by: ReadonlyMap<string, number>;
  /** Files in folders marked as caches (CACHEDIR.TAG), which are always excluded. */
  caches: number;
}

/** All files = kept + files excluded by active presets + caches. */
export function countExclusions(count: FolderCount, presets: readonly PresetState[], names: readonly string[]): ExclusionCounts {
  const on = presets.filter((preset) => isPresetOn(preset, names)).map(({ name }) => name);
  const by = new Map<string, number>();
  const sum = { kept: count.files, caches: 0 };
  const add = (name: string, files: number) => by.set(name, (by.get(name) ?? 0) + files);
  for (const { by: matching, files } of count.left_out) {
    const first = on.find((name) => matching.includes(name));
    if (first !== undefined) add(first, files);
    else if (matching.includes(TAGGED_CACHE)) sum.caches += files;
    else for (const name of matching) add(name, files);
    if (first !== undefined || matching.includes(TAGGED_CACHE)) sum.kept -= files;
  }
  return { ...sum, by };
}

/** A rough estimate of the time until all file names are searchable. */
export function estimateScanTime(files: number): string {
  const seconds = files / FILES_PER_SECOND;
  if (seconds < 8) return t('a few seconds');
  return t('about {time}', { time: formatDuration(seconds < 90 ? Math.ceil(seconds / 10) * 10 : Math.round(seconds / 60) * 60) });
}

/** The number of files below a folder. The count may be incomplete or fail; callers must work without it. */
export function useFolderCount(path: string) {
  return useQuery({
    queryKey: ['fs-count', path],
    queryFn: ({ signal }) => catalog.countFiles(path, signal),
    enabled: path !== '',
    staleTime: 300_000,
    retry: false,
  });
}
