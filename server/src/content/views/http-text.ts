import { callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, NoContent } from '../../platform/schemas.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { findItem } from '../../catalog/items/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';

const TextOut = Type.Object(
  {
    text: Type.String(),
    truncated: Type.Boolean({ description: 'The file holds more text than is kept.' }),
    source: Type.Enum(['body', 'ocr', 'subtitles', 'members'], {
      description: 'Where it comes from: the document itself, recognised print, the lines of a film, or names of archive members.',
    }),
  },
  { title: 'ItemText' },
);

interface Texts {
  body: string | null;
  ocr: string | null;
  members: string | null;
  body_cut: boolean;
  ocr_cut: boolean;
  members_cut: boolean;
}

/** The text found in a file, for those who may read what is inside. */
export function textRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/items/:item_id/text',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['content'],
        summary: 'The text found in a file',
        params: Type.Object({ item_id: Id }),
        response: { 200: TextOut, 304: NoContent },
      },
    },
    async (request, reply) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id, 'search_content');
      const { rows } = await sql<Texts>`select body_text as body, metadata ->> 'ocr_text' as ocr, archive_members as members,
          metadata ? 'body_text_truncated' as body_cut, metadata ? 'ocr_text_truncated' as ocr_cut,
          coalesce((metadata #>> '{archive,truncated}')::boolean, false) as members_cut
        from items where id = ${item.id}`.execute(db);
      const found = rows[0] && chooseText(rows[0], item.file_group);
      if (!found) throw problem('no_text');
      const etag = `"${createHash('sha256').update(found.source).update(found.text).digest('base64url').slice(0, 22)}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      return found;
    },
  );
}

/** A scanned page often carries a line or two of real text: the longer of the two is what people mean. */
function chooseText({ body, ocr, members, body_cut, ocr_cut, members_cut }: Texts, group: string) {
  const [own, recognised] = [body?.trim() ?? '', ocr?.trim() ?? ''];
  if (recognised.length > own.length) return { text: recognised, truncated: ocr_cut, source: 'ocr' as const };
  if (own !== '') return { text: own, truncated: body_cut, source: group === 'subtitle' ? ('subtitles' as const) : ('body' as const) };
  return members?.trim() ? { text: members.trim(), truncated: members_cut, source: 'members' as const } : null;
}
