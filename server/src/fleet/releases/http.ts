import type { Readable } from 'node:stream';
import { type ReleaseManifest, releaseArchitectures, releasePlatforms } from '@catalog/protocol';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { hasScope } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import type { AgentRow } from '../agents/index.ts';
import { sendProgram } from './http-program.ts';
import { releaseRolloutRoutes } from './http-rollouts.ts';
import { Version } from './schemas.ts';
import { addRelease, isReady, maxArtifactBytes, requireProgram, requireRelease, storeProgram, withdraw } from './service.ts';
import { listReleases, type ReleaseRow, runningVersions } from './store.ts';
import { offerFor } from './updates.ts';

export { updatesOf } from './updates.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const Filename = Type.String({ pattern: '^catalog-agent-(linux|macos|windows)-(x64|arm64)(\\.exe)?$' });
const Signature = Type.String({ minLength: 80, maxLength: 120, description: 'Ed25519, base64.' });
const Artifact = Type.Object(
  {
    platform: Type.Enum([...releasePlatforms]),
    arch: Type.Enum([...releaseArchitectures]),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    size: Type.Integer({ minimum: 1, maximum: maxArtifactBytes }),
    url: Filename,
  },
  noExtraFields,
);
const Manifest = Type.Object(
  {
    version: Version,
    created_at: Type.String({ maxLength: 40, format: 'date-time' }),
    artifacts: Type.Array(Artifact, { minItems: 1, maxItems: 12 }),
    signature: Signature,
    checksums_signature: Signature,
  },
  { ...noExtraFields, title: 'AgentReleaseManifest' },
);
const ReleaseOut = Type.Object(
  {
    version: Type.String(),
    created_at: Type.String(),
    artifacts: Type.Array(Artifact),
    uploaded: Type.Array(Type.String(), { description: 'Programs that have arrived.' }),
    ready: Type.Boolean({ description: 'It is offered to agents.' }),
    withdrawn_at: nullable(Time),
    confirmed_count: Type.Integer({ description: 'Agents that run this version.' }),
  },
  { title: 'AgentRelease' },
);
const maxListed = 200;
const maxAgents = 1000;

export function releaseRoutes(app: App, deps: Dependencies, agentOf: (request: object) => AgentRow): void {
  const { db } = deps;
  releaseRolloutRoutes(app, deps);
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  app.get(
    '/agent-releases',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List releases of the agent program and, for administrators, which version each agent runs',
        response: {
          200: Type.Object({
            releases: Type.Array(ReleaseOut),
            agents: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                hostname: Type.String(),
                agent_version: nullable(Type.String()),
                last_seen_at: nullable(Time),
              }),
              { description: 'Shown to administrators only.' },
            ),
          }),
        },
      },
    },
    async (request) => ({
      releases: (await listReleases(db, maxListed)).map(present),
      agents: (hasScope(callerOf(request).scopes, 'admin') ? await runningVersions(db, maxAgents) : []).map(
        ({ last_seen_at, ...agent }) => ({
          ...agent,
          last_seen_at: last_seen_at?.toISOString() ?? null,
        }),
      ),
    }),
  );
  app.post(
    '/agent-releases',
    { config: admin, schema: { tags, summary: 'Add a release from its signed manifest', body: Manifest, response: { 201: ReleaseOut } } },
    async (request, reply) => {
      const manifest = request.body as ReleaseManifest;
      await addRelease(deps, manifest, actorOf(request));
      return reply.code(201).send(present(await requireRelease(db, manifest.version)));
    },
  );
  app.put(
    '/agent-releases/:version/artifacts/:filename',
    {
      config: admin,
      bodyLimit: maxArtifactBytes,
      schema: {
        tags,
        summary: 'Upload a program of a release',
        params: Type.Object({ version: Version, filename: Filename }),
        body: { content: { 'application/octet-stream': { schema: {} } } },
        response: {
          200: Type.Object({ version: Type.String(), filename: Type.String(), size: Type.Integer(), sha256: Type.String() }),
        },
      },
    },
    async (request) => {
      const { version, filename } = request.params;
      const body = request.body as unknown;
      if (typeof (body as Readable | null)?.pipe !== 'function')
        throw problem('unsupported_media_type', 'Send the program as application/octet-stream.');
      const { size, sha256 } = await storeProgram(deps, version, filename, body as Readable);
      return { version, filename, size, sha256 };
    },
  );
  app.delete(
    '/agent-releases/:version',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Withdraw a release: it is not offered any more, and its programs are removed',
        params: Type.Object({ version: Version }),
        response: { 200: ReleaseOut },
      },
    },
    async (request) => {
      await withdraw(deps, request.params.version, actorOf(request));
      return present(await requireRelease(db, request.params.version));
    },
  );
  app.get(
    '/agents/:agent_id/update-manifest',
    {
      config: { scope: 'agent' },
      schema: {
        tags,
        summary: 'Get the newest release for the calling agent',
        params: Type.Object({ agent_id: Id }),
        querystring: Type.Object({ current: Version, arch: Type.Enum([...releaseArchitectures]) }, noExtraFields),
        response: { 200: Manifest, 204: Type.Null({ description: 'There is no newer release.' }) },
      },
    },
    async (request, reply) => {
      const offered = await offerFor(db, agentOf(request), request.query.current, request.query.arch);
      return offered === null ? reply.code(204).send(null) : offered;
    },
  );
  app.get(
    '/agents/:agent_id/releases/:version/artifacts/:filename',
    {
      config: { scope: 'agent', raw: true },
      schema: {
        tags,
        summary: 'Download a program of a release (supports ranges)',
        params: Type.Object({ agent_id: Id, version: Version, filename: Filename }),
      },
    },
    async (request, reply) => sendProgram(request, reply, await requireProgram(deps, request.params.version, request.params.filename)),
  );
}

function present(row: ReleaseRow) {
  const { version, created_at, artifacts } = row.manifest;
  return {
    version,
    created_at,
    artifacts,
    uploaded: row.files,
    ready: isReady(row),
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
    confirmed_count: row.confirmed,
  };
}
