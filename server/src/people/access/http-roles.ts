import { hasScope } from '../../platform/principal.ts';
import { Type } from 'typebox';
import { type App, actorOf } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';

import { actionHelp, actions } from './decide.ts';
import { updateRole, createRole, deleteRole, listRoles, requireRole, type RoleRow } from './roles.ts';
import { RoleCompareOut, RoleCreateIn, RoleOut, RolePatchIn } from './schemas.ts';

const tags = ['access'];
const config = { scope: 'admin' } as const;
const params = Type.Object({ name: Type.String({ maxLength: 32 }) });
const scopeHelp = {
  read: 'Find and look.',
  write: 'Edit tags and notes, start scans.',
  admin: 'Set up libraries, accounts and the service.',
};

function present(role: RoleRow) {
  return { ...role, updated_at: role.updated_at.toISOString() } as never;
}

export function roleRoutes(app: App, { db }: Dependencies): void {
  app.get('/rbac/roles', { config, schema: { tags, summary: 'All roles', response: { 200: Type.Array(RoleOut) } } }, async () =>
    (await listRoles(db)).map(present),
  );

  app.post(
    '/rbac/roles',
    { config, schema: { tags, summary: 'Create a role', body: RoleCreateIn, response: { 201: RoleOut } } },
    async (request, reply) => reply.code(201).send(present(await createRole(db, request.body as never, actorOf(request)))),
  );

  app.get(
    '/rbac/roles/compare',
    { config, schema: { tags, summary: 'Roles side by side', response: { 200: RoleCompareOut } } },
    async () => {
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
    },
  );

  app.patch(
    '/rbac/roles/:name',
    { config, schema: { tags, summary: 'Change a custom role', params, body: RolePatchIn, response: { 200: RoleOut } } },
    async (request) => {
      await requireRole(db, request.params.name);
      return present(await updateRole(db, request.params.name, request.body as never, actorOf(request)));
    },
  );

  app.delete(
    '/rbac/roles/:name',
    { config, schema: { tags, summary: 'Delete a custom role', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await deleteRole(db, request.params.name, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}
