import { catalogStatsRoutes } from './http-catalog.ts';
import { callerOf } from '../../platform/http/index.ts';
import { type TSchema, Type } from 'typebox';
import type { ThumbStore } from '../../content/thumbs/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { probeDisks } from '../../platform/disk.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import { activeItems, byCategory, extractCounts, extractErrors, queueCounts } from './store.ts';
import { runSections } from './within.ts';

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
  degraded: Type.Record(Type.String(), Type.String()),
});

/** The dashboard: seven aggregates, each on its own; one that fails is named under `degraded` and the rest is served. */
function dashboardRoutes(app: App, { db, settings }: Dependencies, reader: SearchReader, thumbs: ThumbStore): void {
  app.get(
    '/stats',
    { config: { scope: 'read' }, schema: { tags: ['insight'], summary: 'The dashboard’s numbers', response: { 200: StatsOut } } },
    async ({ principal }) => {
      const visibility = await visibilityOf(db, callerOf({ principal }));
      const { values, degraded } = await runSections(
        {
          by_type: () => byCategory(db, visibility),
          queues: () => queueCounts(db),
          extract: () => extractCounts(db, visibility),
          extract_errors: () => extractErrors(db, visibility),
          meili: async () => {
            const [{ documents }, items] = await Promise.all([reader.stats(), activeItems(db)]);
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
          disk: async () => {
            const { status, paths } = await probeDisks(settings);
            return { status, paths: paths.map(({ label, free, pct_free, status: each }) => ({ label, free, pct_free, status: each })) };
          },
        },
        { sectionMs: 8000, deadlineMs: 10_000 },
      );
      // Counts of the whole index tell a scoped caller about what they may not see.
      if (!visibility.unrestricted) {
        delete values.meili;
        delete values.thumbs;
      }
      return { ...values, degraded } as never;
    },
  );
}

export function statsRoutes(app: App, deps: Dependencies, reader: SearchReader, thumbs: ThumbStore): void {
  dashboardRoutes(app, deps, reader, thumbs);
  catalogStatsRoutes(app, deps);
}
