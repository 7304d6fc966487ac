import type { Db } from '../../platform/database/index.ts';
import { compactAll, dayTotals, folderTotals, verifiedTotals } from './totals.ts';

export { checkItemCounts, compactCountsIfNeeded, sumItemCounts } from './item-counts.ts';
export {
  checkDayTotals,
  checkFolderTotals,
  checkVerifiedTotals,
  compactIfNeeded,
  compactSome,
  dayTotalRows,
  dayTotals,
  folderTotals,
  folderTotalsBelow,
  verifiedTotalRows,
  verifiedTotals,
} from './totals.ts';

/** Compacts all totals; called after many items have changed. */
export async function compactTotals(db: Db): Promise<void> {
  await compactAll(db, folderTotals);
  await compactAll(db, dayTotals);
  await compactAll(db, verifiedTotals);
}
