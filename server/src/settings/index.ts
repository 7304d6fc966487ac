export { describeSettings } from './describe.ts';
export { isEnabled } from './enabled.ts';
export { isSet } from './is-set.ts';
export { formatSettingsErrors, givenSettings, loadSettings, settingsForTests } from './load.ts';
export type { Settings } from './settings-type.ts';
