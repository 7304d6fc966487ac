/**
 * All errors of the API. `code` is stable and meant for programs, `title` names the error, and `detail` is the default message. It says what
 * happened and, where possible, what to do next. HTTP status codes are in http/status.ts.
 */
export const errorCatalogue = {
  // platform
  malformed_json: { title: 'Malformed JSON', detail: 'The request body is not valid JSON. Check its syntax.' },
  bad_request: { title: 'Bad request', detail: 'The request is not valid.' },
  bad_url: { title: 'Bad URL', detail: 'The URL is not valid. Check its percent-encoding and the length of its parts.' },
  headers_too_large: { title: 'Headers too large', detail: 'The headers or the URL of the request are larger than 16 KB. Shorten them.' },
  request_timeout: { title: 'Request timed out', detail: 'The request did not arrive in time. Send it again.' },
  expectation_failed: { title: 'Expectation failed', detail: 'The header Expect supports only 100-continue.' },
  too_many_connections: { title: 'Too many connections', detail: 'Too many connections are open. Close some of them, then try again.' },
  too_many_streams: {
    title: 'Too many event streams',
    detail: 'Too many event streams are open. Close some of them, for example other tabs of the console, then try again.',
  },
  unsupported_media_type: { title: 'Unsupported media type', detail: 'Send the body as application/json.' },
  body_too_large: { title: 'Body too large', detail: 'The request body is larger than this route accepts.' },
  validation_failed: { title: 'Validation failed', detail: 'Some fields are missing or invalid. See errors for each of them.' },
  not_found: { title: 'Not found', detail: 'There is nothing at this URL.' },
  method_not_allowed: { title: 'Method not allowed', detail: 'This URL does not support that method.' },
  edited_meanwhile: {
    title: 'Edited meanwhile',
    detail: 'Somebody has changed this meanwhile, so it was not saved. Look at what is there now, then save again.',
  },
  conflict: { title: 'Conflict', detail: 'The request conflicts with the current state. Reload and try again.' },
  gone: { title: 'Gone', detail: 'This has expired. Request it again.' },
  too_many: { title: 'Too many items', detail: 'The request names more items than one call accepts. Split it into several calls.' },
  unprocessable: { title: 'Cannot be processed', detail: 'The values of the request do not fit together.' },
  internal: { title: 'Internal error', detail: 'Something went wrong on the server. The server log has details under this request ID.' },
  unavailable: { title: 'Unavailable', detail: 'A required component is not available. Try again shortly.' },
  stopping: { title: 'Stopping', detail: 'This process is being stopped. Send the request to another one, or try again shortly.' },
  database_unavailable: { title: 'Database unavailable', detail: 'The database is not available. Try again shortly.' },
  disk_full: { title: 'Disk full', detail: 'The disk of the catalog is full, and nothing was changed. Free some space, then try again.' },
  took_too_long: { title: 'Timed out', detail: 'The request took too long. Try again, or narrow it down.' },
  shutting_down: { title: 'Shutting down', detail: 'The service is stopping. Try again shortly.' },
  secret_key_missing: {
    title: 'No secret key',
    detail:
      'Secrets cannot be stored because SVC_SECRET_KEY is not set. Create a key with "openssl rand -base64 32", set it for app and worker, and restart.',
  },
  secret_unreadable: {
    title: 'Secret not readable',
    detail: 'The stored secret was encrypted with another SVC_SECRET_KEY. Restore that key, or enter the secret again.',
  },
  outbound_refused: { title: 'Address refused', detail: 'The service does not connect to this address.' },
  // identity
  credentials_missing: { title: 'Sign-in required', detail: 'Sign in or send an API key.' },
  credentials_bad: {
    title: 'Credentials not accepted',
    detail: 'The API key or session is unknown, expired or revoked. Sign in again or use another key.',
  },
  login_failed: { title: 'Sign-in failed', detail: 'The user name or password is not correct.' },
  account_disabled: { title: 'Account disabled', detail: 'This account is disabled. Ask an administrator to enable it.' },
  scope_insufficient: { title: 'Not allowed', detail: 'Your role does not allow this action.' },
  session_required: { title: 'Session required', detail: 'This requires a signed-in user. An API key cannot be used here.' },
  rate_locked: { title: 'Too many attempts', detail: 'Too many failed attempts. Wait, then try again.' },
  bootstrap_done: { title: 'Already set up', detail: 'The first administrator already exists. Sign in instead.' },
  username_taken: { title: 'Name taken', detail: 'Another account already has this name. Choose a different one.' },
  last_admin: {
    title: 'Last administrator',
    detail: 'At least one enabled administrator must remain. Make another account an administrator first.',
  },
  password_wrong: { title: 'Incorrect password', detail: 'The current password is incorrect.' },
  second_factor_required: { title: 'Code required', detail: 'Enter the code of your authenticator app, or a recovery code.' },
  code_wrong: { title: 'Incorrect code', detail: 'That code is not correct, or was used before. Wait for the next one, then try again.' },
  second_factor_missing: {
    title: 'Second factor missing',
    detail: 'Your role requires a second factor. Set up an authenticator app or a passkey under Account.',
  },
  passkey_refused: { title: 'Passkey not accepted', detail: 'The passkey was not accepted. Try again, or use another one.' },
  only_sign_in: { title: 'Only way to sign in', detail: 'This is your only way to sign in. Add another first.' },
  directory_unavailable: {
    title: 'Directory unavailable',
    detail: 'The directory of your organisation does not answer, so your password could not be checked. Try again shortly.',
  },
  sign_in_refused: {
    title: 'Not allowed to sign in',
    detail: 'Your password is correct, but your account is not in a group that can use Catalog. Ask an administrator to add you.',
  },
  would_lock_out: {
    title: 'Would lock people out',
    detail: 'After this change people could no longer sign in. Save it again with confirm=true if that is intended.',
  },
  cross_site: {
    title: 'Cross-site request',
    detail: 'A signed-in session can make changes only from the console’s own pages. Use an API key instead.',
  },
  action_denied: { title: 'Not allowed here', detail: 'You can see this item, but your permissions do not allow this action.' },
  scope_filter_too_long: {
    title: 'Too many grants',
    detail: 'Your grants form a filter longer than SVC_SEARCH_SCOPE_FILTER_CEILING. Ask an administrator to merge them.',
  },
  role_in_use: { title: 'Role in use', detail: 'Accounts still have this role. Give them another role first.' },
  role_builtin: { title: 'Built-in role', detail: 'Built-in roles cannot be changed or deleted.' },
  name_taken: { title: 'Name taken', detail: 'This name is already in use. Choose a different one.' },
  too_many_touches: {
    title: 'Too many opened items',
    detail: 'Too many items were opened within a minute. Some of them were not recorded.',
  },
  // jobs and operations
  job_not_failed: { title: 'Job has not failed', detail: 'Only a failed job can be retried.' },
  job_not_running: { title: 'Job not running', detail: 'The job has already finished.' },
  maintenance_mode: { title: 'Maintenance mode', detail: 'The service is in maintenance mode. Turn it off, then try again.' },
  backup_damaged: { title: 'Backup damaged', detail: 'The backup is damaged. Use another one, or download it again.' },
  already_queued: { title: 'Already queued', detail: 'This task is already queued or running.' },
  // catalog
  library_root_missing: { title: 'Folder not found', detail: 'The folder does not exist on this machine. Check the path.' },
  library_root_not_directory: { title: 'Not a folder', detail: 'The path is a file. Choose a folder for the library.' },
  library_root_unreadable: {
    title: 'Folder not readable',
    detail: 'The service has no permission to read this folder. Change its permissions or choose another one.',
  },
  library_overlap: {
    title: 'Overlapping libraries',
    detail: 'The folder contains, or is inside, the folder of another library. Choose a different one.',
  },
  library_name_mismatch: { title: 'Name does not match', detail: 'To delete a library, enter its exact name.' },
  library_agent_owned: {
    title: 'Agent library',
    detail: 'The files of this library are on another machine, where its agent performs this action.',
  },
  watch_on_network: { title: 'Cannot watch', detail: 'Changes on a network file system cannot be watched. Use a schedule instead.' },
  scan_running: { title: 'Scan running', detail: 'A scan of this library is already queued or running.' },
  scan_still_active: { title: 'Scan still active', detail: 'A worker is still running this scan. Stop it instead.' },
  scan_ended: { title: 'Scan ended', detail: 'The scan has already ended.' },
  preset_readonly: { title: 'Built-in preset', detail: 'Built-in presets cannot be changed. Copy it and change the copy.' },
  preset_in_use: { title: 'Preset in use', detail: 'A library still uses this preset. Remove it there first.' },
  taxonomy_unknown: { title: 'Unknown category or group', detail: 'This category or group does not exist.' },
  taxonomy_in_use: { title: 'Still in use', detail: 'It still contains groups or extensions. Move or delete them first.' },
  path_outside: { title: 'Outside the allowed folders', detail: 'Only folders below the configured roots can be browsed.' },
  path_unreadable: { title: 'Folder not readable', detail: 'The service has no permission to read this folder.' },
  path_too_long: { title: 'Path too long', detail: 'The path is too long, or its links form a loop. Check the path.' },
  library_root_outside: {
    title: 'Folder not allowed',
    detail: 'Libraries can only be created below the folders in SVC_BROWSE_ROOTS. Choose one of them, or add this folder to the setting.',
  },
  disk_unavailable: {
    title: 'Disk unavailable',
    detail: 'The disk or network share cannot be read or written right now. Check it, then try again.',
  },
  file_gone: { title: 'File missing', detail: 'The file is currently not on disk. Scan the library to update it.' },
  file_too_large: { title: 'File too large', detail: 'The file is too large for this action.' },
  range_not_satisfiable: { title: 'Range not satisfiable', detail: 'The requested range starts after the end of the file.' },
  item_not_trashed: { title: 'Not in the recycle bin', detail: 'Only items in the recycle bin can be restored.' },
  // fleet
  enrolment_refused: {
    title: 'Enrolment refused',
    detail: 'The enrolment token is unknown, used, expired or bound to another machine. Ask an administrator for a new one.',
  },
  agent_credentials: {
    title: 'Agent not authenticated',
    detail: 'The request does not prove which agent sent it. Enrol the machine again.',
  },
  agent_certificate_expired: {
    title: 'Certificate expired',
    detail: 'The certificate of this agent has expired. Renew it, then try again.',
  },
  agent_pending: { title: 'Agent pending', detail: 'This agent has no certificate yet. Complete its enrolment.' },
  agent_not_approved: { title: 'Waiting for approval', detail: 'An administrator must approve this agent. It tries again by itself.' },
  agent_revoked: { title: 'Agent revoked', detail: 'This agent was revoked. Enrol the machine again if it should report files.' },
  agent_cloned: {
    title: 'Identity used twice',
    detail: 'Two machines use the identity of this agent. Keep the changes until an administrator has chosen which one keeps it.',
  },
  agent_referenced: { title: 'Agent still has libraries', detail: 'Libraries still belong to this agent. Delete them first.' },
  sequence_conflict: {
    title: 'Sequence conflict',
    detail: 'The batch does not continue the last one. Send the entries from expected_seq_no on.',
  },
  replication_paused: { title: 'Replication paused', detail: 'The service is in maintenance mode. Keep the changes and send them later.' },
  agents_busy: { title: 'Busy', detail: 'Too many agents report at the same time. Try again after the given time.' },
  replication_busy: { title: 'Busy', detail: 'Too many batches are waiting. Send this one again after the given time.' },
  command_open: { title: 'Already asked', detail: 'The agent already has a command of this kind. Wait until it has ended, or cancel it.' },
  command_ended: { title: 'Command has ended', detail: 'The command has ended: it was completed, cancelled, or not carried out in time.' },
  agent_offline: {
    title: 'Agent not connected',
    detail: 'The file is on another machine, whose agent is not connected. Try again when it is.',
  },
  transfer_not_needed: { title: 'File is here', detail: 'The file is on this machine. Download it directly.' },
  transfer_active: { title: 'Already requested', detail: 'The file has already been requested. Use that transfer.' },
  transfer_not_ready: { title: 'Not ready', detail: 'The file has not arrived yet. Try again shortly.' },
  staging_full: { title: 'No space for the file', detail: 'There is no space for this file here.' },
  agent_provisioner_missing: {
    title: 'No provisioner key',
    detail: 'SVC_CA_PROVISIONER_JWK is not set or not a private EC P-256 key, so no certificate token can be issued. Set it, then restart.',
  },
  agent_authority_unusable: {
    title: 'Certificate authority unusable',
    detail: 'The root of the certificate authority for agents is missing.',
  },
  // search
  query_invalid: { title: 'Invalid query', detail: 'The query has a syntax error at the given position.' },
  geo_invalid: { title: 'Invalid geo filter', detail: 'The geo parameters do not fit together.' },
  cursor_invalid: { title: 'Invalid cursor', detail: 'The cursor belongs to another query or is damaged. Start from the first page.' },
  cursor_expired: {
    title: 'Cursor expired',
    detail: 'The search server no longer keeps the state that this cursor continues. Start from the first page.',
  },
  search_unavailable: {
    title: 'Search unavailable',
    detail: 'The search index is not ready. It recovers automatically; try again shortly.',
  },
  search_in_use: {
    title: 'Search in use',
    detail: 'Alert rules still use this search. Choose another search there or delete the rules first.',
  },
  // content
  thumb_missing: { title: 'No thumbnail', detail: 'This item has no thumbnail.' },
  no_page: { title: 'No such page', detail: 'This item has no such page.' },
  no_turntable: { title: 'No 3D view', detail: 'This item is not a 3D model that can be rotated.' },
  no_text: { title: 'No text', detail: 'No text was found in this item.' },
  // insight
  report_invalid: { title: 'Invalid report', detail: 'The definition of the report is not valid. See validation for each error.' },
  channel_in_use: {
    title: 'Channel in use',
    detail: 'Schedules or alert rules still use this channel. Choose another channel there first.',
  },
  report_in_use: {
    title: 'Report in use',
    detail: 'Schedules still use this report. Choose another report there or delete the schedules first.',
  },
  export_too_large: { title: 'Export too large', detail: 'The export has too many rows to send directly. Export it in the background.' },
  export_not_ready: { title: 'Export not ready', detail: 'The export has no file yet. Wait until it is complete.' },
  export_ended: { title: 'Export ended', detail: 'The export has already ended.' },
  too_many_exports: { title: 'Too many exports', detail: 'Too many exports are waiting or running. Wait for one of them.' },
  plan_not_reviewed: {
    title: 'Plan not reviewed',
    detail: 'Review the cleanup plan first; a script is written only for a plan that was reviewed.',
  },
  plan_changed: { title: 'Plan changed', detail: 'The cleanup plan has changed since it was reviewed. Review it again.' },
  nothing_to_prove: { title: 'Nothing to prove', detail: 'There are no sampled groups to prove, or they are being read already.' },
  integrity_closed: { title: 'Already closed', detail: 'This integrity event is closed already.' },
  schedule_running: { title: 'Already running', detail: 'This schedule is running already. Wait until it has ended.' },
  similar_running: { title: 'Already running', detail: 'Photos are being compared already. Wait until that is done.' },
  similar_unavailable: { title: 'Nothing to compare', detail: 'This item has no data for comparison yet.' },
} as const satisfies Record<string, { title: string; detail: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface FieldError {
  /** Location of the field, such as ['body', 'name'] or ['query', 'limit']. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface ProblemExtras {
  errors?: FieldError[];
  /** Seconds to wait before a retry. */
  retryAfter?: number;
  [member: string]: unknown;
}

/** An expected error. Any other error that reaches HTTP is a bug and becomes a 500. */
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

/** `notFound('library')` has the message "No library with this id." */
export function notFound(what: string): Problem {
  return problem('not_found', `No ${what} with this id.`);
}

/** The first names of a list in quotes, for a message. */
export function nameList(names: readonly string[], most = 5): string {
  return [...names.slice(0, most).map((name) => `"${name}"`), ...(names.length > most ? ['…'] : [])].join(', ');
}

/** One field is invalid in a way that its schema cannot express. */
export function fieldProblem(loc: FieldError['loc'], msg: string, type = 'value_error'): Problem {
  return problem('validation_failed', msg, { errors: [{ loc, msg, type }] });
}
