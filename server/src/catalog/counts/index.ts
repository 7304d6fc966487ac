import type { Db } from '../../platform/database/index.ts';
import { dayTotals } from './day-totals.ts';
import { folderTotals } from './folder-totals.ts';
import { foldAll } from './folding.ts';

export { checkDayTotals, dayTotals, keptDays } from './day-totals.ts';
export { checkFolderTotals, folderTotals, totalsBelow } from './folder-totals.ts';
export { foldIfMany } from './folding.ts';
export { checkCounts, countKept } from './item-counts.ts';

/** All kept totals, for whoever has changed many items. */
export async function foldTotals(db: Db): Promise<void> {
  await foldAll(db, folderTotals);
  await foldAll(db, dayTotals);
}
