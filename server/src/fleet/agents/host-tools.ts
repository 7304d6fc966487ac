/** Programs of the machine of an agent that readers use, judged by the versions that work well. */
import { isOlderTool, toolMinimum } from '@catalog/protocol';
import { extractors } from '@catalog/readers';

interface HostTool {
  name: string;
  purpose: string | null;
  present: boolean;
  version: string | null;
  path: string | null;
  minimum_version: string | null;
  /** A version that cannot be read is unknown, never outdated. */
  verdict: 'ok' | 'outdated' | 'unknown' | 'absent';
  impact: string | null;
}

const maxTools = 50;
const maxText = 500;

const recognition = { name: 'tesseract', lost: 'text recognition' };

/** What is unavailable without each tool. Agents draw no pictures, so only extractors and text recognition count. */
const lost: ReadonlyMap<string, string> = new Map(
  [...Map.groupBy([recognition, ...extractors.flatMap(({ tools }) => tools)], ({ name }) => name)].map(([name, uses]) => [
    name,
    [...new Set(uses.map((use) => use.lost))].join('; '),
  ]),
);

export const knownTools = () =>
  [...lost]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, impact]) => ({ name, minimum_version: toolMinimum(name), impact: `Unavailable without it: ${impact}` }));

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, maxText) : null);

/** As the agent has reported them, which may be anything. */
export function toolsOf(capabilities: Record<string, unknown> | null): HostTool[] {
  const reported = capabilities?.['tools'];
  if (!Array.isArray(reported)) return [];
  return reported.slice(0, maxTools).flatMap((each: unknown) => {
    const { name, path, version } = Object(each) as Record<string, unknown>;
    if (typeof name !== 'string' || name === '' || name.length > 64) return [];
    return [judge(name, textOf(path), textOf(version))];
  });
}

function judge(name: string, path: string | null, version: string | null): HostTool {
  const minimum_version = toolMinimum(name);
  const purpose = lost.get(name) ?? null;
  const isVersion = version !== null && /^\d+(\.\d+)+$/.test(version);
  const verdict = path === null ? 'absent' : !isVersion ? 'unknown' : isOlderTool(name, version) ? 'outdated' : 'ok';
  const impact =
    verdict === 'absent'
      ? `Unavailable without it: ${purpose ?? name}`
      : verdict === 'outdated'
        ? `Older than ${minimum_version}, so some files may not be read. Install a newer version.`
        : null;
  return { name, purpose, present: path !== null, version, path, minimum_version, verdict, impact };
}
