import { existsSync, readFileSync } from 'node:fs';
import type { Client } from './client.ts';
import { filesIn, writePrivate } from './config.ts';

/** What the service decides about this agent. Kept on disk, so that the agent starts with it while the service cannot be reached. */
export interface Policy {
  presets: { name: string; patterns: string[] }[];
  exclude_globs: string[];
  include_globs: string[];
  content_hash_max_bytes: number;
  scan_interval_seconds: number | null;
  upload_bytes_per_second: number | null;
  read_bytes_per_second: number | null;
  extract_enabled: boolean;
  extract_body_text: boolean;
  extract_ocr: boolean;
  ocr_lang: string;
  ocr_max_pages: number;
  ocr_timeout_seconds: number;
  extract_max_bytes: number | null;
  /** What is read from one file is cut to this many bytes. */
  extracted_max_bytes: number;
  body_text_max_chars: number;
  /** Who may use files and folders is reported. */
  record_permissions: boolean;
  watch_mode: boolean;
  cpu_max_percent: number | null;
  pause_on_battery: boolean;
  pause_on_metered: boolean;
  local_access_enabled: boolean;
  web_ui_enabled: boolean;
  offline_grace_seconds: number;
  thumbs_enabled: boolean;
  thumb_grid_px: number;
  thumb_preview_px: number;
}

/** Of a service that does not know these keys yet. What concerns the privacy of the machine is off. */
const olderService = {
  extract_enabled: false,
  extract_body_text: false,
  extract_ocr: false,
  ocr_lang: 'eng',
  ocr_max_pages: 10,
  ocr_timeout_seconds: 120,
  extract_max_bytes: null,
  extracted_max_bytes: 262_144,
  body_text_max_chars: 5_000_000,
  record_permissions: false,
  watch_mode: false,
  cpu_max_percent: null,
  pause_on_battery: false,
  pause_on_metered: false,
  local_access_enabled: false,
  web_ui_enabled: false,
  offline_grace_seconds: 86_400,
  thumbs_enabled: false,
  thumb_grid_px: 320,
  thumb_preview_px: 800,
};

interface StoredPolicy {
  etag: string;
  generation: number;
  policy: Policy;
  /** The version of the file types of the service. A service that does not deliver file types leaves it out. */
  taxonomyVersion?: number | undefined;
}

/** Null until the service has been reached once: without its rules nothing is scanned. */
export function readPolicy(dataDir: string): StoredPolicy | null {
  const { policy } = filesIn(dataDir);
  if (!existsSync(policy)) return null;
  const stored = JSON.parse(readFileSync(policy, 'utf8')) as StoredPolicy;
  return { ...stored, policy: { ...olderService, ...stored.policy } };
}

/** Asks the service for the policy and stores it when it has changed. */
export async function fetchPolicy(client: Client, dataDir: string): Promise<StoredPolicy> {
  const known = readPolicy(dataDir);
  const answer = await client.send('GET', `/policy?applied=${known?.generation ?? 0}`, {
    headers: known ? { 'if-none-match': known.etag } : {},
  });
  if (answer.status === 304 && known) return known;
  const { version, policy, taxonomy_version } = answer.body as { version: number; policy: Policy; taxonomy_version?: number };
  const etag = answer.headers.get('etag') ?? '';
  const stored = { etag, generation: version, policy: { ...olderService, ...policy }, taxonomyVersion: taxonomy_version };
  writePrivate(filesIn(dataDir).policy, JSON.stringify(stored));
  return stored;
}

export interface PolicyTurns {
  /** What the service said in a heartbeat; it says something else when settings have changed. */
  tell(mark: unknown): void;
  /** Whether to ask for the policy now. */
  isDue(): boolean;
  /** Call after the service was asked; `changed` when it answered with another policy. */
  asked(changed: boolean): void;
}

const askedAtLeastEveryMs = 600_000;
const askedWithoutMarksEveryMs = 60_000;
/** A changed policy is in use when the agent asks again. */
const confirmedAfterMs = 10_000;

/** Says when an agent asks for its policy. A service of an earlier version does not tell when it has changed, and is asked every minute. */
export function createPolicyTurns(now: () => number = () => performance.now()): PolicyTurns {
  let told: unknown;
  let last: { at: number; mark: unknown; changed: boolean } | undefined;
  return {
    tell(mark) {
      told = mark;
    },
    isDue() {
      if (last === undefined) return true;
      const passed = now() - last.at;
      if (told === undefined) return passed >= askedWithoutMarksEveryMs;
      return last.mark !== told || (last.changed && passed >= confirmedAfterMs) || passed >= askedAtLeastEveryMs;
    },
    asked(changed) {
      last = { at: now(), mark: told, changed };
    },
  };
}
