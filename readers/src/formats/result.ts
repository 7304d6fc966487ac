/** Removes undefined values and empty strings. */
export function withoutEmpty<T extends Record<string, unknown>>(facts: T): Partial<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== '')) as Partial<T>;
}

/** Truncates body text to the stored length. */
export function boundedText(text: string, maxChars: number): { bodyText?: string; bodyTextTruncated?: boolean } {
  if (text === '') return {};
  if (text.length <= maxChars) return { bodyText: text };
  return { bodyText: text.slice(0, maxChars).toWellFormed(), bodyTextTruncated: true };
}
