import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';
import { currentShape } from './service.ts';

/** Items with a waiting change may differ; all others must agree. */
export const passageChecks: Check[] = [
  {
    name: 'documents of libraries with passage search have passages of the current shape, others have none',
    run: ({ db, settings }) =>
      findViolations(
        db,
        sql`select format('Item %s has %s.', coalesce(i.id, p.item_id),
            case when p.item_id is null then 'a text but no passages' when i.id is null then 'passages but does not exist'
              when l.chunking_enabled then 'passages of other settings' else 'passages although its library has none' end) as sentence
          from items i join libraries l on l.id = i.library_id full join item_passages p on p.item_id = i.id
          where case when i.id is null then not exists (select from items r where r.id = p.item_id)
              when l.chunking_enabled then p.shape is distinct from ${currentShape(settings)}
                and (p.item_id is not null or coalesce(i.body_text, '') ~ '\\S' or coalesce(i.metadata ->> 'ocr_text', '') ~ '\\S')
              else p.item_id is not null end
            and not exists (select from passage_outbox o where o.item_id = coalesce(i.id, p.item_id))
            and not exists (select from index_outbox o where o.item_id = coalesce(i.id, p.item_id))
            and not exists (select from extract_pending e where e.item_id = i.id)
            and not exists (select from jobs j where j.task = 'chunk_missing' and j.state in ('todo', 'doing'))`,
      ),
  },
  {
    name: 'every text of passages is in use and complete',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The text %s has %s passages, but %s are stored, for %s items.', t.hash, t.passages, n.stored, n.items) as sentence
          from passage_texts t cross join lateral (
            select (select count(*) from passages p where p.text_hash = t.hash) as stored,
              (select count(*) from item_passages i where i.text_hash = t.hash) as items) n
          where (n.stored <> t.passages or n.items = 0) and not exists (select from passage_outbox)`,
      ),
  },
];
