import { boolean, cidrList, integer } from '../kinds.ts';

/** Alert rules, webhooks and delivery. */
export const alertSettings = {
  SVC_WEBHOOK_ALLOW_PRIVATE_CIDRS: boolean({
    default: false,
    description: 'Allows webhooks to private addresses. Loopback and link-local addresses stay blocked.',
  }),
  SVC_WEBHOOK_ALLOWED_CIDRS: cidrList({
    default: [],
    description: 'Addresses that webhooks may always reach. A host name that also resolves to a blocked address stays blocked.',
  }),
  SVC_ALERT_WEBHOOK_TIMEOUT_S: integer({ default: 10, min: 1, unit: 'seconds', description: 'Timeout of a webhook call.' }),
  SVC_ALERT_GATEWAY_TIMEOUT_S: integer({
    default: 30,
    min: 1,
    unit: 'seconds',
    description: 'Timeout for sending through a gateway channel.',
  }),
  SVC_ALERT_RULE_MAX_PER_HOUR: integer({
    default: 100,
    min: 1,
    unit: 'messages',
    description: 'Maximum number of messages that one rule sends per hour.',
  }),
  SVC_ALERT_GROUP_INTERVAL_S: integer({
    default: 300,
    min: 0,
    unit: 'seconds',
    description: 'Minimum time before a group with new matches is sent again.',
  }),
  SVC_ALERT_DIGEST_MAX_EVENTS: integer({
    default: 50,
    min: 1,
    unit: 'paths',
    description: 'Maximum number of paths listed in one message. Further paths are only counted.',
  }),
  SVC_ALERT_MAX_DELIVERY_ATTEMPTS: integer({
    default: 5,
    min: 1,
    unit: 'attempts',
    description: 'Number of delivery attempts before a message is marked as failed.',
  }),
  SVC_ALERT_SIGNATURE_MAX_AGE_S: integer({
    default: 300,
    min: 1,
    unit: 'seconds',
    description: 'Age from which receivers should reject a webhook signature.',
  }),
  SVC_ALERT_WEBHOOK_MAX_RESPONSE_BYTES: integer({
    default: 65_536,
    min: 0,
    unit: 'bytes',
    description: 'Maximum number of bytes read from a webhook response.',
  }),
  SVC_ALERT_ERROR_SPIKE_THRESHOLD: integer({
    default: 50,
    min: 1,
    unit: 'errors',
    description: 'Number of extraction errors in one library within the time window that raises the error-spike alert.',
  }),
  SVC_ALERT_ERROR_SPIKE_WINDOW_S: integer({
    default: 3600,
    min: 1,
    unit: 'seconds',
    description: 'Time window in which extraction errors are counted.',
  }),
  SVC_ALERT_EVENTS_RETENTION_DAYS: integer({
    default: 30,
    min: 0,
    unit: 'days',
    description: 'How long delivered and failed alert events are kept.',
  }),
};
