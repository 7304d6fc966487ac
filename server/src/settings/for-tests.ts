import { type Environment, formatSettingsErrors, loadSettings } from './load.ts';
import type { Settings } from './settings-type.ts';

/**
 * Settings for a test: the defaults plus what the test names, without any environment file. The config folder is a
 * place where nothing can be written, so that a test that forgets to name its own fails at once.
 */
export function settingsForTests(env: Environment = {}): Settings {
  const loaded = loadSettings({ SVC_CONFIG_DIR: '/dev/null/catalog', ...env }, { envFileText: '' });
  if (!loaded.ok) throw new Error(formatSettingsErrors(loaded.errors));
  return loaded.settings;
}
