import type { Db } from '../../platform/database/index.ts';
import { compactAll, dayTotals, folderTotals } from './totals.ts';

export { checkItemCounts, compactCountsIfNeeded, sumItemCounts } from './item-counts.ts';
export {
  checkDayTotals,
  checkFolderTotals,
  compactIfNeeded,
  compactSome,
  dayTotalRows,
  dayTotals,
  folderTotals,
  folderTotalsBelow,
} from './totals.ts';

/** Compacts all totals; called after many items have changed. */
export async function compactTotals(db: Db): Promise<void> {
  await compactAll(db, folderTotals);
  await compactAll(db, dayTotals);
}
