/** What a sidecar says about the file it accompanies. Raw values are kept under prefixed keys; title and year are offered to the item. */
export interface SidecarFacts {
  raw: Record<string, unknown>;
  title: string | null;
  year: number | null;
  externalIds: Record<string, string>;
}

export function readYear(text: string | null): number | null {
  const year = Number(/\b(1[5-9]\d\d|2[01]\d\d)\b/.exec(text ?? '')?.[1]);
  return Number.isInteger(year) && year > 0 ? year : null;
}
