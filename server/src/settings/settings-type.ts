import type { KeyName } from './key-name.ts';
import type { Setting } from './setting.ts';
import type { settingsTable } from './table/index.ts';

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
