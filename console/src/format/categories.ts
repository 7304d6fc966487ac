import { Archive, AudioLines, Box, Code, Cpu, File, FileText, Film, Image, type LucideIcon } from 'lucide-react';
import type { Category } from '../api/types.ts';

interface CategoryStyle {
  key: Category;
  label: string;
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

const OTHER = style('other', 'Other', 'other files', File);

export const CATEGORIES: readonly CategoryStyle[] = [
  style('image', 'Image', 'images', Image),
  style('document', 'Document', 'documents', FileText),
  style('video', 'Video', 'video', Film),
  style('audio', 'Audio', 'audio', AudioLines),
  style('three-d-cad', '3D & CAD', '3D & CAD', Box),
  style('archive', 'Archive', 'archives', Archive),
  style('development', 'Development', 'development files', Code),
  style('system', 'System', 'system files', Cpu),
  OTHER,
];

const byKey = new Map<string, CategoryStyle>(CATEGORIES.map((c) => [c.key, c]));

/** Icon, label and colour of a category; categories added by an administrator use the style of "other" with their own name. */
export function categoryStyle(key: string | null | undefined): CategoryStyle {
  if (!key) return OTHER;
  return byKey.get(key) ?? { ...OTHER, label: key, plural: key };
}
