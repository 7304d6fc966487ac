/**
 * The two trees of a pst or ost (nodes and blocks), walked once before anything else reads the file: pages of the right kind, levels that
 * fall by one, no page met twice, everything inside the file. A tree that turns in a circle would otherwise hold its reader for good.
 */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import type { StoreHeader } from './outlook-store-header.ts';

interface PageLayout {
  page: number;
  /** Where the count, the size of an entry and the level stand. */
  countOffset: number;
  typeOffset: number;
  wide: boolean;
  wideCount: boolean;
}

const layouts: Record<StoreHeader['format'], PageLayout> = {
  'pst-ansi': { page: 512, countOffset: 496, typeOffset: 500, wide: false, wideCount: false },
  'pst-unicode': { page: 512, countOffset: 488, typeOffset: 496, wide: true, wideCount: false },
  'ost-2013': { page: 4096, countOffset: 4056, typeOffset: 4072, wide: true, wideCount: true },
};
const maxPages = 200_000;

const damaged = (): ExtractError => new ExtractError('corrupt', 'The Outlook data file is damaged.');

export function checkStoreTrees(file: FileBytes, format: StoreHeader['format']): void {
  const layout = layouts[format];
  const address = (at: number): number => (layout.wide ? Number(file.need(at, 8).readBigUInt64LE(0)) : file.need(at, 4).readUInt32LE(0));
  checkTree(file, layout, address(layout.wide ? 224 : 188), 0x81);
  checkTree(file, layout, address(layout.wide ? 240 : 196), 0x80);
}

function checkTree(file: FileBytes, layout: PageLayout, root: number, kind: number): void {
  const seen = new Set<number>();
  const waiting: { at: number; level?: number }[] = [{ at: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, level } = next;
    if (seen.has(at) || seen.size >= maxPages || at + layout.page > file.size) throw damaged();
    seen.add(at);
    const page = file.need(at, layout.page);
    if (page[layout.typeOffset] !== kind || page[layout.typeOffset + 1] !== kind) throw damaged();
    const count = layout.wideCount ? page.readUInt16LE(layout.countOffset) : page[layout.countOffset]!;
    const [size, own] = layout.wideCount
      ? [page[layout.countOffset + 4]!, page[layout.countOffset + 5]!]
      : [page[layout.countOffset + 2]!, page[layout.countOffset + 3]!];
    if (own > 8 || (level !== undefined && own !== level) || count * size > layout.countOffset) throw damaged();
    if (own > 0) {
      const step = layout.wide ? 24 : 12;
      for (let n = 0; n < count; n++) {
        const place = layout.wide ? Number(page.readBigUInt64LE(n * step + 16)) : page.readUInt32LE(n * step + 8);
        waiting.push({ at: place, level: own - 1 });
      }
    } else if (kind === 0x80) checkBlocks(file, layout, page, count);
  }
}

/** Leaves of the block tree name the places of all data. */
function checkBlocks(file: FileBytes, layout: PageLayout, page: Buffer, count: number): void {
  const step = layout.wide ? 24 : 12;
  for (let n = 0; n < count; n++) {
    const at = layout.wide ? Number(page.readBigUInt64LE(n * step + 8)) : page.readUInt32LE(n * step + 4);
    const length = page.readUInt16LE(n * step + (layout.wide ? 16 : 8));
    if (at + length > file.size) throw damaged();
  }
}
