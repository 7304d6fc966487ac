import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, nullable } from '../../platform/schemas.ts';
import { isEnabled } from '../../settings/index.ts';
import { describeEmbeddings } from './index.ts';
import { requestEmbedding } from './queue.ts';
import { writeBackfill } from './store.ts';

const tags = ['search'];
const admin = { scope: 'admin' } as const;

const EmbeddingsOut = Type.Object(
  {
    enabled: Type.Boolean(),
    model: nullable(Type.String()),
    dimension: nullable(Type.Integer()),
    embedded: Type.Integer({ description: 'Items with a vector of this model.' }),
    pending: Type.Integer({ description: 'Items that wait.' }),
    failed: Type.Integer({ description: 'Items that were given up after repeated failures.' }),
    mismatched: Type.Integer({ description: 'Items with a vector of another model, which will be replaced.' }),
    passages: Type.Object(
      { embedded: Type.Integer(), pending: Type.Integer() },
      { description: 'Passages with a vector of this model, and those that wait. Equal texts count once.' },
    ),
    paused: Type.Boolean(),
    items_per_second: nullable(Type.Number({ description: 'Items and passages a second, measured over the last minutes.' })),
    remaining_seconds: nullable(Type.Number({ description: 'Null while nothing waits, and before the rate was measured.' })),
    download: nullable(Type.Object({ file: Type.String(), received: Type.Number(), total: Type.Number() })),
    error: nullable(Type.String()),
  },
  { title: 'EmbeddingsOut' },
);

export function embeddingRoutes(app: App, { db, settings }: Dependencies): void {
  const requireEnabled = (): void => {
    if (!isEnabled(settings, 'SVC_SEMANTIC_ENABLED'))
      throw problem('conflict', 'Search by meaning is off. Set SVC_SEMANTIC_ENABLED to true for app and worker, and restart.');
  };

  app.get(
    '/system/embeddings',
    { config: admin, schema: { tags, summary: 'Get the state of embeddings', response: { 200: EmbeddingsOut } } },
    () => describeEmbeddings(db, settings),
  );

  app.post(
    '/system/embed-backfill',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Embed all items that have no vector yet',
        response: {
          202: Type.Object({ job_id: nullable(Id) }, { description: 'The id is null when a job is queued or running already.' }),
        },
      },
    },
    async (_request, reply) => {
      requireEnabled();
      await writeBackfill(db, { paused: false });
      return reply.code(202).send({ job_id: await requestEmbedding(db) });
    },
  );

  app.put(
    '/system/embeddings/paused',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Pause or continue the embedding of items',
        body: Type.Object({ paused: Type.Boolean() }, { additionalProperties: false }),
        response: { 200: EmbeddingsOut },
      },
    },
    async ({ body: { paused } }) => {
      requireEnabled();
      await writeBackfill(db, { paused });
      if (!paused) await requestEmbedding(db);
      return describeEmbeddings(db, settings);
    },
  );
}
