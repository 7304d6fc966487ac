import { isAbsolute, join } from 'node:path';
import type { Host } from './host.ts';
import type { SettingValues } from './settings-type.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The settings before computed defaults are filled in; the config folder may be unset. */
export type PartialValues = Mutable<SettingValues> & { configDir: string | undefined };

/** Fills in the defaults that depend on the machine or on other settings. The order matters: later defaults use earlier ones. */
export function fillComputedDefaults(values: PartialValues, host: Host, env: Readonly<Record<string, string | undefined>>): void {
  values.configDir ??= defaultConfigDir(host, env);
  values.shareMapPath ??= join(values.configDir, 'share-map.json');
  values.agentReleasesDir ??= join(values.configDir, 'agent-releases');
  values.browseRoots ??= values.mediaPath ? [values.mediaPath] : defaultBrowseRoots(host);
  values.databaseUrl = withPassword(values.databaseUrl, values.dbPassword);
  values.queueDsn = values.queueDsn ? withPassword(values.queueDsn, values.dbPassword) : values.databaseUrl;
  values.databaseReplicaUrl = withPassword(values.databaseReplicaUrl, values.dbPassword);
  values.ldapDirectoryUserBase ??= values.ldapUserBase;
  values.ldapDirectoryGroupBase ??= values.ldapGroupBase;
  if (values.modelHubToken && isPlaceholder(values.modelHubToken)) values.modelHubToken = undefined;
}

/** Whether a value is a placeholder from an example file. */
export function isPlaceholder(value: string): boolean {
  return /^(<.*>|change[-_ ]?(me|this).*|placeholder|your[-_ ].*|x{3,}|hf_x+|\.{3})$/i.test(value.trim());
}

function defaultConfigDir(host: Host, env: Readonly<Record<string, string | undefined>>): string {
  if (host.isDirectory('/config') && host.isWritable('/config')) return '/config';
  const dataHome = env['XDG_DATA_HOME'];
  // The XDG specification says that a relative path must be ignored.
  return join(dataHome && isAbsolute(dataHome) ? dataHome : join(host.homeDir, '.local/share'), 'catalog');
}

function defaultBrowseRoots(host: Host): string[] {
  return [host.homeDir, ...['/media', '/mnt', '/data'].filter((folder) => host.isDirectory(folder))];
}

function withPassword(address: string | undefined, password: string | undefined): string | undefined {
  const parsed = address && password ? URL.parse(address) : null;
  if (!parsed?.username || parsed.password || !password) return address;
  // The URL setter does not encode percent signs, but the driver decodes them.
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}
