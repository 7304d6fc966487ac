import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { nullable, Time } from '../../platform/schemas.ts';
import type { SearchReader } from '../../search/engines/index.ts';
import { isEnabled } from '../../settings/index.ts';
import { version } from '../../version.ts';
import { listFeatures } from './features.ts';
import { type CheckRoot, describeService } from './service.ts';

const tags = ['system'];
const text = nullable(Type.String());
const fingerprints = {
  stored: text,
  configured: text,
  message: nullable(Type.String({ description: 'What is wrong and what to do next.' })),
};

const AboutOut = Type.Object({
  application: Type.Object({
    name: Type.String(),
    version: Type.String(),
    node: Type.String(),
    platform: Type.String(),
    source_url: text,
    console_build: text,
  }),
  packages: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
  services: Type.Array(Type.Object({ name: Type.String(), version: text, detail: Type.String(), error: text })),
  host_tools: Type.Array(
    Type.Object({
      name: Type.String(),
      purpose: Type.String(),
      present: Type.Boolean(),
      version: text,
      path: text,
      minimum_version: text,
      verdict: Type.String(),
      impact: text,
    }),
  ),
  sandbox: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), active: Type.Boolean(), reason: text, effect: text }), {
    description: 'The layers that separate readers of files from the machine. A missing one has a reason and an effect.',
  }),
  embedding: Type.Object({
    enabled: Type.Boolean(),
    detail: Type.String(),
    repository: text,
    file: text,
    cached: Type.Boolean(),
    size_bytes: nullable(Type.Integer()),
    revision: text,
    downloaded_at: nullable(Time),
  }),
  agents: nullable(
    Type.Object({ total: Type.Integer(), versions: Type.Array(Type.Object({ version: Type.String(), count: Type.Integer() })) }),
  ),
  key_fingerprints: Type.Object({
    secret_key: Type.Object({ state: Type.Enum(['unset', 'stamped', 'match', 'mismatch', 'missing']), ...fingerprints }),
    ca_root: nullable(
      Type.Object(
        { state: Type.Enum(['none', 'match', 'mismatch', 'missing']), ...fingerprints },
        { description: 'The root of the certificate authority for agents. Null while agents are off.' },
      ),
    ),
  }),
  settings: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.String(),
      source: Type.String(),
      section: Type.String(),
      has_effect: Type.Boolean({ description: 'False for a setting whose capability is not part of this version.' }),
    }),
  ),
});

export function aboutRoutes(app: App, { settings }: Dependencies): void {
  app.get(
    '/health',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Check that the process is alive',
        response: { 200: Type.Object({ status: Type.String(), version: Type.String() }) },
      },
    },
    async () => ({ status: 'ok', version }),
  );

  app.get(
    '/ready',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Check that the process accepts requests',
        description: 'For load balancers. Responds with 503 from the moment a stop begins, while requests are still served.',
        response: { 200: Type.Object({ status: Type.String() }) },
      },
    },
    async () => {
      if (app.stopping.aborted) throw problem('stopping');
      return { status: 'ready' };
    },
  );

  app.get(
    '/version',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Get the running version and the location of its source',
        response: {
          200: Type.Object({
            app_version: Type.String(),
            build_stamp: Type.Union([Type.String(), Type.Null()]),
            source_url: Type.String(),
            agents_enabled: Type.Boolean(),
          }),
        },
      },
    },
    async () => ({
      app_version: version,
      build_stamp: process.env['CATALOG_BUILD_STAMP'] ?? null,
      source_url: settings.sourceUrl ?? `${settings.publicBaseUrl ?? ''}/source.tar.gz`,
      agents_enabled: isEnabled(settings, 'SVC_AGENTS_ENABLED'),
    }),
  );
}

const FeatureOut = Type.Object({
  key: Type.String(),
  title: Type.String(),
  enabled: Type.Boolean(),
  scope: Type.Enum(['env', 'libraries']),
  env: Type.Union([Type.String(), Type.Null()]),
  detail: Type.String(),
  count: Type.Optional(Type.Integer({ description: 'Libraries of which the caller sees anything that use the feature.' })),
  total: Type.Optional(Type.Integer({ description: 'Libraries of which the caller sees anything.' })),
  value_gb: Type.Optional(Type.Number()),
});

/** Settings and tool paths describe the machine, so only administrators see them. */
export function serviceRoutes(app: App, deps: Dependencies, reader: SearchReader, checkRoot: CheckRoot): void {
  app.get(
    '/system/features',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List optional features and whether they are on',
        response: { 200: Type.Object({ features: Type.Array(FeatureOut) }) },
      },
    },
    async (request) => ({ features: await listFeatures(deps, await visibilityOf(deps.db, callerOf(request))) }),
  );
  app.get(
    '/system/about',
    {
      config: { scope: 'read' },
      schema: { tags, summary: 'Get versions of the service, its packages, services and tools', response: { 200: AboutOut } },
    },
    async (request) => {
      const caller = callerOf(request);
      const about = await describeService(deps, await visibilityOf(deps.db, caller), reader, checkRoot);
      const admin = caller.scopes.includes('admin');
      const { secret_key, ca_root } = about.key_fingerprints;
      return {
        ...about,
        settings: admin ? about.settings : [],
        key_fingerprints: admin
          ? about.key_fingerprints
          : { secret_key: withoutFingerprints(secret_key), ca_root: ca_root && withoutFingerprints(ca_root) },
        host_tools: about.host_tools.map((tool) => ({ ...tool, path: admin ? tool.path : null })),
      };
    },
  );
}

function withoutFingerprints<Key extends object>(key: Key): Key & { stored: null; configured: null; message: null } {
  return { ...key, stored: null, configured: null, message: null };
}
