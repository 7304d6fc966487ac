import { type TSchema, Type } from 'typebox';
import { readableLibrary } from '../../catalog/libraries/index.ts';
import { describeEmbeddings } from '../../content/embeddings/index.ts';
import type { ThumbStore } from '../../content/thumbs/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { Id, nullable, Time } from '../../platform/schemas.ts';
import { checkSecretKey } from '../../platform/secrets/index.ts';
import { type SearchReader, SearchUnavailable } from '../../search/engines/index.ts';
import { readPause, readRebuild } from '../../search/projection/index.ts';
import { activeItems, byCategory, extractCounts, extractErrors, libraryCounts, queueCounts, timeline } from './store.ts';

const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema);
const Counts = Type.Record(Type.String(), Type.Integer());

const StatsOut = Type.Object({
  by_type: maybe(Type.Record(Type.String(), Type.Object({ count: Type.Integer(), bytes: Type.Number() }))),
  queues: maybe(Type.Record(Type.String(), Counts)),
  extract: maybe(Type.Object({ depth: Type.Integer(), running: Type.Integer(), done: Type.Integer(), failed: Type.Integer() })),
  extract_errors: maybe(Counts),
  meili: maybe(
    Type.Object({
      healthy: Type.Boolean(),
      document_count: Type.Integer(),
      postgres_items: Type.Integer(),
      drift: Type.Integer(),
      in_sync: Type.Boolean(),
    }),
  ),
  thumbs: maybe(Type.Object({ count: Type.Integer(), bytes: Type.Number(), budget_bytes: Type.Number(), over_budget: Type.Boolean() })),
  disk: maybe(
    Type.Object({
      status: Type.String(),
      paths: Type.Array(Type.Object({ label: Type.String(), free: Type.Number(), pct_free: Type.Number(), status: Type.String() })),
    }),
  ),
  semantic: maybe(
    Type.Object({
      enabled: Type.Boolean(),
      model: nullable(Type.String()),
      embedded_count: Type.Integer(),
      pending: Type.Integer(),
      fp_mismatches: Type.Integer(),
    }),
  ),
  key_fingerprints: maybe(Type.Object({ secret_key: Type.String(), ca_root: nullable(Type.String()) })),
  degraded: Type.Record(Type.String(), Type.String()),
});
const config = { scope: 'read' } as const;
const Count = Type.Integer();
const BucketName = Type.Enum(['day', 'month', 'year']);

const LibraryStats = Type.Object(
  {
    libraries: Type.Array(
      Type.Object({
        library_id: Id,
        name: Type.String(),
        is_agent: Type.Boolean(),
        file_count: Count,
        total_bytes: Count,
        sidecar_count: Count,
        missing_count: Count,
        trashed_count: Count,
      }),
    ),
    total_files: Count,
    total_bytes: Count,
  },
  { title: 'LibraryStatsResponse' },
);
const Timeline = Type.Object(
  {
    bucket: BucketName,
    library: nullable(Id),
    buckets: Type.Array(Type.Object({ start: Time, start_epoch: Count, end_epoch: Count, count: Count })),
    invalid_count: Type.Integer({ description: 'Files whose modification time is in the future or before 1970.' }),
    invalid_mtime_gte: Count,
  },
  { title: 'TimelineResponse' },
);

/** The state of the root of the authority for agents; null while agents are off. */
type CheckRoot = () => Promise<{ state: string; message: string | null } | null>;

export function statsRoutes(app: App, deps: Dependencies, reader: SearchReader, thumbs: ThumbStore, checkRoot: CheckRoot): void {
  dashboardRoutes(app, deps, reader, thumbs, checkRoot);
  libraryRoutes(app, deps);
}

/** Each section of the dashboard is computed separately; one that fails is listed under `degraded` and the rest is returned. */
function dashboardRoutes(app: App, { db, settings }: Dependencies, reader: SearchReader, thumbs: ThumbStore, checkRoot: CheckRoot): void {
  app.get(
    '/stats',
    { config, schema: { tags: ['insight'], summary: 'Get the dashboard numbers', response: { 200: StatsOut } } },
    async ({ principal }) => {
      const visibility = await visibilityOf(db, callerOf({ principal }));
      const { values, degraded } = await runSections(
        {
          by_type: () => byCategory(db, visibility),
          queues: () => queueCounts(db),
          extract: () => extractCounts(db, visibility),
          extract_errors: () => extractErrors(db, visibility),
          meili: async () => {
            const [{ documents }, items] = await Promise.all([
              reader.stats().catch(async (error: unknown) => {
                throw await explainIndex(db, error, callerOf({ principal }).scopes.includes('admin'));
              }),
              activeItems(db),
            ]);
            return {
              healthy: true,
              document_count: documents,
              postgres_items: items,
              drift: Math.abs(items - documents),
              in_sync: items === documents,
            };
          },
          thumbs: async () => {
            const { files, bytes } = await thumbs.totals();
            const budget = settings.thumbnailBudgetGb * 1024 ** 3;
            return { count: files, bytes, budget_bytes: budget, over_budget: budget > 0 && bytes > budget };
          },
          semantic: async () => {
            const { enabled, model, embedded, pending, mismatched } = await describeEmbeddings(db, settings);
            return { enabled, model, embedded_count: embedded, pending, fp_mismatches: mismatched };
          },
          key_fingerprints: async () => {
            const { state } = await checkSecretKey(db, settings);
            if (state === 'missing') throw new Error('SVC_SECRET_KEY is not set, but stored secrets need it');
            if (state === 'mismatch') throw new Error('SVC_SECRET_KEY is not the key of the stored secrets');
            const root = await checkRoot();
            if (root?.state === 'missing') throw new Error('The root of the certificate authority for agents is missing');
            if (root?.state === 'mismatch')
              throw new Error('The root of the certificate authority for agents is not the one that issued the certificates');
            return { secret_key: state, ca_root: root?.state ?? null };
          },
          disk: async () => {
            const { status, paths } = await probeDisks(settings);
            return { status, paths: paths.map(({ label, free, pct_free, status: each }) => ({ label, free, pct_free, status: each })) };
          },
        },
        { sectionMs: 8000, deadlineMs: 10_000 },
      );
      // Totals of the whole catalog would reveal files that a restricted caller may not see.
      if (!visibility.unrestricted) {
        delete values.meili;
        delete values.thumbs;
        delete values.semantic;
      }
      return { ...values, degraded };
    },
  );
}

/** Why there is no index although the service builds a missing one by itself. The reason may name folders, so only administrators see it. */
async function explainIndex(db: Db, error: unknown, isAdmin: boolean): Promise<unknown> {
  if (!(error instanceof SearchUnavailable && error.rebuild)) return error;
  const [pause, state] = await Promise.all([readPause(db), readRebuild(db)]);
  if (pause === 0 || !state) return error;
  const next = `The next attempt starts within ${Math.ceil(pause / 60_000)} min, or when an administrator runs "Rebuild the index".`;
  return new Error(`The search index could not be built${isAdmin ? `: ${state.error}` : ''}. ${next}`);
}

function libraryRoutes(app: App, { db, clock }: Dependencies): void {
  app.get(
    '/stats/libraries',
    { config, schema: { tags: ['stats'], summary: 'Get file counts and sizes of each library', response: { 200: LibraryStats } } },
    async (request) => {
      const libraries = await libraryCounts(db, await visibilityOf(db, callerOf(request)));
      const sum = (pick: 'file_count' | 'total_bytes'): number => libraries.reduce((total, row) => total + row[pick], 0);
      return { libraries, total_files: sum('file_count'), total_bytes: sum('total_bytes') };
    },
  );

  app.get(
    '/stats/timeline',
    {
      config,
      schema: {
        tags: ['stats'],
        summary: 'Count files by modification date',
        querystring: Type.Object({ library: Type.Optional(Id), bucket: Type.Optional(BucketName) }),
        response: { 200: Timeline },
      },
    },
    async (request) => {
      const { library = null, bucket = 'month' } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      if (library !== null) await readableLibrary(db, visibility, library);
      return timeline(db, visibility, { bucket, library, now: clock.now() });
    },
  );
}

/** Runs all sections in parallel under one deadline; a section that fails or is late is listed in `degraded` with its reason. */
export async function runSections<Sections extends Record<string, () => Promise<unknown>>>(
  sections: Sections,
  { sectionMs, deadlineMs }: { sectionMs: number; deadlineMs: number },
): Promise<{ values: { [Name in keyof Sections]?: Awaited<ReturnType<Sections[Name]>> }; degraded: Record<string, string> }> {
  const values: { [Name in keyof Sections]?: Awaited<ReturnType<Sections[Name]>> } = {};
  const degraded: Record<string, string> = {};
  const late = (ms: number) =>
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`took longer than ${ms / 1000} seconds`)), ms).unref());
  const deadline = late(deadlineMs);
  // When every section is done before the deadline, nothing handles its rejection any more.
  deadline.catch(() => {});
  await Promise.all(
    Object.entries(sections).map(async ([name, compute]) => {
      try {
        const value = await Promise.race([compute(), late(sectionMs), deadline]);
        Object.assign(values, { [name]: value });
      } catch (error) {
        degraded[name] = reasonOf(error);
      }
    }),
  );
  return { values, degraded };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return code === '57014' ? 'took longer than 5 seconds' : message;
}
