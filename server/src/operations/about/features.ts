import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { isEnabled } from '../../settings/index.ts';

export interface Feature {
  key: string;
  title: string;
  enabled: boolean;
  /** Switched by a setting, or by each library. */
  scope: 'env' | 'libraries';
  env: string | null;
  detail: string;
  count?: number;
  total?: number;
  value_gb?: number;
}

/** The optional features of the service and whether they are on. */
export async function listFeatures({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, visibility: Visibility): Promise<Feature[]> {
  const { ocr, chunking, total } = await countLibraries(db, visibility);
  const bySetting = (key: string, title: string, env: string, enabled: boolean, detail: string): Feature => ({
    key,
    title,
    enabled,
    scope: 'env',
    env,
    detail,
  });
  const budget = settings.thumbnailBudgetGb;
  return [
    bySetting('auth', 'Sign-in', 'SVC_AUTH_ENABLED', settings.authEnabled, 'People sign in, and rules decide who sees what.'),
    bySetting(
      'semantic',
      'Search by meaning',
      'SVC_SEMANTIC_ENABLED',
      isEnabled(settings, 'SVC_SEMANTIC_ENABLED'),
      'Finds text that says the same in other words.',
    ),
    bySetting('agents', 'Agents', 'SVC_AGENTS_ENABLED', isEnabled(settings, 'SVC_AGENTS_ENABLED'), 'Other machines report their files.'),
    bySetting(
      'content_sniff',
      'Type detection by content',
      'SVC_CONTENT_SNIFF_ENABLED',
      isEnabled(settings, 'SVC_CONTENT_SNIFF_ENABLED'),
      'Files without an extension get a type.',
    ),
    {
      key: 'ocr',
      title: 'Text recognition',
      enabled: ocr > 0,
      scope: 'libraries',
      env: null,
      detail: 'Text in pictures and scans is searched.',
      count: ocr,
      total,
    },
    {
      key: 'chunking',
      title: 'Search in passages',
      enabled: chunking > 0,
      scope: 'libraries',
      env: null,
      detail: 'Documents are divided, and a search opens them at the place that matches.',
      count: chunking,
      total,
    },
    bySetting(
      'update_check_auto',
      'Automatic update check',
      'SVC_UPDATE_CHECK_AUTO',
      settings.updateCheckAuto,
      'The console asks the source for newer versions.',
    ),
    bySetting('log_db', 'Log in the console', 'SVC_LOG_DB_ENABLED', settings.logDbEnabled, 'Log records are kept in the database.'),
    {
      ...bySetting(
        'thumbnail_budget',
        'Budget for thumbnails',
        'SVC_THUMBNAIL_BUDGET_GB',
        budget > 0,
        'The console shows a notice when thumbnails take up more. Nothing is removed.',
      ),
      value_gb: budget,
    },
  ];
}

async function countLibraries(db: Db, visibility: Visibility): Promise<{ ocr: number; chunking: number; total: number }> {
  const { rows } = await sql<{ id: string; ocr: boolean; chunking: boolean }>`select id, ocr_enabled as ocr, chunking_enabled as chunking
    from libraries`.execute(db);
  const seen = rows.filter(({ id }) => visibility.mayEnter(id));
  return { ocr: seen.filter(({ ocr }) => ocr).length, chunking: seen.filter(({ chunking }) => chunking).length, total: seen.length };
}
