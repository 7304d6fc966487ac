import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { Id, noExtraFields, Time } from '../../platform/schemas.ts';
import { describeAcl, explainAccess, isWorldReadable, listAccess, loadAccess, named } from './describe.ts';
import { compareTimes, describeChanges, loadTimeline, sinceWhen } from './history.ts';
import { personRoutes } from './http-person.ts';
import { knownPeople } from './known-people.ts';
import { groupsOf, PrincipalText, requirePrincipal } from './principal-parameter.ts';
import { resolvePrincipal } from './principals.ts';
import { AccessCheckOut, AccessCompareOut, ItemPermissionsOut } from './schemas.ts';
import { type ItemAccess, itemAccess } from './store.ts';

const tags = ['permissions'];
const read = { scope: 'read' } as const;
const params = Type.Object({ item_id: Id });
export function permissionRoutes(app: App, deps: Dependencies): void {
  const { db } = deps;
  personRoutes(app, deps);
  compareRoute(app, deps);
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

function compareRoute(app: App, { db }: Dependencies): void {
  app.get(
    '/items/:item_id/permissions/compare',
    {
      config: read,
      schema: {
        tags,
        summary: 'Compare who could read the file on disk at two times',
        params,
        querystring: Type.Object({ from: Time, to: Time }, noExtraFields),
        response: { 200: AccessCompareOut },
      },
    },
    async (request) => {
      const item = await requireItem(db, callerOf(request), request.params.item_id);
      const [from, to] = [new Date(request.query.from), new Date(request.query.to)];
      if (from > to) throw fieldProblem(['query', 'to'], 'The second date must be after the first.', 'range');
      return compareTimes(await loadTimeline(db, item), from, to);
    },
  );
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
  const timeline = await loadTimeline(db, item);
  const history = describeChanges(timeline);
  const { rows = [], more = 0, people = null } = loaded ? listAccess(loaded) : {};
  const access = rows.map((row) => {
    const who = resolvePrincipal(row.principal.id, timeline.accounts);
    return { ...row, since: ((who && sinceWhen(timeline, who)) ?? item.first_seen).toISOString() };
  });
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

function stateOf(item: ItemAccess): 'collected' | 'off' | 'agent_off' | 'symlink' | 'not_yet' {
  const { access_class, permissions_enabled, symlink_target, source_agent_id, machine } = item;
  if (access_class !== null) return 'collected';
  if (symlink_target !== null) return 'symlink';
  if (!permissions_enabled) return 'off';
  return source_agent_id !== null && machine === null ? 'agent_off' : 'not_yet';
}
