import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { AgentName, issueToken, Labels } from '../agents/index.ts';
import { groupNames } from '../config/index.ts';
import { baseUrl } from './base-url.ts';

const Url = Type.String({
  maxLength: 2048,
  pattern: '^https?://[A-Za-z0-9.:\\[\\]_-]+(/[A-Za-z0-9._~/-]*)?$',
  description: 'an address with http or https',
});
const fileName = 'catalog-agent-installer.json';

/** A file with everything that a machine needs to enrol, except the folders to scan. */
export function installerRoutes(app: App, deps: Dependencies): void {
  const { db, settings } = deps;
  app.post(
    '/agents/installer-config',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['agents'],
        summary: 'Create an installer file with an enrolment token',
        body: Type.Object(
          {
            central_url_override: Type.Optional(Url),
            agent_name: Type.Optional(AgentName),
            config_group_ids: Type.Optional(Type.Array(Id, { maxItems: 32 })),
            labels: Type.Optional(Labels),
            ttl_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400 })),
          },
          noExtraFields,
        ),
        response: {
          201: Type.Object({
            sidecar: Type.Object({
              central_url: Type.String(),
              enrollment_token: Type.String({ description: 'Shown only once.' }),
              agent_name: nullable(Type.String()),
              config_group_names: Type.Array(Type.String()),
            }),
            file_name: Type.String(),
            token_hash: Type.String(),
            expires_at: Time,
            install_hint: Type.Object({ windows: Type.String(), linux: Type.String(), macos: Type.String() }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { central_url_override, agent_name, config_group_ids = [], labels, ttl_seconds } = request.body;
      const config_group_names = await requireNames(db, config_group_ids);
      const central_url = central_url_override?.replace(/\/+$/, '') ?? baseUrl(settings, request);
      const ttl_minutes = ttl_seconds === undefined ? undefined : Math.ceil(ttl_seconds / 60);
      const issued = await issueToken(deps, { config_group_names, labels, ttl_minutes }, actorOf(request));
      return reply.code(201).send({
        sidecar: { central_url, enrollment_token: issued.token, agent_name: agent_name ?? null, config_group_names },
        file_name: fileName,
        token_hash: issued.token_hash,
        expires_at: issued.expires_at.toISOString(),
        install_hint: {
          windows: `catalog-agent.exe enrol --from ${fileName} --root C:\\Users`,
          linux: `catalog-agent enrol --from ${fileName} --root /srv/files`,
          macos: `catalog-agent enrol --from ${fileName} --root /Users/Shared`,
        },
      });
    },
  );
}

async function requireNames(db: Db, ids: readonly string[]): Promise<string[]> {
  const wanted = new Set(ids);
  const names = await groupNames(db, [...wanted]);
  if (names.length !== wanted.size)
    throw problem('bad_request', 'One of the groups does not exist, or is the group of all agents, which is not assigned.');
  return names;
}
