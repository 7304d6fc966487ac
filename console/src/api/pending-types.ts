/** Shapes of routes the document does not describe yet. Each moves to types.ts when its route is declared. */

export interface SavedSearch {
  id: string;
  name: string;
  params: Record<string, unknown>;
  shared?: boolean;
  created_at: string;
  updated_at: string;
}

export interface Stats {
  backpressure?: { active: boolean; reason?: string | null } | null;
}
