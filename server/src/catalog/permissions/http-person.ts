import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import { accountNamed } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { hasScope } from '../../platform/principal.ts';
import { fieldProblem, notFound } from '../../platform/problem.ts';
import { Id, noExtraFields, Time } from '../../platform/schemas.ts';
import { named } from './describe.ts';
import { knownPeople } from './known-people.ts';
import { changesFor } from './person-changes.ts';
import { groupsOf, PrincipalText, requirePrincipal } from './principal-parameter.ts';
import { readableFolders } from './readable.ts';
import { explainFolder } from './reasons.ts';
import { FolderReasonsOut, PersonChangesOut, ReadableFoldersOut } from './schemas.ts';

const tags = ['permissions'];
const read = { scope: 'read' } as const;
const FolderPath = Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$', default: '' });
const RightName = Type.Enum(['read', 'write'], { default: 'read' });
const cleaned = (folder: string): string => folder.replace(/^\/+|\/+$/g, '');

/** What one person or group can read or change, why, and how that changed. */
export function personRoutes(app: App, { db }: Dependencies): void {
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
            right: Type.Optional(RightName),
            library_id: Type.Optional(Id),
            parent: Type.Optional(Type.String({ ...FolderPath, description: 'Needs library_id.' })),
            at: Type.Optional(
              Type.String({
                ...Time,
                description: 'A past time. Permissions and folders are those of that time, groups those of today. Reasons are left out.',
              }),
            ),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 200 })),
          },
          noExtraFields,
        ),
        response: { 200: ReadableFoldersOut },
      },
    },
    async (request) => {
      const { principal, right = 'read', library_id: libraryId, parent = '', at: given, limit = 200 } = request.query;
      if (parent !== '' && libraryId === undefined)
        throw fieldProblem(['query', 'parent'], 'A folder needs its library. Send library_id too.');
      const at = given === undefined ? undefined : new Date(given);
      if (at && at > new Date()) throw fieldProblem(['query', 'at'], 'Choose a date in the past.', 'range');
      const accounts = await knownPeople(db);
      const who = requirePrincipal(principal, accounts);
      const caller = callerOf(request);
      const visibility = await visibilityOf(db, caller);
      // Sign-ins of others are for administrators.
      const account = hasScope(caller.scopes, 'admin') && who.name !== null ? await accountNamed(db, who.name) : null;
      return {
        principal: named(who.principal, accounts),
        // Only callers who may see permissions somewhere are told the groups of a person.
        groups: visibility.scope('view_permissions')?.length === 0 ? [] : groupsOf(who, accounts),
        account,
        ...(await readableFolders(db, visibility, who, { libraryId, parent: cleaned(parent), right, limit, at })),
      };
    },
  );

  app.get(
    '/permissions/folder-reasons',
    {
      config: read,
      schema: {
        tags,
        summary: 'Explain why a person or group can or cannot read or change the files below a folder',
        querystring: Type.Object(
          { principal: PrincipalText, right: Type.Optional(RightName), library_id: Id, folder: Type.Optional(FolderPath) },
          noExtraFields,
        ),
        response: { 200: FolderReasonsOut },
      },
    },
    async (request) => {
      const { principal, right = 'read', library_id: libraryId, folder = '' } = request.query;
      const accounts = await knownPeople(db);
      const who = requirePrincipal(principal, accounts);
      const visibility = await visibilityOf(db, callerOf(request));
      const reasons = await explainFolder(db, visibility, who, { libraryId, folder: cleaned(folder), right });
      if (!reasons) throw notFound('folder');
      return {
        principal: named(who.principal, accounts),
        folders: reasons.folders,
        files: reasons.files.map(({ inFolder, ...each }) => ({ ...each, in_folder: inFolder })),
      };
    },
  );

  app.get(
    '/permissions/person-changes',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the newest changes of permissions that let a person or group in or kept them out',
        querystring: Type.Object({ principal: PrincipalText, right: Type.Optional(RightName) }, noExtraFields),
        response: { 200: PersonChangesOut },
      },
    },
    async (request) => {
      const { principal, right = 'read' } = request.query;
      const who = requirePrincipal(principal, await knownPeople(db));
      const changes = await changesFor(db, await visibilityOf(db, callerOf(request)), who, right);
      return { changes: changes.map((change) => ({ ...change, changed_at: change.changed_at.toISOString() })) };
    },
  );
}
