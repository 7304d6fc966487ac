import { Archive, AudioLines, Box, Code, Cpu, File, FileText, Film, Image, type LucideIcon } from 'lucide-react';
import type { Category } from '../api/types.ts';

export interface CategoryStyle {
  key: Category;
  label: string;
  /** Several files of it, in a sentence. */
  plural: string;
  icon: LucideIcon;
  color: string;
}

const style = (key: Category, label: string, many: string, icon: LucideIcon): CategoryStyle => ({
  key,
  label,
  plural: many,
  icon,
  color: `var(--c-${key})`,
});

export const CATEGORIES: readonly CategoryStyle[] = [
  style('image', 'Image', 'images', Image),
  style('document', 'Document', 'documents', FileText),
  style('video', 'Video', 'video', Film),
  style('audio', 'Audio', 'audio', AudioLines),
  style('three-d-cad', '3D & CAD', '3D & CAD', Box),
  style('archive', 'Archive', 'archives', Archive),
  style('development', 'Development', 'development files', Code),
  style('system', 'System', 'system files', Cpu),
  style('other', 'Other', 'other files', File),
];

const byKey = new Map<string, CategoryStyle>(CATEGORIES.map((c) => [c.key, c]));
const OTHER = byKey.get('other')!;

/** Icon, word and colour of a category; a category somebody added later looks like "other" under its own name. */
export function categoryStyle(key: string | null | undefined): CategoryStyle {
  if (!key) return OTHER;
  return byKey.get(key) ?? { ...OTHER, label: key, plural: key };
}
