import { categoryStyle } from '../format/categories.ts';

export function CategoryIcon({
  category,
  size = 16,
  labelled = false,
}: {
  category: string | null | undefined;
  size?: number;
  labelled?: boolean;
}) {
  const style = categoryStyle(category);
  return labelled ? (
    <style.icon size={size} role="img" aria-label={style.label} style={{ color: style.color }} />
  ) : (
    <style.icon size={size} aria-hidden style={{ color: style.color }} />
  );
}
