import type { Db } from '../../platform/database/index.ts';
import { dayTotals, compactAll, folderTotals } from './totals.ts';

export { checkDayTotals, dayTotals, dayTotalRows } from './totals.ts';
export { checkFolderTotals, folderTotals, folderTotalsBelow } from './totals.ts';
export { compactIfNeeded } from './totals.ts';
export { checkItemCounts, sumItemCounts } from './item-counts.ts';

/** Compacts all totals; called after many items have changed. */
export async function compactTotals(db: Db): Promise<void> {
  await compactAll(db, folderTotals);
  await compactAll(db, dayTotals);
}
