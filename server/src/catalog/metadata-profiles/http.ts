import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, Time } from '../../platform/schemas.ts';
import { metadataProfiles } from './profiles.ts';

const tags = ['items'];
const config = { scope: 'read' } as const;

const Profile = Type.Object(
  {
    id: Id,
    file_category: Type.String(),
    version: Type.Integer(),
    created_at: Time,
    fields: Type.Record(
      Type.String(),
      Type.Object({
        type: Type.String(),
        label: Type.String(),
        required: Type.Boolean(),
        facetable: Type.Boolean(),
        sortable: Type.Boolean(),
      }),
    ),
  },
  { title: 'MetadataProfileOut' },
);

export function metadataProfileRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/metadata-profiles',
    { config, schema: { tags, summary: 'List the metadata fields of each category', response: { 200: Type.Array(Profile) } } },
    async () => metadataProfiles(db),
  );

  app.get(
    '/metadata-profiles/:file_category',
    {
      config,
      schema: {
        tags,
        summary: 'Get the metadata fields of a category',
        params: Type.Object({ file_category: Type.String({ maxLength: 64 }) }),
        response: { 200: Profile },
      },
    },
    async ({ params: { file_category } }) => {
      const [found] = await metadataProfiles(db, file_category);
      if (!found) throw problem('not_found', `There is no metadata profile for "${file_category}".`);
      return found;
    },
  );
}
