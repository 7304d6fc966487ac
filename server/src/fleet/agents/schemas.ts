import { Type } from 'typebox';
import { Id, JsonObject, noExtraFields, nullable, Time } from '../../platform/schemas.ts';

export const Label = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*$',
});
const GroupName = Type.String({ minLength: 1, maxLength: 128 });

export const Verdict = Type.Enum(['ok', 'outdated', 'unknown', 'absent']);
const LabelWord = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\s,\\u0000-\\u001f]+$',
  description: 'a word without spaces and commas',
});
export const Labels = Type.Array(LabelWord, { maxItems: 20, description: 'Groups can apply to all agents with a label.' });

export const AgentOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    hostname: Type.String(),
    platform: Type.String(),
    status: Type.Enum(['pending', 'active', 'revoked']),
    approved: Type.Boolean({ description: 'False while the enrolment waits for an administrator.' }),
    cert_fingerprint: nullable(Type.String()),
    cert_not_after: nullable(Time),
    last_contiguous_seq_no: Type.Integer(),
    last_seen_at: nullable(Time),
    last_batch_at: nullable(Time),
    last_reconcile_at: nullable(Time),
    last_auth_mode: nullable(Type.String({ description: 'signature, fingerprint, mtls-header or mtls.' })),
    last_address: nullable(Type.String()),
    agent_version: nullable(Type.String()),
    update_available: Type.Boolean({ description: 'A newer release for this machine is ready.' }),
    update_target: nullable(Type.String({ description: 'Its version.' })),
    update_hold: nullable(Type.String({ description: 'Why it is not offered to this agent.' })),
    update_pending: Type.Boolean({ description: 'The agent was asked to update itself and has not finished.' }),
    config_generation_applied: nullable(Type.Integer()),
    config_group_ids: Type.Array(Id, { description: 'Groups of which it is a member. Others apply by platform and labels.' }),
    labels: Type.Array(Type.String()),
    expected_away: Type.Boolean({
      description: 'The agent said goodbye, ran on battery when it reported last, or runs on a machine with a battery.',
    }),
    clone_seen_at: nullable(
      Type.String({ format: 'date-time', description: 'When two programs last took turns with the identity of this agent.' }),
    ),
    clone_held_at: nullable(
      Type.String({ format: 'date-time', description: 'Since when changes are held back because two machines use this identity.' }),
    ),
    clone_kept_run: nullable(Type.String({ description: 'The run that keeps the identity and is about to make a new key.' })),
    clone_runs: Type.Array(
      Type.Object({
        run_id: Type.String(),
        address: nullable(Type.String()),
        hostname: nullable(Type.String()),
        seen_at: Type.String({ format: 'date-time' }),
      }),
      { description: 'The machines that reported with this identity, the latest first; empty unless changes are held back.' },
    ),
    tool_verdicts: Type.Record(Type.String(), Verdict, { description: 'Programs of the machine that readers use.' }),
    capabilities: nullable(JsonObject),
    capabilities_at: nullable(Time),
    health: nullable(JsonObject),
    health_at: nullable(Time),
    revoked_at: nullable(Time),
    created_at: Time,
  },
  { title: 'Agent' },
);

export const TokenOut = Type.Object(
  {
    token_hash: Type.String(),
    config_group_names: Type.Array(Type.String()),
    labels: Type.Array(Type.String()),
    hostname: nullable(Type.String()),
    network: nullable(Type.String()),
    requires_approval: Type.Boolean(),
    expires_at: Time,
    consumed_at: nullable(Time),
    consumed_by: nullable(Id),
    created_at: Time,
    status: Type.Enum(['active', 'consumed', 'expired']),
  },
  { title: 'EnrollmentToken' },
);

export const TokenIn = Type.Object(
  {
    config_group_names: Type.Optional(Type.Array(GroupName, { maxItems: 32 })),
    labels: Type.Optional(Labels),
    ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
    hostname: Type.Optional(nullable(Label)),
    network: Type.Optional(
      nullable(
        Type.String({
          maxLength: 64,
          pattern: '^(\\d{1,3}\\.){3}\\d{1,3}(/\\d{1,2})?$|^[0-9a-fA-F:]*:[0-9a-fA-F:.]*(/\\d{1,3})?$',
          description: 'an address or a network such as 10.0.0.0/8',
        }),
      ),
    ),
    requires_approval: Type.Optional(Type.Boolean()),
  },
  noExtraFields,
);

export const TokenIssued = Type.Object({
  token: Type.String({ description: 'Shown only once.' }),
  token_hash: Type.String(),
  config_group_names: Type.Array(Type.String()),
  expires_at: Time,
});

export const Authority = Type.Object({
  kind: Type.Enum(['built-in', 'external']),
  url: nullable(Type.String()),
  fingerprint: nullable(Type.String({ description: 'SHA-256 of the root certificate, which the agent pins.' })),
  provisioner: Type.String(),
  cert_ttl_hours: Type.Integer(),
});

const Pem = Type.String({ minLength: 1, maxLength: 8192 });
const Proof = Type.String({ minLength: 1, maxLength: 200 });

export const RegisterIn = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200 }),
    hostname: Label,
    platform: Type.String({ maxLength: 32, description: 'windows, macos or linux.' }),
    name: Type.Optional(Label),
    agent_version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    config_group: Type.Optional(GroupName),
    public_key: Type.Optional({
      ...Pem,
      description: 'The key that the machine is going to have certified. With it, a registration whose answer was lost can be repeated.',
    }),
    proof: Type.Optional({ ...Proof, description: 'A signature of that key, which names the token.' }),
  },
  noExtraFields,
);

export const Registered = Type.Object({
  agent_id: Id,
  status: Type.Enum(['pending']),
  approved: Type.Boolean(),
  enroll_secret: Type.String({ description: 'Shown only once; spent when a certificate is bound.' }),
  ca: Authority,
  root_pem: nullable(Type.String({ description: 'The root of the built-in authority.' })),
  release_key: Type.String({ description: 'The public key that signs releases of the agent program, which the agent pins.' }),
  ca_ott: nullable(Type.String({ description: 'A single-use token for the external authority; null without a provisioner key.' })),
  agent_plane_url: nullable(Type.String({ description: 'Where agents connect with their certificate; null when there is no such port.' })),
  config_group_warning: nullable(Type.String()),
});

export const BindIn = Type.Object(
  {
    enroll_secret: Type.String({ minLength: 1, maxLength: 200 }),
    cert_fingerprint: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'the SHA-256 of the certificate in hexadecimal digits' }),
    ),
    certificate_pem: Type.Optional(Pem),
    public_key: Type.Optional(Pem),
    proof: Type.Optional(Proof),
  },
  noExtraFields,
);

export const RebindIn = Type.Object(
  {
    cert_chain_pem: Type.String({ minLength: 1, maxLength: 32_768, description: 'The certificate first, the root of the authority last.' }),
    timestamp: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Seconds since 1970.' }),
    signature: Type.String({ minLength: 1, maxLength: 2048, description: 'ECDSA with SHA-256 in DER form, base64.' }),
  },
  noExtraFields,
);

export const BoundOut = Type.Intersect([AgentOut, Type.Object({ certificate_pem: nullable(Type.String()) })]);

export const RenewIn = Type.Object({ public_key: Type.Optional(Pem), proof: Type.Optional(Proof) }, noExtraFields);

export const RenewedOut = Type.Object({ certificate_pem: Type.String(), root_pem: Type.String() });
