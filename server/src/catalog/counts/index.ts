import type { Db } from '../../platform/database/index.ts';
import { dayTotals } from './day-totals.ts';
import { folderTotals } from './folder-totals.ts';
import { compactAll } from './folding.ts';

export { checkDayTotals, dayTotals, dayTotalRows } from './day-totals.ts';
export { checkFolderTotals, folderTotals, folderTotalsBelow } from './folder-totals.ts';
export { compactIfNeeded } from './folding.ts';
export { checkItemCounts, sumItemCounts } from './item-counts.ts';

/** All kept totals, for whoever has changed many items. */
export async function compactTotals(db: Db): Promise<void> {
  await compactAll(db, folderTotals);
  await compactAll(db, dayTotals);
}
