/** The external tools of extractors and thumbnailers: which are there, in which version, and what is lost without each. */
import { ExtractError } from './contract.ts';
import { findTool, runTool } from './reading/tool.ts';

export interface ToolStatus {
  name: string;
  present: boolean;
  version?: string;
  /** What cannot be read or drawn without it, one sentence a user of the tool. */
  lost: string[];
}

interface ToolUser {
  tools: readonly { name: string; lost: string }[];
}

const versionFlags: Record<string, string> = {
  exiftool: '-ver',
  pdftotext: '-v',
  pdftoppm: '-v',
  vipsthumbnail: '--vips-version',
  ffprobe: '-version',
  ffmpeg: '-version',
};

/** Asks every tool once for its version; a tool that does not answer is present without one. */
export async function toolStatus(users: readonly ToolUser[]): Promise<ToolStatus[]> {
  const lost = new Map<string, Set<string>>();
  for (const user of users) {
    for (const tool of user.tools) {
      if (!lost.has(tool.name)) lost.set(tool.name, new Set());
      lost.get(tool.name)?.add(tool.lost);
    }
  }
  return Promise.all(
    [...lost]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(async ([name, sentences]) => {
        const path = findTool(name);
        const version = path === null ? undefined : await versionOf(name, path);
        return { name, present: path !== null, ...(version !== undefined && { version }), lost: [...sentences] };
      }),
  );
}

async function versionOf(name: string, path: string): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await runTool(path, [versionFlags[name] ?? '--version'], {
      timeoutSeconds: 10,
      maxOutputBytes: 65_536,
      keepCut: true,
    });
    return /\d+\.\d+(?:\.\d+)*/.exec(`${stdout.toString('utf8')}\n${stderr}`)?.[0];
  } catch (error) {
    if (error instanceof ExtractError) return undefined;
    throw error;
  }
}
