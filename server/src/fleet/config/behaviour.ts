/** The keys of a policy that say what an agent reads, how much of its machine it uses, and what it offers on the machine itself. */
import { type Static, Type } from 'typebox';
import { nullable } from '../../platform/schemas.ts';
import type { Settings } from '../../settings/index.ts';

const Bytes = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const keys = {
  extract_enabled: Type.Boolean({ description: 'Agents read facts from their files and report them.' }),
  extract_body_text: Type.Boolean({ description: 'Agents also report the text of documents, so that it can be searched.' }),
  extract_ocr: Type.Boolean({
    description: 'Agents also recognise text in pictures and scanned PDF files, and report it, so that it can be searched.',
  }),
  extract_max_bytes: { ...Bytes, description: 'Larger files are not read.' },
  record_permissions: Type.Boolean({
    description: 'Agents report who may use their files and folders, and the accounts and groups of their machines.',
  }),
  watch_mode: Type.Boolean({ description: 'Agents report changes within seconds where the system can watch folders.' }),
  cpu_max_percent: Type.Integer({ minimum: 1, maximum: 100, description: 'Of one processor core, for scanning, hashing and reading.' }),
  pause_on_battery: Type.Boolean({ description: 'Nothing is scanned, read or sent while the machine runs on battery.' }),
  pause_on_metered: Type.Boolean({ description: 'Nothing but commands and heartbeats is sent over a metered connection.' }),
  local_access_enabled: Type.Boolean({ description: 'Files can be searched on the machine itself with catalog-agent search.' }),
  web_ui_enabled: Type.Boolean({ description: 'The search is also a page for the browser on the machine itself.' }),
  thumbs_enabled: Type.Boolean({ description: 'Agents draw thumbnails of the files that they read, and send them.' }),
  auto_update: Type.Boolean({ description: 'Agents install releases by themselves, and rollouts ask them to.' }),
  update_not_before: Type.String({ format: 'date-time', maxLength: 40, description: 'Agents install no release before this time.' }),
  update_window: Type.String({
    maxLength: 200,
    description: 'Agents install releases at these hours only: days, hours and a time zone, such as "mon-fri 22:00-05:00 Europe/Berlin".',
  }),
  offline_grace_seconds: Type.Integer({
    minimum: 60,
    maximum: 31_536_000,
    description: 'Local search ends when the agent has not reached the service for this long.',
  }),
};

export const behaviourKeys = {
  extract_enabled: Type.Optional(keys.extract_enabled),
  extract_body_text: Type.Optional(keys.extract_body_text),
  extract_ocr: Type.Optional(keys.extract_ocr),
  extract_max_bytes: Type.Optional(keys.extract_max_bytes),
  record_permissions: Type.Optional(keys.record_permissions),
  watch_mode: Type.Optional(keys.watch_mode),
  cpu_max_percent: Type.Optional(keys.cpu_max_percent),
  pause_on_battery: Type.Optional(keys.pause_on_battery),
  pause_on_metered: Type.Optional(keys.pause_on_metered),
  local_access_enabled: Type.Optional(keys.local_access_enabled),
  web_ui_enabled: Type.Optional(keys.web_ui_enabled),
  offline_grace_seconds: Type.Optional(keys.offline_grace_seconds),
  thumbs_enabled: Type.Optional(keys.thumbs_enabled),
  auto_update: Type.Optional(keys.auto_update),
  update_not_before: Type.Optional(keys.update_not_before),
  update_window: Type.Optional(keys.update_window),
};
const Given = Type.Object(behaviourKeys);
export type BehaviourPolicy = Static<typeof Given>;

/** What the agent is told; keys that no group sets have their default. */
export const behaviourDocument = {
  ...keys,
  extract_max_bytes: nullable(Bytes),
  cpu_max_percent: nullable(Type.Integer()),
  update_not_before: nullable(Type.String()),
  update_window: nullable(Type.String()),
  extracted_max_bytes: Type.Integer({ description: 'What is read from one file is cut to this many bytes.' }),
  body_text_max_chars: Type.Integer(),
  ocr_lang: Type.String(),
  ocr_max_pages: Type.Integer(),
  ocr_timeout_seconds: Type.Integer(),
  thumb_grid_px: Type.Integer(),
  thumb_preview_px: Type.Integer(),
};
const Resolved = Type.Object(behaviourDocument);
export type Behaviour = Static<typeof Resolved>;

export function behaviourOf(given: BehaviourPolicy, settings: Settings): Behaviour {
  return {
    extract_enabled: given.extract_enabled ?? false,
    extract_body_text: given.extract_body_text ?? false,
    extract_ocr: given.extract_ocr ?? false,
    extract_max_bytes: given.extract_max_bytes ?? null,
    record_permissions: given.record_permissions ?? false,
    watch_mode: given.watch_mode ?? false,
    cpu_max_percent: given.cpu_max_percent ?? null,
    pause_on_battery: given.pause_on_battery ?? false,
    pause_on_metered: given.pause_on_metered ?? false,
    local_access_enabled: given.local_access_enabled ?? true,
    web_ui_enabled: given.web_ui_enabled ?? false,
    offline_grace_seconds: given.offline_grace_seconds ?? 86_400,
    thumbs_enabled: (given.thumbs_enabled ?? false) && settings.thumbsEnabled,
    thumb_grid_px: settings.thumbnailGridPx,
    thumb_preview_px: settings.thumbnailPreviewPx,
    auto_update: given.auto_update ?? true,
    update_not_before: given.update_not_before ?? null,
    update_window: given.update_window ?? null,
    extracted_max_bytes: settings.agentExtractedMaxBytes,
    body_text_max_chars: settings.bodyTextMaxChars,
    ocr_lang: settings.ocrLang,
    ocr_max_pages: settings.ocrMaxPages,
    ocr_timeout_seconds: settings.ocrTimeoutS,
  };
}
