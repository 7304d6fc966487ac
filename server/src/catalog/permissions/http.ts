import { groupPrincipal, sidPrincipal } from '@catalog/scanner';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import { describeAcl, explainAccess, isWorldReadable, listAccess, loadAccess, named } from './describe.ts';
import { accessHistory } from './history.ts';
import { type KnownPeople, knownPeople } from './known-people.ts';
import { type ResolvedPrincipal, resolvePrincipal } from './principals.ts';
import { readableFolders } from './readable.ts';
import { AccessCheckOut, ItemPermissionsOut, ReadableFoldersOut } from './schemas.ts';
import { type ItemAccess, itemAccess } from './store.ts';

const tags = ['permissions'];
const read = { scope: 'read' } as const;
const params = Type.Object({ item_id: Id });
const PrincipalText = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\u0000]*$',
  description: 'A user or group name of this machine or a directory, `uid:1000`, `gid:100`, a SID, or `everyone`.',
});

export function permissionRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/permissions/readable-folders',
    {
      config: read,
      schema: {
        tags,
        summary: 'List folders with the number of files that a person or group can read or change on disk',
        querystring: Type.Object(
          {
            principal: PrincipalText,
            right: Type.Optional(Type.Enum(['read', 'write'], { default: 'read' })),
            library_id: Type.Optional(Id),
            parent: Type.Optional(
              Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$', default: '', description: 'Needs library_id.' }),
            ),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 200 })),
          },
          noExtraFields,
        ),
        response: { 200: ReadableFoldersOut },
      },
    },
    async (request) => {
      const { principal, right = 'read', library_id: libraryId, parent = '', limit = 200 } = request.query;
      if (parent !== '' && libraryId === undefined)
        throw fieldProblem(['query', 'parent'], 'A folder needs its library. Send library_id too.');
      const accounts = await knownPeople(db);
      const who = requirePrincipal(principal, accounts);
      const visibility = await visibilityOf(db, callerOf(request));
      const folder = parent.replace(/^\/+|\/+$/g, '');
      return {
        principal: named(who.principal, accounts),
        groups: groupsOf(who, accounts),
        ...(await readableFolders(db, visibility, who, { libraryId, parent: folder, right, limit })),
      };
    },
  );

  app.get(
    '/items/:item_id/permissions',
    {
      config: read,
      schema: {
        tags,
        summary: 'Get who can read and change the file on disk, and since when',
        params,
        response: { 200: ItemPermissionsOut },
      },
    },
    async (request) => presentPermissions(db, await requireItem(db, callerOf(request), request.params.item_id)),
  );

  app.get(
    '/items/:item_id/permissions/check',
    {
      config: read,
      schema: {
        tags,
        summary: 'Check what one person or group can do with the file on disk',
        params,
        querystring: Type.Object({ principal: PrincipalText }),
        response: { 200: AccessCheckOut },
      },
    },
    async (request) => {
      const item = await requireItem(db, callerOf(request), request.params.item_id);
      const accounts = await knownPeople(db);
      const who = requirePrincipal(request.query.principal, accounts);
      const loaded = await loadAccess(db, item);
      if (!loaded) throw problem('unprocessable', 'The permissions of this file are not known. Turn them on for the library and scan it.');
      return {
        item_id: item.id,
        principal: named(who.principal, accounts),
        groups: groupsOf(who, accounts),
        read: explainAccess(loaded, who, 'read'),
        write: explainAccess(loaded, who, 'write'),
        execute: explainAccess(loaded, who, 'execute'),
      };
    },
  );
}

/** Groups of the machine and of the directory; classes such as Authenticated Users are not listed. */
const groupsOf = (who: ResolvedPrincipal, accounts: KnownPeople) =>
  [
    ...[...who.identity.gids].map((gid) => groupPrincipal(gid)),
    ...[...who.identity.sids].map((sid) => sidPrincipal(sid)).filter(({ kind, id }) => kind !== 'well_known' && !hasGid(id, accounts)),
  ]
    .filter(({ id }) => !who.ids.has(id))
    .map((principal) => named(principal, accounts));

const hasGid = (sid: string, { directory }: KnownPeople): boolean => typeof directory.bySid.get(sid)?.gid === 'number';

function requirePrincipal(text: string, accounts: KnownPeople): ResolvedPrincipal {
  const who = resolvePrincipal(text, accounts);
  if (!who)
    throw fieldProblem(
      ['query', 'principal'],
      `No user or group is named "${text.slice(0, 80)}". Use a name of this machine or of the directory, uid:1000, gid:100, a SID, or everyone.`,
      'unknown_principal',
    );
  return who;
}

/** An item whose permissions the caller may see. Invisible items are reported as not found, others as denied. */
async function requireItem(db: Db, caller: Principal, id: string): Promise<ItemAccess> {
  const visibility = await visibilityOf(db, caller);
  const item = await itemAccess(db, id);
  if (!item || !visibility.allows(item.library_id, item.rel_path, 'search_metadata')) throw notFound('item');
  if (!visibility.allows(item.library_id, item.rel_path, 'view_permissions')) throw problem('action_denied');
  return item;
}

async function presentPermissions(db: Db, item: ItemAccess) {
  const loaded = await loadAccess(db, item);
  const history = await accessHistory(db, item);
  const { rows: access = [], more = 0, people = null } = loaded ? listAccess(loaded) : {};
  return {
    item_id: item.id,
    state: stateOf(item),
    collected_at: loaded ? (item.last_full_scan_at?.toISOString() ?? null) : null,
    since: loaded ? (history[0]?.changed_at ?? item.first_seen.toISOString()) : null,
    world_readable: loaded ? isWorldReadable(loaded.access) : null,
    record: loaded ? describeAcl(loaded.access.acl, loaded.accounts) : null,
    people,
    access,
    access_more: more,
    history,
  };
}

function stateOf({ access_class, permissions_enabled, symlink_target }: ItemAccess): 'collected' | 'off' | 'symlink' | 'not_yet' {
  if (access_class !== null) return 'collected';
  return symlink_target !== null ? 'symlink' : permissions_enabled ? 'not_yet' : 'off';
}
