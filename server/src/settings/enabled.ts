import { keyName, type SettingName, type Settings } from './settings-type.ts';
import { settingsNotBuilt } from './table/not-built.ts';

const notBuilt = new Set(settingsNotBuilt);

/** Whether this version has no code for the setting. */
export function hasNoEffect(name: string): boolean {
  return notBuilt.has(name);
}

/** Whether a switch is on and its capability is part of this version. */
export function isEnabled(settings: Settings, name: SettingName & `${string}_ENABLED`): boolean {
  return !hasNoEffect(name) && settings[keyName(name)] === true;
}
