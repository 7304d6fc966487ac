import type { Setting } from './setting.ts';
import type { settingsTable } from './table/index.ts';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Lowercase<Head>}${CamelTail<Rest>}` : Lowercase<Name>;
type CamelTail<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Capitalize<Lowercase<Head>>}${CamelTail<Rest>}`
  : Capitalize<Lowercase<Name>>;

/** SVC_SCAN_BATCH_SIZE is scanBatchSize; MEDIA_PATH is mediaPath. */
type KeyName<Name extends string> = Name extends `SVC_${infer Rest}` ? Camel<Rest> : Camel<Name>;

/** The key of a setting in the loaded object. */
export function keyName<Name extends string>(name: Name): KeyName<Name> {
  const words = name.replace(/^SVC_/, '').toLowerCase().split('_');
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('') as KeyName<Name>;
}

type Table = typeof settingsTable;
type ValueOf<Row> = Row extends Setting<infer T> ? T : never;

/** The loaded values with their types, such as `scanBatchSize: number` and `secretKey: string | undefined`. */
export type SettingValues = { readonly [Name in keyof Table & string as KeyName<Name>]: ValueOf<Table[Name]> };

export type SettingName = keyof Table & string;
export type SettingSource = 'default' | 'environment' | 'file';

/** The key under which the source of each value is stored. A symbol is copied when the settings are spread, but not listed as a setting. */
export const sourcesKey: unique symbol = Symbol('sources');

/** All settings, read once at start and immutable. */
export type Settings = SettingValues & { readonly [sourcesKey]: ReadonlyMap<string, SettingSource> };
