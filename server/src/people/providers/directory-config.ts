import type { Dependencies } from '../../platform/dependencies.ts';
import { readConfig, type Values } from './config.ts';
import type { LdapConfig } from './fields.ts';
import { endpointsOf, type LdapEndpoint } from './ldap/endpoints.ts';

/** How the directories are read for the sync. */
export interface DirectoryConfig {
  enabled: boolean;
  endpoints: LdapEndpoint[];
  userFilter: string;
  groupFilter: string;
  attributes: { sid: string; guid: string; displayName: string; sam: string; upn: string; memberOf: string };
  domain: string | null;
  pageSize: number;
  maxObjects: number;
}

interface DirectoryValues {
  sync_enabled: boolean;
  user_base: string | null;
  group_base: string | null;
  user_filter: string;
  group_filter: string;
  attr_object_sid: string;
  attr_object_guid: string;
  attr_display_name: string;
  attr_sam: string;
  attr_upn: string;
  attr_member_of_dir: string;
  domain: string | null;
  page_size: number;
  max_objects: number;
  directories: readonly Readonly<Record<string, string>>[];
}

export async function readDirectoryConfig(deps: Pick<Dependencies, 'db' | 'settings'>): Promise<DirectoryConfig> {
  const ldap = (await readConfig(deps, 'ldap')).values as unknown as LdapConfig;
  const values = (await readConfig(deps, 'directory')).values as unknown as DirectoryValues;
  return {
    enabled: values.sync_enabled,
    endpoints: endpointsFor(ldap, values),
    userFilter: values.user_filter,
    groupFilter: values.group_filter,
    attributes: {
      sid: values.attr_object_sid,
      guid: values.attr_object_guid,
      displayName: values.attr_display_name,
      sam: values.attr_sam,
      upn: values.attr_upn,
      memberOf: values.attr_member_of_dir,
    },
    domain: values.domain,
    pageSize: values.page_size,
    maxObjects: values.max_objects,
  };
}

function endpointsFor(ldap: LdapConfig, values: DirectoryValues): LdapEndpoint[] {
  const bases = { user_base: values.user_base ?? ldap.user_base, group_base: values.group_base ?? ldap.group_base };
  return withOwnLabels(endpointsOf({ ...ldap, ...bases }, values.directories));
}

/** The labels of the directories with these values, which need no secrets and no file with a certificate. */
export function labelsOf(ldap: Values, directory: Values): string[] {
  const endpoints = endpointsFor({ ...(ldap as unknown as LdapConfig), ca_file: null }, directory as unknown as DirectoryValues);
  return endpoints.map(({ label }) => label);
}

/** Objects and the state of the sync are kept by label, so two directories at one server need labels of their own. */
function withOwnLabels(endpoints: readonly LdapEndpoint[]): LdapEndpoint[] {
  const taken = new Set<string>();
  return endpoints.map((endpoint, at) => {
    const { label, userBase } = endpoint;
    const own = [label, `${label} (${userBase})`].find((each) => !taken.has(each)) ?? `${label} (${at + 1})`;
    taken.add(own);
    return { ...endpoint, label: own };
  });
}
