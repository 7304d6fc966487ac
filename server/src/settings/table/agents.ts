import { boolean, choice, integer, matching, path, secret, text, url } from '../kinds.ts';

/** Agents on other machines. */
export const agentSettings = {
  SVC_AGENTS_ENABLED: boolean({ default: false, description: 'Allows agents on other machines to enrol and report their files.' }),
  SVC_ENROLLMENT_TOKEN_TTL_MINUTES: integer({
    default: 60,
    min: 1,
    unit: 'minutes',
    description: 'How long a single-use enrolment token is valid.',
  }),
  SVC_CA_URL: url({
    unset: 'the built-in certificate authority',
    schemes: ['https', 'http'],
    description: 'Certificate authority that issues certificates to agents.',
  }),
  SVC_CA_FINGERPRINT: text({
    unset: 'the root is not pinned',
    description: 'Fingerprint of the root certificate of that certificate authority. Agents refuse any other root.',
    check: matching(/^[0-9a-fA-F]{16,}$/, 'the SHA-256 fingerprint in hexadecimal digits'),
  }),
  SVC_CA_PROVISIONER: text({
    default: 'catalog-agents',
    origin: 'default chosen',
    description: 'Name of the provisioner at the certificate authority.',
  }),
  SVC_CA_PROVISIONER_JWK: secret({
    unset: 'no certificate tokens are issued',
    description: 'Private EC P-256 key of the provisioner, as a JWK.',
  }),
  SVC_AGENT_CERT_TTL_HOURS: integer({
    default: 48,
    min: 24,
    max: 72,
    unit: 'hours',
    description: 'Lifetime of the certificates that agents request.',
  }),
  SVC_AGENT_AUTH_MODE: choice(['fingerprint', 'mtls-header', 'both'], {
    default: 'fingerprint',
    description: 'How agents authenticate: by certificate fingerprint, by a header from a mutual-TLS proxy, or by either.',
  }),
  SVC_AGENT_REQUIRE_SIGNATURE: boolean({
    default: true,
    origin: 'added',
    description:
      'Agents must sign every request with the key of their certificate. When off, the fingerprint of the certificate is enough, which every administrator can see.',
  }),
  SVC_AGENT_TLS_PORT: integer({
    unset: 'agents use the main port with signed requests',
    min: 1,
    max: 65_535,
    origin: 'added',
    description: 'Port on which agents connect with mutual TLS, which the service terminates itself with its built-in authority.',
  }),
  SVC_AGENT_OFFLINE_ALERT_SECONDS: integer({
    default: 172_800,
    min: 1,
    unit: 'seconds',
    description: 'An agent that has not connected for this long is reported as offline.',
  }),
  SVC_AGENT_REPLICATION_STALL_ALERT_SECONDS: integer({
    default: 21_600,
    min: 1,
    unit: 'seconds',
    description: 'An agent whose changes have been waiting for this long is reported as stalled.',
  }),
  SVC_AGENT_STAGING_MAX_GB: integer({
    default: 20,
    min: 1,
    max: 100_000,
    unit: 'GB',
    origin: 'added',
    description: 'Space in the config folder for files that were fetched from agents. A file that would exceed it is not fetched.',
  }),
  SVC_AGENT_DIST_DIR: path({
    default: '/app/agent-dist',
    description: 'Folder with the agent programs and install scripts that can be downloaded.',
  }),
  SVC_AGENT_RELEASES_DIR: path({
    computed: 'agent-releases in the config folder',
    description: 'Folder for uploaded, signed agent releases.',
  }),
  SVC_AGENT_ASSOCIATE_DEBOUNCE_SECONDS: integer({
    default: 120,
    min: 0,
    unit: 'seconds',
    description: 'Sidecar files of an agent are associated once it has sent no changes for this long.',
  }),
  SVC_AGENT_EXTRACTED_MAX_BYTES: integer({
    default: 262_144,
    min: 1,
    unit: 'bytes',
    description:
      'Largest metadata that one change from an agent may contain. Larger metadata is dropped with a warning; the change itself is kept.',
  }),
};
