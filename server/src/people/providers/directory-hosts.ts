import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { endRemovedIssuers } from '../identity/index.ts';
import { readConfig, readPlainConfig, type Values } from './config.ts';
import { labelsOf } from './directory-config.ts';
import { hostOf } from './ldap/endpoints.ts';
import { saveDirectoryLabels } from './store.ts';

type Reading = Pick<Dependencies, 'db' | 'settings'>;
type Changes = Partial<Record<'ldap' | 'directory', Values>>;

/** The hosts of all directories, as they are stored with identities, also while people cannot sign in with them. */
function hostsOf(ldap: Values, directory: Values): string[] {
  const more = (directory['directories'] ?? []) as readonly Readonly<Record<string, string>>[];
  return [ldap['server'], ...more.map(({ server }) => server)].flatMap((url) => (typeof url === 'string' ? [hostOf(url)] : []));
}

/** With the values of a form that are not saved yet. */
export async function readDirectoryHosts(deps: Reading, changes: Changes = {}): Promise<{ enabled: boolean; hosts: string[] }> {
  const [{ values: ldap }, { values: directory }] = await Promise.all([
    readConfig(deps, 'ldap', changes.ldap),
    readConfig(deps, 'directory', changes.directory),
  ]);
  return { enabled: ldap['enabled'] === true, hosts: hostsOf(ldap, directory) };
}

/**
 * Ends what people have from directories that are no longer configured. One that is only switched off keeps everything. Only processes in which
 * people sign in may call this: a worker elsewhere need not know the directories of the environment. It notes for the workers which ones
 * there are.
 */
export async function endRemovedDirectories(deps: Reading, actor: Actor): Promise<number> {
  const [ldap, directory] = await Promise.all([readPlainConfig(deps, 'ldap'), readPlainConfig(deps, 'directory')]);
  await saveDirectoryLabels(deps.db, labelsOf(ldap.values, directory.values));
  return endRemovedIssuers(deps.db, 'ldap', hostsOf(ldap.values, directory.values), actor);
}
