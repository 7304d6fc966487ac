import { sql } from 'kysely';
import { Type } from 'typebox';
import { passagesOf, sourceText } from '../../content/passages/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { Id, nullable } from '../../platform/schemas.ts';
import type { Settings } from '../../settings/index.ts';
import { cutOpening, cutSnippet } from '../query/index.ts';
import type { PassageGroup } from './query.ts';

/** Longer texts are cut; the range still covers the whole passage. */
const maxShownChars = 2000;

export const PassageOut = Type.Object(
  {
    item_id: Id,
    chunk_no: Type.Integer(),
    page: nullable(Type.Integer({ description: 'Page, slide, sheet, message of a mailbox or part of a message, from 1.' })),
    heading: nullable(Type.String()),
    start: Type.Integer({ description: 'Position in the text that GET /items/{item_id}/text returns.' }),
    end: Type.Integer(),
    text: Type.String(),
    truncated: Type.Boolean({ description: 'The passage is longer than this text.' }),
  },
  { title: 'Passage' },
);

interface ShownPassage {
  item_id: string;
  chunk_no: number;
  page: number | null;
  heading: string | null;
  start: number;
  end: number;
  text: string;
  truncated: boolean;
}

interface SourceRow {
  id: string;
  library_id: string;
  rel_path: string;
  filename: string;
  body: string | null;
  ocr: string | null;
}

/** A file as a group of passages shows it. */
interface ShownFile {
  filename: string;
  library_id: string;
  rel_path: string;
  passages: ShownPassage[];
}

/** All passages of a file in order; null when the caller may not read its content or it has no text. */
export async function readFilePassages(
  { db, settings, visibility }: { db: Db; settings: Settings; visibility: Visibility },
  itemId: string,
): Promise<ShownFile | null> {
  const { rows } =
    await sql<SourceRow>`select i.id, i.library_id, i.rel_path, i.filename, i.body_text as body, i.metadata ->> 'ocr_text' as ocr
    from items i join libraries l on l.id = i.library_id where i.id = ${itemId} and ${visibility.whereItem('i')}`.execute(db);
  const row = rows[0];
  if (!row || !visibility.allows(row.library_id, row.rel_path, 'search_content')) return null;
  const text = sourceText(row)?.text;
  if (!text) return null;
  const { passages } = await passagesOf(db, settings, text);
  return {
    filename: row.filename,
    library_id: row.library_id,
    rel_path: row.rel_path,
    passages: passages.map(({ start, end, page, heading }, chunk_no) => ({
      item_id: itemId,
      chunk_no,
      page,
      heading,
      start,
      end,
      text: text.slice(start, Math.min(end, start + maxShownChars)).toWellFormed(),
      truncated: end - start > maxShownChars,
    })),
  };
}

/** Passages of a file that are shown besides the best one. */
const maxShown = 5;

/** The best passages of a group, with the words marked; null when the file has changed or the caller may no longer read it. */
export async function presentGroup(context: Parameters<typeof readFilePassages>[0], group: PassageGroup) {
  const file = await readFilePassages(context, group.itemId);
  if (!file) return null;
  const shown = group.passages.slice(0, maxShown).flatMap(({ chunkNo, score, terms, matchedBy }) => {
    const passage = file.passages[chunkNo];
    if (!passage) return [];
    const snippet = terms.length > 0 ? cutSnippet(passage.text, terms) : cutOpening(passage.text);
    return [{ ...passage, score, matched_by: matchedBy, snippet }];
  });
  const { filename, library_id, rel_path } = file;
  return shown.length === 0
    ? null
    : { item_id: group.itemId, filename, library_id, rel_path, matches: group.passages.length, passages: shown };
}
