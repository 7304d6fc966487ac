/**
 * Every error of the contract, once. `code` is stable and meant for programs; `title` names the kind; `detail` is the sentence shown when the
 * caller of `problem()` gives none. HTTP status codes are in http/status.ts.
 */
export const errorCatalogue = {
  // platform
  malformed_json: { title: 'Malformed JSON', detail: 'The request body is not valid JSON.' },
  bad_request: { title: 'Bad request', detail: 'The request could not be understood.' },
  unsupported_media_type: { title: 'Unsupported media type', detail: 'Send the body as application/json.' },
  body_too_large: { title: 'Body too large', detail: 'The request body is larger than this route accepts.' },
  validation_failed: { title: 'Validation failed', detail: 'Some fields are missing or wrong; errors lists each of them.' },
  not_found: { title: 'Not found', detail: 'There is nothing at this address.' },
  method_not_allowed: { title: 'Method not allowed', detail: 'This address does not answer to that method.' },
  conflict: { title: 'Conflict', detail: 'The request does not fit the present state.' },
  gone: { title: 'Gone', detail: 'What was here has expired.' },
  too_many: { title: 'Too many at once', detail: 'The request names more things than one call accepts.' },
  unprocessable: { title: 'Cannot be done', detail: 'The request is well formed, but its values do not go together.' },
  internal: {
    title: 'Internal error',
    detail: 'Something went wrong on our side. The log has the details under the request id.',
  },
  unavailable: { title: 'Unavailable', detail: 'A part this request needs is not available. Try again shortly.' },
  database_unavailable: { title: 'Database unavailable', detail: 'The database does not answer. Try again shortly.' },
  took_too_long: { title: 'Took too long', detail: 'The work took longer than this request may.' },
  shutting_down: { title: 'Shutting down', detail: 'The service is stopping. Try again shortly.' },
  // identity
  credentials_missing: { title: 'Sign in first', detail: 'This address needs a session or an API key.' },
  credentials_bad: { title: 'Credentials not accepted', detail: 'The key or session is unknown, expired or revoked.' },
  login_failed: { title: 'Sign-in failed', detail: 'The name or the password is wrong.' },
  account_disabled: { title: 'Account disabled', detail: 'This account is disabled. An administrator can enable it.' },
  scope_insufficient: { title: 'Not allowed', detail: 'Your role does not cover this action.' },
  session_required: { title: 'Session required', detail: 'This address needs a signed-in person; an API key is not enough.' },
  rate_locked: { title: 'Too many attempts', detail: 'Too many failed attempts. Wait, then try again.' },
  bootstrap_done: { title: 'Already set up', detail: 'The first administrator exists. Sign in instead.' },
  username_taken: { title: 'Name taken', detail: 'Another account has this name.' },
  last_admin: { title: 'Last administrator', detail: 'At least one enabled administrator must remain.' },
  password_wrong: { title: 'Password wrong', detail: 'The current password is not right.' },
  cross_site: {
    title: 'Cross-site request',
    detail: 'A signed-in session may change things only from the console’s own pages.',
  },
  action_denied: { title: 'Not allowed here', detail: 'You may see this, but your grants do not cover that action.' },
  scope_filter_too_long: {
    title: 'Too many grants',
    detail: 'Your grants compile to a filter above SVC_SEARCH_SCOPE_FILTER_CEILING. Ask an administrator to merge them.',
  },
  role_in_use: { title: 'Role in use', detail: 'Accounts still have this role.' },
  role_builtin: { title: 'Built-in role', detail: 'Built-in roles cannot be changed or deleted.' },
  name_taken: { title: 'Name taken', detail: 'Something else has this name already.' },
  too_many_touches: { title: 'Too many opened items', detail: 'More items were opened than are counted in a minute.' },
  // jobs and operations
  job_not_failed: { title: 'Not failed', detail: 'Only a failed job can be retried.' },
  job_not_running: { title: 'Not running', detail: 'The job has ended already.' },
  maintenance_mode: { title: 'Maintenance mode', detail: 'The service is in maintenance mode. Lift it, then try again.' },
  already_queued: { title: 'Already queued', detail: 'The same task is queued or running.' },
  // catalog
  library_root_missing: { title: 'Folder not there', detail: 'The folder does not exist on this machine.' },
  library_root_not_directory: { title: 'Not a folder', detail: 'The path is a file; a library needs a folder.' },
  library_root_unreadable: { title: 'Folder not readable', detail: 'The service may not read this folder.' },
  library_overlap: { title: 'Overlapping libraries', detail: 'Another library covers this folder, or lies inside it.' },
  library_name_mismatch: { title: 'Name does not match', detail: 'To delete a library, confirm with its exact name.' },
  library_agent_owned: {
    title: 'Agent library',
    detail: 'The files of this library are on another machine; its agent does this.',
  },
  watch_on_network: {
    title: 'Cannot watch',
    detail: 'Changes on a network file system are not reported. Use a schedule instead.',
  },
  scan_running: { title: 'Scan running', detail: 'A scan of this library is queued or running.' },
  scan_still_active: { title: 'Still active', detail: 'A live worker is draining this scan; use stop.' },
  scan_ended: { title: 'Scan ended', detail: 'The scan has ended already.' },
  preset_readonly: { title: 'Shipped preset', detail: 'Shipped presets cannot be changed. Fork it and change the fork.' },
  preset_in_use: { title: 'Preset in use', detail: 'A library still enables this preset.' },
  taxonomy_unknown: { title: 'Unknown category or group', detail: 'No such category or group exists.' },
  taxonomy_in_use: { title: 'Still in use', detail: 'It still holds groups or extensions.' },
  path_outside: { title: 'Outside the allowed folders', detail: 'Only folders below the configured roots can be browsed.' },
  path_unreadable: { title: 'Folder not readable', detail: 'The service may not read this folder.' },
  file_gone: { title: 'File gone', detail: 'The file is not on disk at this moment.' },
  file_too_large: { title: 'File too large', detail: 'The file is larger than the ceiling for this action.' },
  range_not_satisfiable: { title: 'Range not satisfiable', detail: 'The range begins behind the end of the file.' },
  item_not_trashed: { title: 'Not in the recycle bin', detail: 'Only a trashed item can be restored.' },
  // search
  query_invalid: { title: 'Query not understood', detail: 'The query has a mistake; position tells where.' },
  geo_invalid: { title: 'Geo filter not understood', detail: 'The geo parameters do not go together.' },
  cursor_invalid: {
    title: 'Cursor not valid',
    detail: 'The cursor belongs to another query or is damaged. Start from the first page.',
  },
  search_unavailable: {
    title: 'Search unavailable',
    detail: 'The search index is not ready. It heals by itself; try again shortly.',
  },
  // content
  thumb_missing: { title: 'No thumbnail', detail: 'There is no thumbnail for this item.' },
  no_page: { title: 'No such page', detail: 'This item has no such page to show.' },
  no_turntable: { title: 'No turntable', detail: 'This item is no 3D model that can be turned.' },
  no_text: { title: 'No text', detail: 'No text was found in this item.' },
  similar_unavailable: { title: 'Nothing to compare', detail: 'This item has nothing to compare by yet.' },
} as const satisfies Record<string, { title: string; detail: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface FieldError {
  /** Where: ['body', 'name'], ['query', 'limit'], ['path', 'id']. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface ProblemExtras {
  errors?: FieldError[];
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  [member: string]: unknown;
}

/** An error that is part of the contract. Any other error that reaches HTTP is a defect and becomes a 500. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly extras: ProblemExtras;
  constructor(code: ErrorCode, detail: string, extras: ProblemExtras) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }
}

export function problem(code: ErrorCode, detail: string = errorCatalogue[code].detail, extras: ProblemExtras = {}): Problem {
  return new Problem(code, detail, extras);
}

/** A 404 in words: "No library with this id." */
export function notFound(what: string): Problem {
  return problem('not_found', `No ${what} with this id.`);
}

/** One field is wrong in a way the schema cannot tell. */
export function fieldProblem(loc: FieldError['loc'], msg: string, type = 'value_error'): Problem {
  return problem('validation_failed', msg, { errors: [{ loc, msg, type }] });
}
