import type { Document, Schema } from '@catalog/engine';

/** A document as the server keeps it: a path becomes the list of its folders, because the server knows no paths; nothing is null. */
export function storedDocument(document: Document, { scope }: Schema): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(document)) if (value !== null && value !== undefined) stored[field] = value;
  if (scope && typeof document[scope] === 'string') stored[scope] = foldersOf(document[scope]);
  return stored;
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
