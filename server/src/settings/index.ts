export { describeSettings } from './describe.ts';
export { formatSettingsErrors, loadSettings, settingsForTests } from './load.ts';
export type { Settings, Source } from './settings-type.ts';
