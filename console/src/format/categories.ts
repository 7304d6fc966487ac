import { Archive, AudioLines, Box, Code, Cpu, File, FileText, Film, Image, type LucideIcon } from 'lucide-react';
import type { Category } from '../api/types.ts';

export interface CategoryLook {
  key: Category;
  label: string;
  /** Several files of it, in a sentence. */
  many: string;
  icon: LucideIcon;
  color: string;
}

const look = (key: Category, label: string, many: string, icon: LucideIcon): CategoryLook => ({
  key,
  label,
  many,
  icon,
  color: `var(--c-${key})`,
});

export const CATEGORIES: readonly CategoryLook[] = [
  look('image', 'Image', 'images', Image),
  look('document', 'Document', 'documents', FileText),
  look('video', 'Video', 'video', Film),
  look('audio', 'Audio', 'audio', AudioLines),
  look('three-d-cad', '3D & CAD', '3D & CAD', Box),
  look('archive', 'Archive', 'archives', Archive),
  look('development', 'Development', 'development files', Code),
  look('system', 'System', 'system files', Cpu),
  look('other', 'Other', 'other files', File),
];

const byKey = new Map<string, CategoryLook>(CATEGORIES.map((c) => [c.key, c]));
const OTHER = byKey.get('other')!;

/** Icon, word and colour of a category; a category somebody added later looks like "other" under its own name. */
export function categoryLook(key: string | null | undefined): CategoryLook {
  if (!key) return OTHER;
  return byKey.get(key) ?? { ...OTHER, label: key, many: key };
}
