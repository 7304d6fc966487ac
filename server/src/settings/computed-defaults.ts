import { isAbsolute, join } from 'node:path';
import type { Host } from './host.ts';
import type { SettingValues } from './settings-type.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What is still missing when defaults depend on other values; the config folder may not be known yet. */
export type PartialValues = Mutable<SettingValues> & { configDir: string | undefined };

/** Fills in the defaults that depend on the machine or on other settings, in the order in which they need each other. */
export function fillComputedDefaults(values: PartialValues, host: Host, env: Readonly<Record<string, string | undefined>>): void {
  values.configDir ??= defaultConfigDir(host, env);
  values.shareMapPath ??= join(values.configDir, 'share-map.json');
  values.agentReleasesDir ??= join(values.configDir, 'agent-releases');
  values.browseRoots ??= values.mediaPath ? [values.mediaPath] : defaultBrowseRoots(host);
  values.databaseUrl = withPassword(values.databaseUrl, values.dbPassword);
  values.queueDsn = values.queueDsn ? withPassword(values.queueDsn, values.dbPassword) : values.databaseUrl;
  values.ldapDirectoryUserBase ??= values.ldapUserBase;
  values.ldapDirectoryGroupBase ??= values.ldapGroupBase;
  if (values.modelHubToken && isPlaceholder(values.modelHubToken)) values.modelHubToken = undefined;
}

/** A value that an example file ships and nobody replaced. */
export function isPlaceholder(value: string): boolean {
  return /^(<.*>|change[-_ ]?(me|this).*|placeholder|your[-_ ].*|x{3,}|hf_x+|\.{3})$/i.test(value.trim());
}

function defaultConfigDir(host: Host, env: Readonly<Record<string, string | undefined>>): string {
  if (host.isDirectory('/config') && host.isWritable('/config')) return '/config';
  const dataHome = env['XDG_DATA_HOME'];
  // The desktop specification says a relative value is to be ignored.
  return join(dataHome && isAbsolute(dataHome) ? dataHome : join(host.homeDir, '.local/share'), 'catalog');
}

function defaultBrowseRoots(host: Host): string[] {
  return [host.homeDir, ...['/media', '/mnt', '/data'].filter((folder) => host.isDirectory(folder))];
}

function withPassword(address: string | undefined, password: string | undefined): string | undefined {
  const parsed = address && password ? URL.parse(address) : null;
  if (!parsed?.username || parsed.password || !password) return address;
  // The setter alone would leave a percent sign as it is, and the driver would decode it.
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}
