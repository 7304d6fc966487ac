import { body, client } from './client.ts';
import type { CleanupPlan, DuplicateCopy, DuplicateGroup, ExportFormat, ExportRecord, KeepRule, QueryParams } from './types.ts';

export const cleanupPlan = (): Promise<CleanupPlan> => body(client.GET('/api/v1/duplicates/plan'));
export const setKeepRules = (rules: KeepRule[]): Promise<CleanupPlan> => body(client.PUT('/api/v1/duplicates/plan', { body: { rules } }));
export const reviewPlan = (digest: string): Promise<CleanupPlan> =>
  body(client.POST('/api/v1/duplicates/plan/review', { body: { digest } }));
export const duplicateGroups = (
  query: QueryParams<'/api/v1/duplicates/groups', 'get'>,
): Promise<{ groups: DuplicateGroup[]; next_cursor: string | null }> =>
  body(client.GET('/api/v1/duplicates/groups', { params: { query } }));
export const duplicateCopies = (key: string): Promise<{ copies: DuplicateCopy[]; has_more: boolean }> =>
  body(client.GET('/api/v1/duplicates/groups/{key}', { params: { path: { key } } }));
export const keepCopy = (key: string, item_id: string | null) =>
  body(client.PUT('/api/v1/duplicates/groups/{key}/keep', { params: { path: { key } }, body: { item_id } }));
export const proveDuplicates = (key?: string) => body(client.POST('/api/v1/duplicates/prove', { body: key ? { key } : {} }));
export const stopProof = () => body(client.DELETE('/api/v1/duplicates/prove'));
export const findSimilarPhotos = () => body(client.POST('/api/v1/duplicates/similar'));
export const exportPlan = (format: ExportFormat): Promise<ExportRecord> =>
  body(client.POST('/api/v1/duplicates/plan/export', { params: { query: { format } } }));
