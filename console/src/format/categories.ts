import { Archive, AudioLines, Box, Code, Cpu, File, FileText, Film, Image, type LucideIcon } from 'lucide-react';
import type { Category } from '../api/types.ts';
import { t } from '../language/text.ts';

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

const OTHER = style('other', t('Other'), t('other files'), File);

export const CATEGORIES: readonly CategoryStyle[] = [
  style('image', t('Image'), t('images'), Image),
  style('document', t('Document'), t('documents'), FileText),
  style('video', t('Video'), t('video'), Film),
  style('audio', t('Audio'), t('audio'), AudioLines),
  style('three-d-cad', t('3D & CAD'), t('3D & CAD'), Box),
  style('archive', t('Archive'), t('archives'), Archive),
  style('development', t('Development'), t('development files'), Code),
  style('system', t('System'), t('system files'), Cpu),
  OTHER,
];

const byKey = new Map<string, CategoryStyle>(CATEGORIES.map((c) => [c.key, c]));

/** Icon, label and colour of a category; categories added by an administrator use the style of "other" with their own name. */
export function categoryStyle(key: string | null | undefined): CategoryStyle {
  if (!key) return OTHER;
  return byKey.get(key) ?? { ...OTHER, label: key, plural: key };
}
