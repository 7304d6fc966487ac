/** The value of a claim. A path such as realm_access.roles reads nested claims; a claim whose name contains the dots comes first. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (path in claims) return claims[path];
  let value: unknown = claims;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

const maxValues = 2000;

/** The texts of a claim that is a text or a list of texts. */
export function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .filter((each): each is string => typeof each === 'string' && each !== '')
    .slice(0, maxValues)
    .map(storable);
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = (text: string): string => [...text.toWellFormed()].filter((letter) => letter >= ' ').join('');

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? storable(value.trim()).slice(0, 500) : null;
}
