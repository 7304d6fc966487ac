import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import { searchAudit } from '../../people/audit/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, callerOf } from '../../platform/http/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { Id, noExtraFields, nullable } from '../../platform/schemas.ts';
import { assist, openModel } from './assist.ts';
import { queryKeys } from './keys.ts';
import { previewQuery } from './preview.ts';

const tags = ['search'];
const config = { scope: 'read' } as const;
const Chip = Type.Object({
  field: Type.String(),
  value: Type.String(),
  negated: Type.Boolean(),
  text: Type.String(),
  start: Type.Integer(),
  end: Type.Integer(),
});

const QueryPreviewIn = Type.Object(
  {
    query: Type.Optional(Type.String({ maxLength: 4000, default: '' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 25 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
  },
  noExtraFields,
);
const QueryPreviewOut = Type.Object({
  columns: Type.Array(Type.String()),
  rows: Type.Array(
    Type.Object({
      item_id: Id,
      filename: Type.String(),
      library: Type.String(),
      rel_path: Type.String(),
      file_category: Type.String(),
      file_group: Type.String(),
      size: Type.Integer(),
      mtime: Type.Number(),
    }),
  ),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer(),
  has_more: Type.Boolean(),
  total: Type.Integer(),
  total_capped: Type.Boolean(),
  understood: Type.Array(Chip),
});
const KeysOut = Type.Object({
  keys: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), type: Type.String(), example: Type.String() })),
  meta_keys: Type.Array(
    Type.Object({ key: Type.String(), label: Type.String(), data_type: Type.String(), file_categories: Type.Array(Type.String()) }),
  ),
  custom_fields: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      data_type: Type.String(),
      select_options: nullable(Type.Array(Type.String())),
    }),
  ),
  kinds: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  is: Type.Array(Type.String()),
  has: Type.Array(Type.String()),
  source: Type.String(),
});
const AssistOut = Type.Object({
  dsl: Type.String(),
  source: Type.Enum(['heuristic', 'ollama']),
  filters: Type.Array(Chip),
  terms: Type.Array(Type.String()),
  notes: Type.Array(Type.String()),
  llm_available: Type.Boolean(),
});

export function builderRoutes(app: App, deps: Dependencies): void {
  const { db, clock, settings } = deps;
  const model = openModel(settings, createOutbound({ settings }));
  app.post(
    '/query/preview',
    {
      config,
      preHandler: searchAudit(deps),
      schema: { tags, summary: 'Preview a query', body: QueryPreviewIn, response: { 200: QueryPreviewOut } },
    },
    async ({ body, principal }) => {
      const visibility = await visibilityOf(db, callerOf({ principal }));
      return previewQuery(
        { db, visibility, now: clock.now() },
        { query: body.query ?? '', limit: body.limit ?? 25, offset: body.offset ?? 0 },
      );
    },
  );
  app.get(
    '/query/keys',
    { config, schema: { tags, summary: 'List the filters a query can use', response: { 200: KeysOut } } },
    async ({ principal }) => queryKeys(db, await visibilityOf(db, callerOf({ principal }))),
  );
  app.post(
    '/query/assist',
    {
      config,
      schema: {
        tags,
        summary: 'Translate plain words into a query',
        body: Type.Object({ text: Type.String({ minLength: 1, maxLength: 500 }) }, noExtraFields),
        response: { 200: AssistOut },
      },
    },
    async ({ body }) => await assist({ db, model, now: clock.now() }, body.text),
  );
}
