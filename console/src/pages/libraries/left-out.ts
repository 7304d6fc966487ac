import type { FolderCount, Preset } from '../../api/types.ts';

const TAGGED_CACHE = 'tagged_cache';
/** Names a second that a scan of a local disk catalogues on a small machine. */
const NAMES_A_SECOND = 5000;

type Switch = Pick<Preset, 'name' | 'default_enabled'>;

/** Some presets are on unless a library says `-name`. */
export const isOn = ({ name, default_enabled }: Switch, names: readonly string[]): boolean =>
  !names.includes(`-${name}`) && (default_enabled || names.includes(name));

export function switched({ name, default_enabled }: Switch, names: readonly string[], on: boolean): string[] {
  const others = names.filter((one) => one !== name && one !== `-${name}`);
  if (on) return [...others, name];
  return default_enabled ? [...others, `-${name}`] : others;
}

export interface Sum {
  kept: number;
  /** What a preset that is on leaves out, or one that is off would leave out besides. A file is counted for the first that is on. */
  by: ReadonlyMap<string, number>;
  /** In folders their own program marks as a cache: left out whatever is ticked. */
  caches: number;
}

/** All files = kept + what each preset that is on leaves out + caches. */
export function addUp(count: FolderCount, presets: readonly Switch[], names: readonly string[]): Sum {
  const on = presets.filter((preset) => isOn(preset, names)).map(({ name }) => name);
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

/** How long until every name can be found, roughly. */
export function aboutTime(files: number): string {
  const seconds = files / NAMES_A_SECOND;
  if (seconds < 8) return 'a few seconds';
  return `about ${seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`}`;
}
