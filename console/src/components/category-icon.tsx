import { categoryStyle } from '../format/categories.ts';

/** The 16 px mark of a kind of file, in its colour, with its word for readers. */
export function CategoryIcon({
  category,
  size = 16,
  labelled = false,
}: {
  category: string | null | undefined;
  size?: number;
  labelled?: boolean;
}) {
  const look = categoryStyle(category);
  return labelled ? (
    <look.icon size={size} role="img" aria-label={look.label} style={{ color: look.color }} />
  ) : (
    <look.icon size={size} aria-hidden style={{ color: look.color }} />
  );
}
