import { Type } from 'typebox';
import { mayWritePictures, openThumbStore } from '../../content/thumbs/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import type { AgentRow } from '../agents/index.ts';
import { storeThumb } from './service.ts';

const maxBytes = 262_144;
const Picture = Type.String({
  maxLength: Math.ceil(maxBytes / 3) * 4,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
  description: `A WebP picture of at most ${maxBytes} bytes, in base64.`,
});

export function thumbRoutes(app: App, { db, settings }: Dependencies, agentOf: (request: object) => AgentRow): void {
  const thumbs = openThumbStore(settings);
  const mayWrite = mayWritePictures(settings);
  app.post(
    '/agents/:agent_id/thumbs',
    {
      config: { scope: 'agent' },
      bodyLimit: 1024 * 1024,
      schema: {
        tags: ['agents'],
        summary: 'Store a thumbnail drawn by the calling agent',
        params: Type.Object({ agent_id: Id }),
        body: Type.Object(
          {
            library_ref: Type.String({ minLength: 1, maxLength: 4096 }),
            rel_path: Type.String({ minLength: 1, maxLength: 4096 }),
            content_hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'the hash of the bytes that were drawn' }),
            renderer: Type.String({ maxLength: 64, pattern: '^[a-z0-9-]+@\\d+$', description: 'name and version, such as image@3' }),
            grid: Picture,
            preview: Picture,
          },
          noExtraFields,
        ),
        response: { 200: Type.Object({ stored: Type.Boolean({ description: 'False when the picture was here already.' }) }) },
      },
    },
    async (request) => {
      const { library_ref, rel_path, content_hash, renderer, grid, preview } = request.body;
      if (!settings.thumbsEnabled || !(await mayWrite())) throw problem('staging_full', 'No thumbnails are kept now.');
      const stored = await storeThumb(db, settings, thumbs, agentOf(request).id, {
        libraryRef: library_ref,
        relPath: rel_path,
        contentHash: content_hash,
        renderer,
        grid: Buffer.from(grid, 'base64'),
        preview: Buffer.from(preview, 'base64'),
      });
      return { stored };
    },
  );
}
