export { describeSettings, type SettingRow } from './describe.ts';
export { settingsForTests } from './load.ts';
export { formatSettingsErrors, type LoadedSettings, loadSettings } from './load.ts';
export type { Settings, Source } from './settings-type.ts';
export type { DirectoryEndpoint } from './table/index.ts';
