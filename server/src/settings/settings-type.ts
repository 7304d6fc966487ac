import type { Setting } from './setting.ts';
import type { settingsTable } from './table/index.ts';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Lowercase<Head>}${CamelTail<Rest>}` : Lowercase<Name>;
type CamelTail<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Capitalize<Lowercase<Head>>}${CamelTail<Rest>}`
  : Capitalize<Lowercase<Name>>;

/** SVC_SCAN_BATCH_SIZE is scanBatchSize; MEDIA_PATH is mediaPath. */
export type KeyName<Name extends string> = Name extends `SVC_${infer Rest}` ? Camel<Rest> : Camel<Name>;

/** The key of a setting in the loaded object. */
export function keyName<Name extends string>(name: Name): KeyName<Name> {
  const words = name.replace(/^SVC_/, '').toLowerCase().split('_');
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('') as KeyName<Name>;
}

type Table = typeof settingsTable;
type ValueOf<Row> = Row extends Setting<infer T> ? T : never;

/** The loaded values, typed by the table: scanBatchSize is a number, secretKey a text or undefined. */
export type SettingValues = { readonly [Name in keyof Table & string as KeyName<Name>]: ValueOf<Table[Name]> };

export type SettingName = keyof Table & string;
export type Source = 'default' | 'environment' | 'file';

/** Keeps where each value came from beside the values; a spread copies it along. */
export const sourcesKey: unique symbol = Symbol('sources');

/** Everything the service may be told from outside, read once at start and never changed. */
export type Settings = SettingValues & { readonly [sourcesKey]: ReadonlyMap<string, Source> };
