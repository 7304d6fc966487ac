import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { noExtraFields, nullable } from '../../platform/schemas.ts';
import { ShareMapEntryOut } from './schemas.ts';
import { createShareMap, findShare, readEntry, type ShareMapEntry } from './share-map.ts';
import { allLibraries } from './store.ts';

const tags = ['libraries'];
const optional = Type.Optional(nullable(Type.String({ maxLength: 4096 })));
const EntriesIn = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          container_prefix: Type.String({ maxLength: 4096 }),
          share_url: Type.String({ maxLength: 4096, description: 'Names and passwords in it are dropped.' }),
          unc: optional,
          storage_type: optional,
          host: optional,
        },
        noExtraFields,
      ),
      { maxItems: 1000 },
    ),
  },
  noExtraFields,
);
const Preview = Type.Array(
  Type.Object({
    library: Type.String(),
    root_path: Type.String(),
    share_url: nullable(Type.String()),
    unc: nullable(Type.String()),
    source: Type.Enum(['manual', 'mount-map', 'none']),
  }),
);

/** The share map over HTTP: the file stays the only place where it is kept, so that an operator may also write it by hand. */
export function shareMapRoutes(app: App, { db, settings, log }: Dependencies): void {
  const shareMap = createShareMap(settings.shareMapPath, log.child('share-map'));

  app.get(
    '/system/share-map',
    {
      config: { scope: 'read' },
      schema: { tags, summary: 'List folders with their network addresses', response: { 200: Type.Array(ShareMapEntryOut) } },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      if (visibility.unrestricted) return shareMap();
      // An entry names folders of other libraries too, so only those are listed that give an address to a library of the caller.
      const seen = (await allLibraries(db)).filter(({ id }) => visibility.mayEnter(id));
      return shareMap().filter((entry) =>
        seen.some((library) => findShare({ ...library, share_prefix: null }, [entry]).source === 'mount-map'),
      );
    },
  );

  app.put(
    '/system/share-map',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Replace the share map',
        body: Type.Object(
          {
            ...EntriesIn.properties,
            expected: Type.Optional(
              Type.Array(ShareMapEntryOut, {
                maxItems: 1000,
                description: 'What the map held when the caller read it. If it has changed, nothing is saved (409).',
              }),
            ),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(ShareMapEntryOut) },
      },
    },
    async (request) => {
      const entries = readEntries(request.body.entries);
      const { expected } = request.body;
      // A request may be repeated because its answer was lost.
      const isUnchanged = [expected, entries].some((each) => isDeepStrictEqual(each, shareMap()));
      if (expected && !isUnchanged) throw problem('edited_meanwhile');
      writeMap(settings.shareMapPath, entries);
      const { principalId, ip } = actorOf(request);
      await recordEvent(db, { event_type: 'share_map_changed', principal_id: principalId, ip, details: { entries: entries.length } });
      return shareMap();
    },
  );

  app.post(
    '/system/share-map/preview',
    {
      config: { scope: 'admin' },
      schema: { tags, summary: 'See which address each library would get', body: EntriesIn, response: { 200: Preview } },
    },
    async (request) => {
      const entries = readEntries(request.body.entries);
      return (await allLibraries(db)).map((library) => {
        const { prefix, unc, source } = findShare(library, entries);
        return { library: library.name, root_path: library.root_path, share_url: prefix, unc, source };
      });
    },
  );
}

function readEntries(given: readonly Record<string, unknown>[]): ShareMapEntry[] {
  const seen = new Set<string>();
  return given.map((entry, at) => {
    const read = readEntry(entry);
    if (typeof read === 'string') throw fieldProblem(['body', 'entries', at], read);
    if (seen.has(read.container_prefix)) throw fieldProblem(['body', 'entries', at, 'container_prefix'], 'Another entry has this folder.');
    seen.add(read.container_prefix);
    return read;
  });
}

/** Replaces the file in one step. */
function writeMap(file: string, entries: readonly ShareMapEntry[]): void {
  const partial = `${file}.partial`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(partial, `${JSON.stringify(entries, null, 2)}\n`);
    renameSync(partial, file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EISDIR', 'ENOTDIR'].includes(code)) throw error;
    throw problem(
      'conflict',
      `The share map ${file} cannot be written here (${code}). Edit the file where it is kept; changes apply at once.`,
    );
  }
}
