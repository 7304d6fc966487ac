import { type SettingName, type Settings, sourcesKey } from './settings-type.ts';

/** Whether the environment or the environment file sets the value, as opposed to its default. */
export function isSet(settings: Settings, name: SettingName): boolean {
  return (settings[sourcesKey].get(name) ?? 'default') !== 'default';
}
