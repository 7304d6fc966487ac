import { pdfExtensions } from '@catalog/readers';
import type { Visibility } from '../../people/access/index.ts';
import { shippedTaxonomy } from '../taxonomy/index.ts';

/** In these categories a thumbnail shows what the item is: a photo, a cover, a video frame, a model or a typeface. */
const pictureCategories: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'three-d-cad', 'system']);

const shipped = shippedTaxonomy();

interface ThumbSubject {
  library_id: string;
  rel_path: string;
  file_category: string;
  extension: string | null;
  /** The extension of the type that the bytes show, if the name says another one or none. The thumbnail is drawn by it. */
  shown_as: string | null;
}

/** The expression for `shown_as` of item `i`. */
export const shownAs = `coalesce(i.metadata ->> 'read_as', i.metadata #>> '{sniffed,extension}')`;

/**
 * The same for lists. The planner computes a plain expression for all rows before it sorts them and takes a page, and this one reads the
 * facts of each file; a subquery is computed for the rows of the page.
 */
export const shownAsInList = `(select coalesce(m.metadata ->> 'read_as', m.metadata #>> '{sniffed,extension}') from item_rows m where m.id = i.id)`;

/**
 * Whether a caller who sees an item also sees its thumbnail. The thumbnail of anything that has pages is a page, legible in every tier,
 * because the size of each tier is a setting. It needs the right to read content, like the page itself; so does anything unclassified.
 */
export function maySeeThumb(visibility: Visibility, { library_id, rel_path, file_category, extension, shown_as }: ThumbSubject): boolean {
  const categories = shown_as === null ? [file_category] : [file_category, shipped.get(shown_as)?.category ?? 'other'];
  const isPicture = categories.every((each) => pictureCategories.has(each)) && !pdfExtensions.includes(shown_as ?? extension ?? '');
  return isPicture || visibility.allows(library_id, rel_path, 'search_content');
}
