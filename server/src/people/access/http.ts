import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { hasScope } from '../../platform/principal.ts';
import { actionHelp, actions } from './decide.ts';
import { createGrant, deleteGrant, listGrants } from './grants.ts';
import {
  createPrincipalGroup,
  deletePrincipalGroup,
  listMembers,
  listPrincipalGroups,
  setMembership,
  updatePrincipalGroup,
} from './groups.ts';
import { accessOverview } from './overview.ts';
import { createRole, deleteRole, listRoles, type RoleRow, requireRole, updateRole } from './roles.ts';
import {
  AccessDecisionOut,
  AccessOverviewOut,
  GrantCreateIn,
  GrantOut,
  GroupCreateIn,
  GroupPatchIn,
  MemberIn,
  MemberOut,
  PrincipalGroupOut,
  RoleCompareOut,
  RoleCreateIn,
  RoleOut,
  RolePatchIn,
} from './schemas.ts';
import { explainDecision } from './visibility.ts';

const tags = ['access'];
const config = { scope: 'admin' } as const;
const params = Type.Object({ name: Type.String({ maxLength: 32 }) });
const scopeHelp = {
  read: 'Search and view.',
  write: 'Edit tags and notes, start scans.',
  admin: 'Set up libraries, accounts and the service.',
};

function present(role: RoleRow) {
  return { ...role, updated_at: role.updated_at.toISOString() };
}

function roleRoutes(app: App, deps: Dependencies): void {
  const { db } = deps;
  app.get('/rbac/roles', { config, schema: { tags, summary: 'List roles', response: { 200: Type.Array(RoleOut) } } }, async () =>
    (await listRoles(db)).map(present),
  );

  app.post(
    '/rbac/roles',
    { config, schema: { tags, summary: 'Create a role', body: RoleCreateIn, response: { 201: RoleOut } } },
    async (request, reply) => reply.code(201).send(present(await createRole(db, request.body, actorOf(request)))),
  );

  app.get('/rbac/roles/compare', { config, schema: { tags, summary: 'Compare roles', response: { 200: RoleCompareOut } } }, async () => {
    const roles = await listRoles(db);
    const people = await db.selectFrom('principals').select(['username', 'global_role']).orderBy('username').execute();
    const scopes = ['read', 'write', 'admin'] as const;
    const matrix = Object.fromEntries(
      roles.map((role) => [
        role.name,
        Object.fromEntries([
          ...scopes.map((scope) => [scope, hasScope(role.scopes, scope)]),
          ...actions.map((action) => [action, role.bypass || role.ceiling_actions.includes(action)]),
        ]),
      ]),
    );
    const users_by_role = Object.fromEntries(
      roles.map(({ name }) => [name, people.filter((person) => person.global_role === name).map((person) => person.username)]),
    );
    return {
      scopes: [...scopes],
      actions: [...actions],
      action_help: actionHelp,
      scope_help: scopeHelp,
      roles: roles.map(present),
      matrix,
      users_by_role,
    };
  });

  app.patch(
    '/rbac/roles/:name',
    { config, schema: { tags, summary: 'Update a custom role', params, body: RolePatchIn, response: { 200: RoleOut } } },
    async (request) => {
      await requireRole(db, request.params.name);
      return present(await updateRole(db, request.params.name, request.body, actorOf(request)));
    },
  );

  app.delete(
    '/rbac/roles/:name',
    { config, schema: { tags, summary: 'Delete a custom role', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await deleteRole(deps, request.params.name, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

const Nothing = Type.Null();
const Id = Type.String({ format: 'uuid' });
const groupParams = Type.Object({ group_id: Id });

function grantRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/rbac/actions',
    {
      config,
      schema: {
        tags,
        summary: 'List actions a grant can name',
        response: {
          200: Type.Object({ actions: Type.Array(Type.String()), role_ceilings: Type.Record(Type.String(), Type.Array(Type.String())) }),
        },
      },
    },
    async () => ({
      actions: [...actions],
      role_ceilings: Object.fromEntries((await listRoles(db)).map((role) => [role.name, role.ceiling_actions])),
    }),
  );

  app.get(
    '/rbac/grants',
    {
      config,
      schema: {
        tags,
        summary: 'List grants',
        querystring: Type.Object({ subject_id: Type.Optional(Id), library_id: Type.Optional(Id) }),
        response: { 200: Type.Array(GrantOut) },
      },
    },
    async ({ query }) => (await listGrants(db, query)).map((grant) => ({ ...grant, warnings: [] })),
  );

  app.post(
    '/rbac/grants',
    {
      config,
      schema: {
        tags,
        summary: 'Create a grant that allows or denies an action below a folder',
        body: GrantCreateIn,
        response: { 201: GrantOut },
      },
    },
    async (request, reply) => {
      const { grant, warnings } = await createGrant(db, request.body, actorOf(request));
      return reply.code(201).send({ ...grant, warnings });
    },
  );

  app.delete(
    '/rbac/grants/:grant_id',
    { config, schema: { tags, summary: 'Revoke a grant', params: Type.Object({ grant_id: Id }), response: { 204: Nothing } } },
    async (request, reply) => {
      await deleteGrant(db, request.params.grant_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/rbac/preview',
    {
      config,
      schema: {
        tags,
        summary: 'Explain whether a person may do something at a path',
        querystring: Type.Object({
          principal: Id,
          library: Id,
          path: Type.String({ maxLength: 4096 }),
          action: Type.String({ maxLength: 64 }),
        }),
        response: { 200: AccessDecisionOut },
      },
    },
    async ({ query }) => await explainDecision(db, query),
  );
}

function overviewRoute(app: App, { db }: Dependencies): void {
  app.get(
    '/rbac/people/:principal_id',
    {
      config,
      schema: {
        tags,
        summary: 'Get what a person may do, and where each right comes from',
        params: Type.Object({ principal_id: Id }),
        response: { 200: AccessOverviewOut },
      },
    },
    async ({ params: { principal_id } }) => accessOverview(db, principal_id),
  );
}

function groupRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/rbac/groups',
    { config, schema: { tags, summary: 'List groups', response: { 200: Type.Array(PrincipalGroupOut) } } },
    async () => listPrincipalGroups(db),
  );

  app.post(
    '/rbac/groups',
    { config, schema: { tags, summary: 'Create a group', body: GroupCreateIn, response: { 201: PrincipalGroupOut } } },
    async (request, reply) => reply.code(201).send(await createPrincipalGroup(db, request.body, actorOf(request))),
  );

  app.patch(
    '/rbac/groups/:group_id',
    { config, schema: { tags, summary: 'Update a group', params: groupParams, body: GroupPatchIn, response: { 200: PrincipalGroupOut } } },
    async (request) => updatePrincipalGroup(db, request.params.group_id, request.body, actorOf(request)),
  );

  app.delete(
    '/rbac/groups/:group_id',
    { config, schema: { tags, summary: 'Delete a group and its grants', params: groupParams, response: { 204: Nothing } } },
    async (request, reply) => {
      await deletePrincipalGroup(db, request.params.group_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/rbac/groups/:group_id/members',
    { config, schema: { tags, summary: 'List members of a group', params: groupParams, response: { 200: Type.Array(MemberOut) } } },
    async (request) => listMembers(db, request.params.group_id),
  );

  app.post(
    '/rbac/groups/:group_id/members',
    { config, schema: { tags, summary: 'Add a member to a group', params: groupParams, body: MemberIn, response: { 204: Nothing } } },
    async (request, reply) => {
      await setMembership(db, request.params.group_id, request.body.principal_id, true, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/rbac/groups/:group_id/members/:principal_id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a member from a group',
        params: Type.Object({ group_id: Id, principal_id: Id }),
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      await setMembership(db, request.params.group_id, request.params.principal_id, false, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

export function accessRoutes(app: App, deps: Dependencies): void {
  roleRoutes(app, deps);
  groupRoutes(app, deps);
  grantRoutes(app, deps);
  overviewRoute(app, deps);
}
