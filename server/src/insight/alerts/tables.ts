import type { ChannelConfig, ChannelType } from './channels/config.ts';

export interface ChannelRow {
  id: string;
  name: string;
  type: ChannelType;
  config: ChannelConfig;
  enabled: boolean;
  created_at: Date;
  last_delivered_at: Date | null;
  last_error: string | null;
  failures: number;
}

export type Severity = 'info' | 'warning' | 'critical';

export interface RuleRow {
  id: string;
  name: string;
  enabled: boolean;
  is_system: boolean;
  severity: Severity;
  library_id: string | null;
  path_glob: string | null;
  event_types: string[];
  hash_change_only: boolean;
  saved_search_id: string | null;
  owner_id: string | null;
  group_by: string[];
  group_wait_s: number;
  digest_window: 'hourly' | 'daily' | null;
  repeat_interval_s: number | null;
  threshold_count: number | null;
  threshold_window_s: number | null;
  notify_resolved: boolean;
  channel_ids: string[];
  /** Seconds after which an alert that nobody acknowledged is also sent to `escalate_channel_ids`. */
  escalate_after_s: number | null;
  escalate_channel_ids: string[];
  inhibited_by: string[];
  inhibit_window_s: number;
  created_at: Date;
}

export interface GroupRow {
  id: string;
  rule_id: string;
  dedup_key: string;
  event_type: string;
  library_id: string | null;
  subject: string;
  message: string;
  facts: Record<string, unknown>;
  state: 'waiting' | 'firing' | 'resolved';
  outcome: string | null;
  lasting: boolean;
  digest_until: Date | null;
  events: number;
  notified_events: number;
  notified_at: Date | null;
  notified_up_to: number;
  opened_at: Date;
  last_event_at: Date;
  resolved_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_name: string | null;
  escalated_at: Date | null;
  held: string | null;
  due_at: Date | null;
}

export interface SilenceRow {
  id: string;
  rule_id: string | null;
  library_id: string | null;
  dedup_key: string | null;
  reason: string;
  starts_at: Date;
  ends_at: Date | null;
  daily_from: string | null;
  daily_to: string | null;
  time_zone: string | null;
  created_by: string;
  created_at: Date;
}
