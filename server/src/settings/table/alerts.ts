import { boolean, cidrList, integer } from '../kinds.ts';

/** Messages to people when something happens. */
export const alertSettings = {
  SVC_WEBHOOK_ALLOW_PRIVATE_CIDRS: boolean({
    default: false,
    sentence: 'Allow webhooks to private addresses; loopback and link-local addresses stay refused.',
  }),
  SVC_WEBHOOK_ALLOWED_CIDRS: cidrList({
    default: [],
    sentence: 'Addresses a webhook may always reach; a name that also has a refused address stays refused.',
  }),
  SVC_ALERT_WEBHOOK_TIMEOUT_S: integer({ default: 10, min: 1, unit: 'seconds', sentence: 'A webhook call is stopped after this long.' }),
  SVC_ALERT_GATEWAY_TIMEOUT_S: integer({
    default: 30,
    min: 1,
    unit: 'seconds',
    sentence: 'Sending through a gateway channel is stopped after this long.',
  }),
  SVC_ALERT_RULE_MAX_PER_HOUR: integer({ default: 100, min: 1, unit: 'messages', sentence: 'Messages one rule sends in an hour at most.' }),
  SVC_ALERT_GROUP_INTERVAL_S: integer({
    default: 300,
    min: 0,
    unit: 'seconds',
    sentence: 'Least time before a group with new matches is sent again.',
  }),
  SVC_ALERT_DIGEST_MAX_EVENTS: integer({
    default: 50,
    min: 1,
    unit: 'paths',
    sentence: 'Paths listed in one message; the rest is counted.',
  }),
  SVC_ALERT_MAX_DELIVERY_ATTEMPTS: integer({ default: 5, min: 1, unit: 'attempts', sentence: 'Tries before a message counts as failed.' }),
  SVC_ALERT_SIGNATURE_MAX_AGE_S: integer({
    default: 300,
    min: 1,
    unit: 'seconds',
    sentence: 'Receivers should refuse a webhook signature older than this.',
  }),
  SVC_ALERT_WEBHOOK_MAX_RESPONSE_BYTES: integer({
    default: 65_536,
    min: 0,
    unit: 'bytes',
    sentence: 'Bytes of a webhook answer that are read.',
  }),
  SVC_ALERT_ERROR_SPIKE_THRESHOLD: integer({
    default: 50,
    min: 1,
    unit: 'errors',
    sentence: 'Extraction errors of one library within the window that raise the error-spike alert.',
  }),
  SVC_ALERT_ERROR_SPIKE_WINDOW_S: integer({
    default: 3600,
    min: 1,
    unit: 'seconds',
    sentence: 'Window in which those errors are counted.',
  }),
  SVC_ALERT_EVENTS_RETENTION_DAYS: integer({
    default: 30,
    min: 0,
    unit: 'days',
    sentence: 'Delivered and failed alert events are kept this long.',
  }),
};
