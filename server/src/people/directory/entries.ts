import type { Entry } from 'ldapts';
import { bytesOf, decodeGuid, decodeSid, textsOf } from '../../platform/ldap/index.ts';

/** One object as it is stored. */
export interface DirectoryObject {
  object_guid: string;
  object_sid: string | null;
  sam_account_name: string | null;
  display_name: string | null;
  user_principal_name: string | null;
  distinguished_name: string;
  kind: 'user' | 'group' | 'computer' | 'other';
  domain: string | null;
  uid_number: number | null;
  gid_number: number | null;
  disabled: boolean;
  member_of: string[];
}

export interface AttributeNames {
  sid: string;
  guid: string;
  displayName: string;
  sam: string;
  upn: string;
  memberOf: string;
}

const accountDisabled = 2;

/** Null for an entry without a unique identifier. */
export function toObject(entry: Entry, names: AttributeNames, domain: string | null): DirectoryObject | null {
  const first = (name: string): string | null => textsOf(entry[name])[0]?.slice(0, 1000) ?? null;
  const guid = decodeGuid(bytesOf(entry[names.guid])) ?? first('entryUUID');
  if (!guid) return null;
  const sid = decodeSid(bytesOf(entry[names.sid]));
  const kind = kindOf(textsOf(entry['objectClass']).map((name) => name.toLowerCase()));
  // A foreign security principal stands for somebody of another domain. Its name is only the SID again.
  const isForeign = kind === 'foreign';
  return {
    object_guid: guid,
    object_sid: sid,
    sam_account_name: isForeign ? null : (first(names.sam) ?? first('uid') ?? first('cn')),
    display_name: isForeign ? null : (first(names.displayName) ?? first('cn')),
    user_principal_name: first(names.upn),
    distinguished_name: entry.dn,
    kind: isForeign ? 'other' : kind,
    domain: isForeign ? null : (domain ?? domainOf(entry.dn)),
    uid_number: numberOf(first('uidNumber')),
    gid_number: numberOf(first('gidNumber')),
    disabled: (Number(first('userAccountControl') ?? 0) & accountDisabled) !== 0,
    member_of: [...textsOf(entry[names.memberOf]).map((dn) => dn.toLowerCase()), ...primaryGroup(sid, first('primaryGroupID'))],
  };
}

/** The primary group is not in memberOf. It is kept as its SID, which cannot be taken for a DN. */
function primaryGroup(sid: string | null, rid: string | null): string[] {
  return sid && rid ? [`sid:${sid.slice(0, sid.lastIndexOf('-'))}-${rid}`] : [];
}

function kindOf(classes: readonly string[]): DirectoryObject['kind'] | 'foreign' {
  if (classes.includes('computer')) return 'computer';
  if (classes.some((name) => ['group', 'groupofnames', 'groupofuniquenames', 'posixgroup'].includes(name))) return 'group';
  if (classes.includes('foreignsecurityprincipal')) return 'foreign';
  return classes.some((name) => ['user', 'person', 'inetorgperson', 'posixaccount'].includes(name)) ? 'user' : 'other';
}

const numberOf = (text: string | null): number | null => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);
const domainOf = (dn: string): string | null => /(?:^|,)\s*dc=([^,]+)/i.exec(dn)?.[1]?.toUpperCase() ?? null;
