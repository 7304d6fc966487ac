// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
import { LIBRARIES, uuid } from './data.ts';
import type { Routes } from './route.ts';
import { stagesAt } from './scan-events.ts';

export const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const scanRow = (n: number, library: number, status: string, started: number, took: number, extra: object = {}) => ({
  id: uuid(n),
  library_id: LIBRARIES[library]!.id,
  job_id: uuid(n + 1000),
  status,
  trigger: 'manual',
  scope: '',
  phase: status === 'running' ? 'hashing' : 'done',
  started_at: ago(started),
  finished_at: status === 'running' ? null : ago(started - took),
  error: null,
  error_code: null,
  stalled: false,
  seen: 0,
  new: 0,
  changed: 0,
  missing: 0,
  returned: 0,
  moved: 0,
  excluded: 0,
  pruned_dirs: 0,
  pruned_files: 0,
  permission_denied: 0,
  bytes_seen: 0,
  files_per_s: 28_000,
  bytes_per_s: 412e6,
  elapsed: took * 60,
  current_folder: null,
  estimate: null,
  stats: {},
  guard: null,
  stages: stagesAt(139_604, 188_412),
  backpressure: null,
  ...extra,
});
export const SCANS = [
  scanRow(5001, 1, 'running', 10, 0, { seen: 188_412, new: 9310, changed: 1207 }),
  scanRow(5002, 0, 'finished', 181, 0.7, { seen: 1_180_002, new: 1204, changed: 38 }),
  scanRow(5003, 3, 'failed', 20, 0.1, {
    seen: 1191,
    error: '68,811 of 70,002 files are no longer on disk. Nothing was marked missing.',
    error_code: 'vanish_guard',
    guard: {
      kind: 'vanish',
      would_vanish: 68_811,
      of: 70_002,
      annotated: 412,
      folders: [
        { rel_path: 'Scans', count: 41_206 },
        { rel_path: 'Video/Hi8 transfers', count: 18_940 },
        { rel_path: 'Letters/1931-1958', count: 8_665 },
      ],
      sample: ['Scans/1931/letter-001.tif', 'Scans/1931/letter-002.tif', 'Video/Hi8 transfers/tape-01.mov', 'Letters/1931/anna.pdf'],
    },
  }),
  scanRow(5004, 0, 'finished', 1600, 0.7, { seen: 1_178_798, new: 86, changed: 12, missing: 3 }),
  scanRow(5005, 1, 'stopped', 4300, 4, { seen: 120_000, new: 9310, changed: 1207, missing: 44 }),
  scanRow(5006, 2, 'finished', 62, 0.1, { seen: 21_870, new: 4, changed: 2 }),
  scanRow(5007, 3, 'finished', 9900, 2, { seen: 70_002, new: 4, changed: 2 }),
];

const lastScan = (extra: object) => ({
  trigger: 'cron',
  scope: '',
  seconds: 41,
  error: null,
  error_code: null,
  new: 0,
  changed: 0,
  missing: 0,
  moved: 0,
  excluded_gate: 0,
  excluded_filtered: 0,
  pruned_dirs: 0,
  permission_denied: 0,
  pruned_files: 0,
  files_per_s: 28_000,
  bytes_per_s: 4e8,
  accounting: '',
  backpressure: null,
  stages: Object.fromEntries(
    Object.entries(stagesAt(1, 1)).map(([key]) => [key, { done: 1, total: 1, failed: 0, rate: null, state: 'done' }]),
  ),
  ...extra,
});

export function libraries() {
  const scans: Record<string, object> = {
    Photos: lastScan({
      id: SCANS[1]!.id,
      status: 'finished',
      started_at: ago(181),
      finished_at: ago(180.3),
      seen: 1_180_002,
      new: 1204,
      changed: 38,
      excluded: 24_300,
      pruned_files: 9,
      bytes_seen: 18.4e12,
    }),
    Studio: lastScan({ id: SCANS[0]!.id, status: 'running', started_at: ago(10), finished_at: null, seen: 188_412, bytes_seen: 9.4e12 }),
    Documents: lastScan({
      id: SCANS[5]!.id,
      status: 'finished',
      started_at: ago(62),
      finished_at: ago(62),
      seen: 21_870,
      excluded_filtered: 531,
      pruned_files: 5,
      permission_denied: 0,
      bytes_seen: 64.1e9,
      ...(process.env['CATALOG_MOCK_WORKING'] ? { stages: stagesAt(21_870, 21_870) } : {}),
    }),
    'Family archive': lastScan({
      id: SCANS[2]!.id,
      status: 'failed',
      started_at: ago(20),
      finished_at: ago(20),
      seen: 1191,
      error: SCANS[2]!.error,
      error_code: 'vanish_guard',
    }),
    'Cold disk 04': lastScan({
      id: uuid(5009),
      status: 'finished',
      started_at: ago(17_000),
      finished_at: ago(16_990),
      seen: 1052,
      pruned_counted: false,
      pruned_files: null,
      bytes_seen: 3.9e12,
    }),
  };
  return LIBRARIES.map((one) => ({
    id: one.id,
    name: one.name,
    root_path: one.root,
    enabled: one.name !== 'Cold disk 04',
    enabled_categories: [],
    enabled_groups: [],
    include_globs: [],
    exclude_globs: [],
    enabled_presets: ['system_files', 'node_modules_build'],
    scan_cron: '0 6 * * *',
    watch_mode: one.name === 'Documents',
    hash_policy: 'auto',
    native_prefix: null,
    ocr_enabled: false,
    chunking_enabled: false,
    expose_gps: one.name === 'Photos',
    permissions_enabled: true,
    count_pruned_files: true,
    created_at: ago(400_000),
    last_scan: scans[one.name],
  }));
}

/** The folders of the server, for the folder picker. */
export const folderRoutes: Routes = {
  'GET /fs/browse': ({ query }) => {
    const path = query.get('path') || '/mnt';
    return {
      path,
      parent: path === '/mnt' ? null : path.slice(0, path.lastIndexOf('/')) || '/',
      roots: ['/mnt', '/srv'],
      dirs: (path === '/mnt' ? ['backup', 'nas', 'photos', 'studio'] : ['2023', '2024']).map((name) => ({
        name,
        path: `${path}/${name}`,
        readable: name !== 'backup',
        network: name === 'nas',
      })),
      truncated: false,
    };
  },
  'GET /fs/count': ({ query }) => ({
    path: query.get('path'),
    files: 1_392_723,
    unreadable: 1,
    complete: true,
    left_out: [
      { by: ['system_files'], files: 21_870 },
      { by: ['node_modules_build'], files: 2439 },
      { by: ['hidden_dotfiles'], files: 318 },
    ],
    dirs: [
      { name: 'photos', files: 1_204_311, complete: true },
      { name: 'studio', files: 188_412, complete: true },
    ],
  }),
};
