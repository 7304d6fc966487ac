import type { Db } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { acceptContent, closeEvent, type EventRow } from './store.ts';

/**
 * The states of an integrity event.
 *
 * open -> restored   the file has its good content again.
 * open -> replaced   a scan found another version with another time: somebody wrote it.
 * open -> accepted   a person said that the content found is the right one; it becomes the content of the item.
 * open -> gone       the file is missing or its library was removed.
 */
export async function closeOpen(
  db: Db,
  event: Pick<EventRow, 'id' | 'item_id' | 'rel_path' | 'library_id'>,
  state: Exclude<EventRow['state'], 'open'>,
  by: string | null,
): Promise<boolean> {
  return db.transaction().execute((transaction) => closeInside(transaction, event, state, by));
}

async function closeInside(
  transaction: Db,
  event: Pick<EventRow, 'id' | 'item_id' | 'rel_path' | 'library_id'>,
  state: Exclude<EventRow['state'], 'open'>,
  by: string | null,
): Promise<boolean> {
  if (!(await closeEvent(transaction, event.id, state, by))) return false;
  await raiseSystemEvent(transaction, {
    kind: 'integrity_mismatch',
    subject: event.item_id,
    status: 'recovered',
    message: `${event.rel_path}: ${sentences[state]}`,
    facts: { event_id: event.id, state },
    libraryId: event.library_id,
    itemId: event.item_id,
    relPath: event.rel_path,
  });
  return true;
}

const sentences = {
  restored: 'the file has its good content again.',
  replaced: 'the file was replaced by a new version.',
  accepted: 'the content found was accepted.',
  gone: 'the file is gone.',
} as const;

/** The content found becomes the content of the item. */
export async function acceptFound(db: Db, event: EventRow, by: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await closeInside(transaction, event, 'accepted', by))) throw problem('integrity_closed');
    if (!(await acceptContent(transaction, event)))
      throw problem('integrity_closed', 'The file has changed since it was read. The next reading closes this event.');
  });
}
