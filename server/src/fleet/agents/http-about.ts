import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { Id, nullable, Time } from '../../platform/schemas.ts';
import { knownTools, toolsOf } from './host-tools.ts';
import { Verdict } from './schemas.ts';
import { requireAgent } from './service.ts';
import { type AgentRow, statusOf } from './store.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const text = nullable(Type.String());
const number = nullable(Type.Number());

const AboutOut = Type.Object(
  {
    agent: Type.Object({
      id: Id,
      name: Type.String(),
      hostname: Type.String(),
      platform: Type.String(),
      status: Type.Enum(['pending', 'active', 'revoked']),
      agent_version: text,
      config_generation_applied: nullable(Type.Integer()),
      last_seen_at: nullable(Time),
      auth_mode: text,
      capabilities_at: nullable(Time),
    }),
    reported: Type.Boolean({ description: 'False while the agent has never said what it can do.' }),
    build: nullable(
      Type.Object({
        os: text,
        arch: text,
        node: text,
        cores: number,
        memory_bytes: number,
        single_executable: Type.Boolean({ description: 'A release can replace the program.' }),
      }),
    ),
    host_tools: Type.Array(
      Type.Object({
        name: Type.String(),
        purpose: text,
        present: Type.Boolean(),
        version: text,
        path: text,
        minimum_version: text,
        verdict: Verdict,
        impact: text,
      }),
      { description: 'Empty while the agent reads no contents.' },
    ),
    extract: Type.Object({
      available: Type.Boolean({ description: 'Whether the program has readers.' }),
      extractors: Type.Array(Type.String(), { description: 'Name and version of each; empty while nothing is read.' }),
      ocr: nullable(
        Type.Object(
          { available: Type.Boolean(), reason: text },
          { description: 'Null while the policy does not ask for text in pictures.' },
        ),
      ),
    }),
    presence: Type.Object({
      portable: nullable(Type.Boolean({ description: 'Whether the machine has a battery.' })),
      tells_power: Type.Boolean(),
      tells_metering: Type.Boolean(),
    }),
  },
  { title: 'AgentAbout' },
);

/** What agents have said about their machines. */
export function agentAboutRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/agents/host-tool-minimums',
    {
      config: admin,
      schema: {
        tags,
        summary: 'List the tools that agents use to read files, with their minimum versions',
        response: { 200: Type.Array(Type.Object({ name: Type.String(), minimum_version: text, impact: Type.String() })) },
      },
    },
    async () => knownTools(),
  );
  app.get(
    '/agents/:agent_id/about',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Get the machine, program and tools of an agent',
        params: Type.Object({ agent_id: Id }),
        response: { 200: AboutOut },
      },
    },
    async ({ params: { agent_id } }) => presentAbout(await requireAgent(db, agent_id)),
  );
}

const textIn = (from: Record<string, unknown>, key: string): string | null =>
  typeof from[key] === 'string' ? String(from[key]).slice(0, 200) : null;
const numberIn = (from: Record<string, unknown>, key: string): number | null =>
  typeof from[key] === 'number' && Number.isFinite(from[key]) ? (from[key] as number) : null;

function presentOcr(told: unknown) {
  if (typeof told !== 'object' || told === null) return null;
  const ocr = told as Record<string, unknown>;
  return { available: ocr['available'] === true, reason: textIn(ocr, 'reason') };
}

/** Capabilities come from another machine, so nothing is taken for granted. */
function presentAbout(row: AgentRow) {
  const told = row.capabilities ?? {};
  const extractors = Array.isArray(told['extractors']) ? told['extractors'].filter((each) => typeof each === 'string') : [];
  return {
    agent: {
      id: row.id,
      name: row.name,
      hostname: row.hostname,
      platform: row.platform,
      status: statusOf(row),
      agent_version: row.agent_version,
      config_generation_applied: row.config_generation_applied,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      auth_mode: row.last_auth_mode,
      capabilities_at: row.capabilities_at?.toISOString() ?? null,
    },
    reported: row.capabilities !== null,
    build:
      row.capabilities === null
        ? null
        : {
            os: textIn(told, 'os'),
            arch: textIn(told, 'arch'),
            node: textIn(told, 'node'),
            cores: numberIn(told, 'cores'),
            memory_bytes: numberIn(told, 'memory_bytes'),
            single_executable: told['self_update'] === true,
          },
    host_tools: toolsOf(row.capabilities),
    extract: { available: told['extract'] === true, extractors: extractors.map(String), ocr: presentOcr(told['ocr']) },
    presence: {
      portable: typeof told['portable'] === 'boolean' ? told['portable'] : null,
      tells_power: told['tells_power'] === true,
      tells_metering: told['tells_metering'] === true,
    },
  };
}
