// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
import { LIBRARIES, uuid } from './data.ts';
import { MockProblem, type Routes } from './route.ts';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const user = (n: number, username: string, global_role: string, extra: object = {}) => ({
  id: uuid(n),
  username,
  email: `${username}@example.org`,
  global_role,
  kind: 'user',
  disabled: false,
  scopes: global_role === 'admin' ? ['admin'] : ['read'],
  created_at: ago(90_000),
  last_login_at: ago(n),
  ...extra,
});
const USERS = [user(1, 'ada', 'admin'), user(2, 'grace', 'user'), user(3, 'guest', 'viewer'), user(4, 'tor', 'viewer', { disabled: true })];
const ACTIONS = [
  'search_metadata',
  'search_content',
  'download',
  'upload',
  'modify',
  'delete',
  'edit_metadata',
  'manage_alerts',
  'view_permissions',
];
const role = (name: string, display_name: string, scopes: string[], ceiling: string[], users: number) => ({
  name,
  display_name,
  description: '',
  builtin: true,
  scopes,
  ceiling_actions: ceiling,
  bypass: name === 'admin',
  users,
});
const audit = (events: object[]) => ({ events, next_cursor: null });
const keys = (list: object[]) => ({ keys: list });
const page = <T>(items: T[]) => ({ items, total: items.length, limit: 50, next_cursor: null });
const LOG: [string, string, string][] = [
  ['info', 'extract', 'hull_v07.3mf: 1,204,880 triangles'],
  ['info', 'index', '500 docs in 212 ms'],
  ['warning', 'pressure', 'extract 8 to 4 workers, database busy'],
  ['info', 'hash', '412 MB/s over 10 s'],
  ['error', 'extract', 'budget-old.zip: needs a password'],
  ['info', 'scan', 'Studio started by ada'],
  ['warning', 'walk', 'Private/: permission denied'],
  ['info', 'reconcile', 'index equals catalog'],
];

export function adminRoutes(state: { mode: string; signedIn: boolean }): Routes {
  const job = (
    n: number,
    queue: string,
    task: string,
    jobState: string,
    extra: {
      rel_path?: string | null;
      stalled?: boolean;
      stalled_since?: string;
      worker_alive?: boolean;
      error?: string;
      finished_at?: string;
    } = {},
  ) => ({
    id: uuid(8000 + n),
    queue,
    task,
    state: jobState,
    attempts: 1,
    created_at: ago(9),
    started_at: ago(n / 20),
    seconds_running: n * 3,
    stalled: false,
    stalled_since: null,
    worker_alive: true,
    args: { library_id: LIBRARIES[1].id, ...(extra.rel_path ? { rel_path: extra.rel_path } : {}) },
    ...extra,
  });
  const running = [
    job(1, 'scan', 'scan_library', 'doing', { rel_path: null }),
    job(33, 'hash', 'hash_items', 'doing', { rel_path: 'Video/tug-launch_master.mov' }),
    job(2, 'extract', 'extract_items', 'doing', { rel_path: 'Models/boats/tug/hull_v07.3mf' }),
    job(12, 'extract', 'extract_items', 'doing', { rel_path: 'Scans/logbook-1958.pdf', stalled: true, stalled_since: ago(4) }),
    job(7, 'thumbs', 'thumb_items', 'doing', { rel_path: 'Renders/pier_night_0412.exr' }),
  ];
  const failed = Array.from({ length: 9 }, (_, k) =>
    job(100 + k, k < 6 ? 'extract' : 'index', k < 6 ? 'extract_items' : 'sync_items', 'failed', {
      finished_at: ago(k * 30),
      rel_path: `Scans/file-${k}.pdf`,
      error: k < 5 ? 'The file needs a password.' : 'Took longer than 60 s.',
    }),
  );
  return {
    'GET /system/maintenance': () => ({
      tasks: [
        ['reconcile', 'Compare index and catalog', 'Finds files the index lacks and adds them.', '0 3 * * *', 'done'],
        ['recycle', 'Empty the recycle bin', 'Removes what lay in it for 30 days. No file on disk is touched.', '30 3 * * *', 'done'],
        ['verify', 'Verify contents', 'Reads the oldest verified files again and compares their hashes.', '0 4 * * 6', 'failed'],
      ].map(([key, title, description, cron, status]) => ({
        key,
        title,
        description,
        cron,
        default_cron: cron,
        category: 'integrity',
        editable: key !== 'reconcile',
        enabled: true,
        overridden: false,
        queue: 'maintenance',
        runnable: true,
        next_run_at: new Date(Date.now() + 6e7).toISOString(),
        last_run: { at: ago(300), duration_seconds: 12, job_id: uuid(4), started_at: ago(301), status },
      })),
    }),
    'POST /system/maintenance/:task/run': () => ({ job_id: uuid(5) }),
    'PATCH /system/maintenance/:task': ({ body }) => body,
    'POST /system/rebuild-index': () => ({ job_id: uuid(6) }),
    'POST /system/retry-extracts': () => ({ retried: 37 }),
    'POST /system/reclassify-extensions': () => ({ job_id: uuid(7), already_queued: false }),
    'POST /taxonomy/sync-seed': ({ query }) => ({
      dry_run: query.get('dry_run') === 'true',
      categories: [],
      groups: ['point-cloud'],
      extensions: ['las', 'laz', 'e57'],
      version: 13,
    }),
    'PATCH /rbac/groups/:id': ({ body }) => body,
    'GET /auth/users/:id/sessions': () => [
      {
        id: uuid(31),
        created_at: ago(900),
        last_seen_at: ago(3),
        ip_address: '192.168.1.20',
        user_agent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
        current: false,
      },
    ],
    'DELETE /auth/users/:id/sessions': () => undefined,
    'GET /service-accounts': () => ({
      items: [
        {
          id: uuid(41),
          name: 'backup script',
          description: 'Nightly list',
          disabled: false,
          key_count: 1,
          last_used_at: ago(400),
          created_at: ago(90_000),
        },
      ],
      total: 1,
      limit: 50,
      next_cursor: null,
    }),
    'POST /service-accounts': ({ body }) => ({
      id: uuid(42),
      disabled: false,
      key_count: 0,
      last_used_at: null,
      created_at: ago(0),
      description: null,
      ...body,
    }),
    'PATCH /service-accounts/:id': ({ body }) => body,
    'DELETE /service-accounts/:id': () => undefined,
    'GET /auth/status': () => ({
      auth_enabled: state.mode !== 'disabled',
      users_exist: state.mode !== 'bootstrap',
      mode: state.mode,
      oidc_enabled: false,
      oidc_providers: [],
      session_hours: 720,
      header_user: null,
    }),
    'GET /auth/me': () => {
      if (state.mode === 'enabled' && !state.signedIn) throw new MockProblem(401, 'not_signed_in', 'Sign in to continue.');
      return USERS[0];
    },
    'POST /auth/login': ({ body }) => {
      if (body.password !== 'password') throw new MockProblem(401, 'wrong_credentials', 'Name or password is wrong.');
      state.signedIn = true;
      return { principal: USERS[0] };
    },
    'POST /auth/bootstrap': () => {
      state.mode = 'enabled';
      state.signedIn = true;
      return USERS[0];
    },
    'POST /auth/logout': () => {
      state.signedIn = false;
    },
    'POST /auth/password': () => undefined,
    'PATCH /auth/me': ({ body }) => ({ ...USERS[0], ...body }),
    'GET /auth/sessions': () => [
      {
        id: uuid(1),
        ip_address: '192.168.1.20',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0',
        created_at: ago(300),
        last_seen_at: ago(0),
        current: true,
      },
      {
        id: uuid(2),
        ip_address: '192.168.1.44',
        user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Safari/605.1',
        created_at: ago(9000),
        last_seen_at: ago(800),
      },
    ],
    'GET /auth/activity': () => [],
    'DELETE /auth/sessions/:id': () => undefined,
    'POST /auth/sessions/revoke-all': () => undefined,
    'GET /api-keys': () =>
      keys([
        {
          id: uuid(1),
          name: 'backup script',
          prefix: 'ck_a81f3c',
          scopes: ['read'],
          expires_at: null,
          last_used_at: ago(60),
          created_at: ago(90_000),
        },
      ]),
    'POST /api-keys': ({ body }) => ({
      id: uuid(2),
      ...body,
      prefix: 'ck_99aa12',
      key: 'ck_99aa12_dGhpcyBpcyBub3QgYSByZWFsIGtleQ',
      expires_at: null,
      last_used_at: null,
      created_at: ago(0),
    }),
    'DELETE /api-keys/:id': () => undefined,
    'GET /auth/users': () => USERS,
    'POST /auth/users': ({ body }) => user(9, body.username, body.global_role),
    'PATCH /auth/users/:id': ({ body }) => ({ ...USERS[1], ...body }),
    'DELETE /auth/users/:id': () => undefined,
    'GET /rbac/roles': () => [
      role('admin', 'Administrator', ['admin'], ACTIONS, 1),
      role(
        'user',
        'User',
        ['write'],
        ACTIONS.filter((a) => a !== 'delete'),
        1,
      ),
      role('viewer', 'Viewer', ['read'], ACTIONS.slice(0, 2), 2),
    ],
    'POST /rbac/roles': ({ body }) => ({ ...body, builtin: false, users: 0, bypass: false }),
    'PATCH /rbac/roles/:name': ({ body }) => body,
    'DELETE /rbac/roles/:name': () => undefined,
    'GET /rbac/actions': () => ({ actions: ACTIONS }),
    'GET /rbac/groups': () => [{ id: uuid(31), name: 'Family', description: 'Everybody at home', source: 'local', member_count: 2 }],
    'POST /rbac/groups': ({ body }) => ({ id: uuid(32), ...body, member_count: 0 }),
    'DELETE /rbac/groups/:id': () => undefined,
    'GET /rbac/groups/:id/members': () => [{ principal_id: uuid(2), username: 'grace', global_role: 'user' }],
    'POST /rbac/groups/:id/members': () => undefined,
    'DELETE /rbac/groups/:id/members/:who': () => undefined,
    'GET /rbac/grants': () => [
      {
        id: uuid(41),
        subject_kind: 'group',
        subject_id: uuid(31),
        subject_label: 'Family',
        library_id: LIBRARIES[0].id,
        rel_path: '',
        action: 'search_metadata',
        effect: 'allow',
      },
      {
        id: uuid(42),
        subject_kind: 'principal',
        subject_id: uuid(3),
        subject_label: 'guest',
        library_id: LIBRARIES[0].id,
        rel_path: '2023/Private',
        action: 'search_metadata',
        effect: 'deny',
      },
    ],
    'POST /rbac/grants': ({ body }) => ({ id: uuid(43), ...body, subject_label: 'guest' }),
    'DELETE /rbac/grants/:id': () => undefined,
    'GET /rbac/preview': ({ query }) => ({
      allowed: !query.get('path')!.includes('Private'),
      reason: query.get('path')!.includes('Private') ? 'explicit_deny' : 'explicit_allow',
      action: query.get('action'),
      role: 'viewer',
      item_scope: query.get('path'),
    }),
    'GET /audit': () =>
      audit(
        Array.from({ length: 30 }, (_, k) => ({
          id: uuid(k),
          event_type: ['login_success', 'login_failure', 'grant_created', 'role_changed', 'search'][k % 5],
          principal_id: uuid(1),
          username_attempted: k % 5 === 1 ? 'root' : 'ada',
          ip: '192.168.1.20',
          ts: ago(k * 37),
          details: k % 5 === 2 ? { library: 'Photos', action: 'search_metadata' } : null,
        })),
      ),
    'GET /system/jobs': ({ query }) => page(query.get('state') === 'failed' ? failed : query.get('state') === 'doing' ? running : []),
    'GET /system/jobs/summary': () => ({
      queues: {
        scan: { doing: 1, todo: 0 },
        hash: { doing: 4, todo: 48_808 },
        extract: { doing: 4, todo: 111_222, failed: 6 },
        thumbs: { doing: 2, todo: 9310 },
        index: { doing: 1, todo: 3188, failed: 3 },
        maintenance: { doing: 0, todo: 0 },
      },
      running,
      failed_recent: [],
      workers: [],
      stalled: { total: 1, by_queue: {} },
    }),
    'POST /system/jobs/:id/abort': () => ({ state: 'aborting' }),
    'POST /system/jobs/:id/retry': () => ({ state: 'todo' }),
    'POST /system/jobs/clear-failed': () => ({ deleted: 9 }),
    'GET /system/maintenance-mode': () => ({ active: false, reason: null, started_at: null }),
    'POST /system/maintenance-mode': ({ body }) => body,
    'GET /stats': () => ({
      queues: {
        scan: { doing: 1, todo: 0 },
        hash: { doing: 4, todo: 48_808 },
        extract: { doing: 4, todo: 111_222, failed: 6 },
        thumbs: { doing: 2, todo: 9310 },
        index: { doing: 1, todo: 3188, failed: 3 },
        maintenance: { doing: 0, todo: 2 },
      },
      extract_errors: { [LIBRARIES[2].id]: 37 },
      semantic: { enabled: false },
      backpressure: { active: true, reason: 'The database is busy. Reading continues at full speed when it is idle.' },
      degraded: {},
    }),
    'GET /system/logs': ({ query }) => {
      const rows = Array.from({ length: 60 }, (_, k) => ({
        id: 1000 - k,
        ts: ago(k / 4),
        source: 'worker',
        level: LOG[k % LOG.length]![0],
        logger: LOG[k % LOG.length]![1],
        message: LOG[k % LOG.length]![2],
        exc: LOG[k % LOG.length]![0] === 'error' ? 'Error: needs a password\n    at openArchive (zip.ts:41)' : null,
      }));
      const min = query.get('min_level');
      const wanted = min === 'error' ? ['error', 'critical'] : min === 'warning' ? ['warning', 'error', 'critical'] : null;
      const q = query.get('q')?.toLowerCase();
      return {
        enabled: true,
        logs: rows.filter((r) => (!wanted || wanted.includes(r.level)) && (!q || `${r.logger} ${r.message}`.toLowerCase().includes(q))),
        next_before_id: null,
      };
    },
  };
}
