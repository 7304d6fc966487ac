import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { artifactPattern, type ReleaseManifest, verifyRelease } from '@catalog/protocol';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { baseUrl } from './base-url.ts';
import { installerRoutes } from './http-installer.ts';
import { sendProgram } from './http-program.ts';
import { ensureReleaseKey } from './key.ts';

const tags = ['agents'];
const open = { scope: 'public' } as const;
const scripts = ['install.sh', 'install.ps1', 'manage-windows-agent.ps1'] as const;
const Text = Type.Unsafe<unknown>({ type: 'string' });

/** Programs and scripts for machines that have no agent yet, from SVC_AGENT_DIST_DIR. Only signed programs are served. */
export function distributionRoutes(app: App, deps: Dependencies): void {
  const { db, settings } = deps;
  installerRoutes(app, deps);
  app.get(
    '/agent-dist',
    {
      config: open,
      schema: {
        tags,
        summary: 'List the programs that can be installed',
        response: {
          200: Type.Object({
            version: Type.String(),
            key_fingerprint: Type.String({ description: 'SHA-256 of the public key that signs releases, in DER form.' }),
            checksums_sha256: Type.String({ description: 'SHA-256 of the file SHA256SUMS.' }),
            artifacts: Type.Array(
              Type.Object({
                filename: Type.String(),
                os: Type.String(),
                arch: Type.String(),
                size: Type.Integer(),
                sha256: Type.String(),
                url: Type.String(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const { manifest, key } = await requireSigned(db, settings);
      const base = baseUrl(settings, request);
      return {
        version: manifest.version,
        key_fingerprint: sha256(Buffer.from(key.replace(/-----[^-]+-----|\s/g, ''), 'base64')),
        checksums_sha256: sha256(readFileSync(inDist(settings, 'SHA256SUMS'))),
        artifacts: manifest.artifacts.map(({ url, platform, arch, size, sha256: digest }) => ({
          filename: url,
          os: platform,
          arch,
          size,
          sha256: digest,
          url: `${base}/api/v1/agent-dist/${url}`,
        })),
      };
    },
  );
  for (const name of scripts)
    app.get(
      `/agent-dist/${name}`,
      { config: { ...open, raw: true }, schema: { tags, summary: `The script ${name} for this service`, response: { 200: Text } } },
      async (request, reply) => {
        requireFolder(settings);
        const text = readFileSync(new URL(`./scripts/${name}`, import.meta.url), 'utf8');
        return reply
          .type('text/plain; charset=utf-8')
          .header('cache-control', 'no-cache')
          .send(text.replaceAll('@URL@', baseUrl(settings, request)));
      },
    );
  app.get(
    '/agent-dist/:filename',
    {
      config: { ...open, raw: true },
      schema: {
        tags,
        summary: 'Download a program, its checksum (.sha256), SHA256SUMS, its signature, or the key that signs',
        params: Type.Object({ filename: Type.String({ maxLength: 100 }) }),
      },
    },
    async (request, reply) => {
      const { filename } = request.params;
      const { manifest, key } = await requireSigned(db, settings);
      const plain = (text: string) => reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(text);
      if (filename === 'release-key.pem') return plain(key);
      if (filename === 'SHA256SUMS' || filename === 'SHA256SUMS.sig') return plain(readFileSync(inDist(settings, filename), 'utf8'));
      const artifact = manifest.artifacts.find(({ url }) => url === filename.replace(/\.sha256$/, ''));
      if (!artifact || !artifactPattern.test(artifact.url)) throw problem('not_found', 'There is no such program.');
      return filename.endsWith('.sha256') ? plain(`${artifact.sha256}\n`) : sendProgram(request, reply, inDist(settings, artifact.url));
    },
  );
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const inDist = ({ agentDistDir }: Pick<Settings, 'agentDistDir'>, name: string): string => path.join(agentDistDir, name);

function requireFolder(settings: Settings): void {
  if (!existsSync(settings.agentDistDir))
    throw problem('not_found', 'No programs can be installed from here: SVC_AGENT_DIST_DIR does not exist.');
}

/** The manifest of the folder, if the key of this installation has signed it. */
async function requireSigned(db: Db, settings: Settings): Promise<{ manifest: ReleaseManifest; key: string }> {
  requireFolder(settings);
  const file = inDist(settings, 'manifest.json');
  if (!existsSync(file) || !existsSync(inDist(settings, 'SHA256SUMS')))
    throw problem('not_found', 'The programs in SVC_AGENT_DIST_DIR are not signed. Run "catalog agent-release sign" with that folder.');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as ReleaseManifest;
  const key = await ensureReleaseKey(db, settings);
  if (!verifyRelease(manifest, key))
    throw problem(
      'not_found',
      'The programs in SVC_AGENT_DIST_DIR are signed with another key. Sign them with the key of this installation.',
    );
  return { manifest, key };
}
