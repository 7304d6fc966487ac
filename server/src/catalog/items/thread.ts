import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { type ItemRow, selectItems } from './store.ts';

const maxMessages = 200;

/** The messages of the same thread that the caller may see, oldest first, the item itself among them. Empty if the item is in none. */
export async function findThread(db: Db, visibility: Visibility, item: ItemRow) {
  const thread = item.metadata['email_thread'];
  if (typeof thread !== 'string' || thread === '') return { id: item.id, capped: false, messages: [] };
  const found = await selectItems(
    db,
    sql`where i.metadata ? 'email_thread' and left(i.metadata ->> 'email_thread', 200) = left(${thread}, 200)
      and i.metadata ->> 'email_thread' = ${thread} and i.status = 'active' and ${visibility.whereItem('i')}
      order by i.metadata ->> 'email_date' nulls last, i.rel_path, i.id limit ${maxMessages + 1}`,
  );
  return {
    id: item.id,
    capped: found.length > maxMessages,
    messages: found.slice(0, maxMessages).map(({ id, library_id, library_name, rel_path, metadata }) => ({
      id,
      library_id,
      library_name,
      rel_path,
      subject: textOf(metadata['email_subject']),
      from: textOf(metadata['email_from']),
      date: textOf(metadata['email_date']),
    })),
  };
}

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string').join(', ') || null;
  return typeof value === 'string' && value !== '' ? value : null;
}
