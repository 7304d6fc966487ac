import { boolean, choice, integer, matching, path, secret, text, url } from '../kinds.ts';

/** Agents on other machines. */
export const agentSettings = {
  SVC_AGENTS_ENABLED: boolean({ default: false, sentence: 'Let agents on other machines enrol and report their files.' }),
  SVC_ENROLLMENT_TOKEN_TTL_MINUTES: integer({
    default: 60,
    min: 1,
    unit: 'minutes',
    sentence: 'A single-use enrolment token is valid this long.',
  }),
  SVC_CA_URL: url({
    unset: 'agents get no certificate',
    schemes: ['https', 'http'],
    sentence: 'Certificate authority that agents are sent to.',
  }),
  SVC_CA_FINGERPRINT: text({
    unset: 'the root is not pinned',
    sentence: 'Fingerprint of the root certificate that agents must find there.',
    check: matching(/^[0-9a-fA-F]{16,}$/, 'the SHA-256 fingerprint in hexadecimal digits'),
  }),
  SVC_CA_PROVISIONER: text({
    default: 'catalog-agents',
    origin: 'default chosen',
    sentence: 'Name of the provisioner at the certificate authority.',
  }),
  SVC_CA_PROVISIONER_JWK: secret({
    unset: 'no enrolment tokens for the certificate authority are made',
    sentence: 'Private EC P-256 key of the provisioner as a JWK.',
  }),
  SVC_AGENT_CERT_TTL_HOURS: integer({ default: 48, min: 24, max: 72, unit: 'hours', sentence: 'Certificate lifetime agents ask for.' }),
  SVC_AGENT_AUTH_MODE: choice(['fingerprint', 'mtls-header', 'both'], {
    default: 'fingerprint',
    sentence: 'How agents prove who they are: certificate fingerprint, header of a mutual-TLS proxy, or either.',
  }),
  SVC_AGENT_OFFLINE_ALERT_SECONDS: integer({
    default: 172_800,
    min: 1,
    unit: 'seconds',
    sentence: 'An agent unseen for this long counts as offline.',
  }),
  SVC_AGENT_REPLICATION_STALL_ALERT_SECONDS: integer({
    default: 21_600,
    min: 1,
    unit: 'seconds',
    sentence: 'An agent whose changes do not arrive for this long counts as stalled.',
  }),
  SVC_AGENT_DIST_DIR: path({
    default: '/app/agent-dist',
    sentence: 'Folder with the agent programs and install scripts offered for download.',
  }),
  SVC_AGENT_RELEASES_DIR: path({ computed: 'agent-releases in the config folder', sentence: 'Folder for uploaded signed agent releases.' }),
  SVC_AGENT_ASSOCIATE_DEBOUNCE_SECONDS: integer({
    default: 120,
    min: 0,
    unit: 'seconds',
    sentence: 'Sidecars of an agent are associated after its changes rest for this long.',
  }),
  SVC_AGENT_EXTRACTED_MAX_BYTES: integer({
    default: 262_144,
    min: 1,
    unit: 'bytes',
    sentence: 'Metadata one change of an agent may carry; more is dropped with a warning, the change still counts.',
  }),
};
