import { Type } from 'typebox';
import { type Visibility, visibilityOf } from '../../people/access/index.ts';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { notFound } from '../../platform/problem.ts';
import { Id, NoContent } from '../../platform/schemas.ts';
import { createStageReader } from '../stages/index.ts';
import { libraryContentRoutes, libraryDiagnosisRoutes } from './http-content.ts';
import { shareMapRoutes } from './http-share-map.ts';
import { presentForCaller, presentLibraries } from './present.ts';
import { LibraryIn, LibraryOut, LibraryUpdate } from './schemas.ts';
import { createLibrary, deleteLibrary, updateLibrary } from './service.ts';
import { createShareMap } from './share-map.ts';
import { allLibraries, libraryById, readableLibrary } from './store.ts';

const tags = ['libraries'];
const read = { scope: 'read' } as const;
const admin = { scope: 'admin' } as const;
const params = Type.Object({ library_id: Id });

function libraryCrudRoutes(app: App, deps: Dependencies): void {
  const readStages = createStageReader(deps.db);
  const { db, settings } = deps;
  const shareMap = createShareMap(settings.shareMapPath, deps.log.child('share-map'));
  const getLibrary = async (id: string, visibility: Visibility) => {
    const row = await libraryById(db, id);
    if (!row) throw notFound('library');
    return one(await presentLibraries(db, [row], shareMap(), visibility, readStages));
  };

  app.get(
    '/libraries',
    { config: read, schema: { tags, summary: 'List libraries with their newest scan', response: { 200: Type.Array(LibraryOut) } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const rows = (await allLibraries(db)).filter(({ id }) => visibility.mayEnter(id));
      return (await presentLibraries(db, rows, shareMap(), visibility, readStages)).map((each) => presentForCaller(each, visibility));
    },
  );

  app.post(
    '/libraries',
    { config: admin, schema: { tags, summary: 'Create a library', body: LibraryIn, response: { 201: LibraryOut } } },
    async (request, reply) =>
      reply
        .code(201)
        .send(await getLibrary(await createLibrary(deps, request.body, actorOf(request)), await visibilityOf(db, callerOf(request)))),
  );

  app.get(
    '/libraries/:library_id',
    { config: read, schema: { tags, summary: 'Get a library', params, response: { 200: LibraryOut } } },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const { id } = await readableLibrary(db, visibility, request.params.library_id);
      return presentForCaller(await getLibrary(id, visibility), visibility);
    },
  );

  app.patch(
    '/libraries/:library_id',
    { config: admin, schema: { tags, summary: 'Update a library', params, body: LibraryUpdate, response: { 200: LibraryOut } } },
    async (request) => {
      await updateLibrary(deps, request.params.library_id, request.body, actorOf(request));
      return getLibrary(request.params.library_id, await visibilityOf(db, callerOf(request)));
    },
  );

  app.delete(
    '/libraries/:library_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Delete a library (files on disk are kept)',
        params,
        querystring: Type.Object({ confirm: Type.String({ description: 'The exact name of the library.', maxLength: 400 }) }),
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await deleteLibrary(db, request.params.library_id, request.query.confirm, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

export function libraryRoutes(app: App, deps: Dependencies): void {
  libraryCrudRoutes(app, deps);
  shareMapRoutes(app, deps);
  libraryContentRoutes(app, deps);
  libraryDiagnosisRoutes(app, deps);
}
