export { checkFolderTotals, foldFolders, foldIfMany, totalsBelow } from './folder-totals.ts';
export { checkCounts, countKept } from './item-counts.ts';
