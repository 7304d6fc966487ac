import { Archive, AudioLines, Box, Code, Cpu, File, FileText, Film, Image, type LucideIcon } from 'lucide-react';
import type { Category } from '../api/types.ts';

export interface CategoryLook {
  key: Category;
  label: string;
  icon: LucideIcon;
  color: string;
}

const look = (key: Category, label: string, icon: LucideIcon): CategoryLook => ({ key, label, icon, color: `var(--c-${key})` });

export const CATEGORIES: readonly CategoryLook[] = [
  look('image', 'Image', Image),
  look('document', 'Document', FileText),
  look('video', 'Video', Film),
  look('audio', 'Audio', AudioLines),
  look('three-d-cad', '3D & CAD', Box),
  look('archive', 'Archive', Archive),
  look('development', 'Development', Code),
  look('system', 'System', Cpu),
  look('other', 'Other', File),
];

const byKey = new Map<string, CategoryLook>(CATEGORIES.map((c) => [c.key, c]));
const OTHER = byKey.get('other')!;

/** Icon, word and colour of a category; a category somebody added later looks like "other" under its own name. */
export function categoryLook(key: string | null | undefined): CategoryLook {
  if (!key) return OTHER;
  return byKey.get(key) ?? { ...OTHER, label: key };
}
