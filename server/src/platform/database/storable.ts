/** PostgreSQL stores no NUL character and no half of a surrogate pair; both can come from a broken file name or an error text. */
export function storableText(text: string, longest: number): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, longest).toWellFormed();
}

export function storableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.replaceAll('\0', '\uFFFD').toWellFormed() : part)) ?? 'null'
  );
}
