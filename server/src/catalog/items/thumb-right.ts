import { pdfExtensions } from '@catalog/readers';
import type { Visibility } from '../../people/access/index.ts';

/** In these categories a thumbnail shows what the item is: a photo, a cover, a video frame, a model or a typeface. */
const pictureCategories: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'three-d-cad', 'system']);

interface ThumbSubject {
  library_id: string;
  rel_path: string;
  file_category: string;
  extension: string | null;
}

/**
 * Whether a caller who sees an item also sees its thumbnail. The thumbnail of anything that has pages is a page, legible in every tier,
 * because the size of each tier is a setting. It needs the right to read content, like the page itself; so does anything unclassified.
 */
export function maySeeThumb(visibility: Visibility, { library_id, rel_path, file_category, extension }: ThumbSubject): boolean {
  const isPicture = pictureCategories.has(file_category) && !pdfExtensions.includes(extension ?? '');
  return isPicture || visibility.allows(library_id, rel_path, 'search_content');
}
