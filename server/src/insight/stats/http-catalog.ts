import { callerOf } from '../../platform/http/index.ts';
import { Id, nullable, Time } from '../../platform/schemas.ts';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { readableLibrary } from '../../catalog/libraries/index.ts';
import { type Bucket, libraryCounts, timeline } from './catalog-queries.ts';

const tags = ['stats'];
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
    invalid_count: Type.Integer({ description: 'Files whose time is in the future or before 1970.' }),
    invalid_mtime_gte: Count,
  },
  { title: 'TimelineResponse' },
);

export function catalogStatsRoutes(app: App, { db, clock }: Dependencies): void {
  app.get(
    '/stats/libraries',
    { config, schema: { tags, summary: 'What each library holds', response: { 200: LibraryStats } } },
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
        tags,
        summary: 'Files by when they were modified',
        querystring: Type.Object({ library: Type.Optional(Id), bucket: Type.Optional(Type.Enum(['day', 'month', 'year'])) }),
        response: { 200: Timeline },
      },
    },
    async (request) => {
      const { library = null, bucket = 'month' } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      if (library !== null) await readableLibrary(db, visibility, library);
      return timeline(db, visibility, { bucket: bucket as Bucket, library, now: clock.now() });
    },
  );
}
