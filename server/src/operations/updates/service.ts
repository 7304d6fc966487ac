/**
 * Compares the running version with the repository that SVC_SOURCE_URL names. A check is made when a person asks for it, or, with
 * SVC_UPDATE_CHECK_AUTO, when the console is opened and the last one is older than six hours. Being offline is a note, not a failure.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type Outbound, OutboundError } from '../../platform/outbound/index.ts';
import { version } from '../../version.ts';

export interface UpdateComponent {
  component: 'central';
  running: string;
  latest: string | null;
  /** Null when it cannot be told. */
  update_available: boolean | null;
  detail: string | null;
}

interface ChangelogEntry {
  sha: string;
  date: string;
  subject: string;
  body: string;
  is_new: boolean | null;
}

export interface UpdateCheck {
  checked_at: string | null;
  source: string | null;
  components: UpdateComponent[];
  changelog: ChangelogEntry[];
  error: string | null;
}

export interface UpdateDependencies extends Pick<Dependencies, 'db' | 'settings' | 'clock'> {
  outbound: Outbound;
  /** The commit or the time of the build; null when the program runs from its sources. */
  buildStamp: string | null;
  apiBase?: string;
}

const stateKey = 'update_check';
const maxAgeMs = 6 * 3_600_000;
const timeoutMs = 10_000;
const maxCommits = 20;
const maxBodyChars = 4000;

/** The stored result, or a new one when a check is due. `force` is a request of a person. */
export async function checkForUpdate(deps: UpdateDependencies, { force }: { force: boolean }): Promise<UpdateCheck> {
  const stored = await readStored(deps.db);
  const now = deps.clock.now();
  const isStale = stored?.checked_at == null || now.getTime() - Date.parse(stored.checked_at) > maxAgeMs;
  const source = deps.settings.sourceUrl ?? null;
  // A result for another version or source says nothing about this one.
  const current = stored?.source === source && stored.components[0]?.running === running(deps) ? stored : null;
  if (!force && !(deps.settings.updateCheckAuto && (isStale || !current)))
    return current ?? { checked_at: null, source, components: [component(deps, null, null, null)], changelog: [], error: null };
  const result = await askSource(deps, source, now, force);
  await store(deps.db, result);
  return result;
}

const running = ({ buildStamp }: UpdateDependencies): string => (buildStamp ? `${version} (${buildStamp})` : version);

const component = (
  deps: UpdateDependencies,
  latest: string | null,
  update_available: boolean | null,
  detail: string | null,
): UpdateComponent => ({ component: 'central', running: running(deps), latest, update_available, detail });

async function askSource(deps: UpdateDependencies, source: string | null, now: Date, requested: boolean): Promise<UpdateCheck> {
  const base = { checked_at: now.toISOString(), source, components: [component(deps, null, null, null)], changelog: [] };
  const repository = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(source ?? '')?.[1];
  if (!repository)
    return { ...base, error: 'SVC_SOURCE_URL does not name a repository on github.com, so there is nothing to compare with.' };
  try {
    const response = await deps.outbound.send(
      'update_check',
      {
        url: `${deps.apiBase ?? 'https://api.github.com'}/repos/${repository}/commits?per_page=${maxCommits}`,
        headers: { accept: 'application/vnd.github+json', 'user-agent': 'catalog' },
        timeoutMs,
        maxResponseBytes: 2_000_000,
      },
      { requested },
    );
    if (response.status !== 200) return { ...base, error: `The source answered ${response.status}. Try again later.` };
    return { ...base, ...compare(deps, readCommits(response.body.toString('utf8'))), error: null };
  } catch (error) {
    if (error instanceof OutboundError) return { ...base, error: `The source could not be reached. ${error.message}` };
    if (error instanceof SyntaxError || error instanceof TypeError) return { ...base, error: 'The answer of the source cannot be read.' };
    throw error;
  }
}

type Commit = Omit<ChangelogEntry, 'is_new'>;

function readCommits(text: string): Commit[] {
  const list = JSON.parse(text) as { sha: string; commit: { message: string; committer: { date: string } } }[];
  return list.slice(0, maxCommits).map(({ sha, commit }) => {
    const [subject = '', ...rest] = commit.message.split('\n');
    const body = rest.join('\n').trim().slice(0, maxBodyChars);
    return { sha: String(sha).slice(0, 7), date: new Date(commit.committer.date).toISOString(), subject: subject.slice(0, 300), body };
  });
}

/** A build is stamped with its commit or its time; commits after it are new. */
function compare(deps: UpdateDependencies, commits: readonly Commit[]): Pick<UpdateCheck, 'components' | 'changelog'> {
  const stamp = deps.buildStamp ?? '';
  const byCommit = /^[0-9a-f]{7,40}$/.test(stamp);
  const time = byCommit ? Number.NaN : Date.parse(stamp);
  const at = byCommit ? commits.findIndex(({ sha }) => stamp.startsWith(sha)) : -1;
  const isNew = (commit: Commit, index: number): boolean | null => {
    if (byCommit) return at === -1 || index < at;
    return Number.isNaN(time) ? null : Date.parse(commit.date) > time;
  };
  const changelog = commits.map((commit, index) => ({ ...commit, is_new: isNew(commit, index) }));
  const [newest] = changelog;
  const added = changelog.filter(({ is_new }) => is_new).length;
  const detail =
    newest?.is_new == null
      ? 'This program runs from its sources without a build stamp, so it cannot be compared. The newest changes are listed.'
      : added === 0
        ? 'This is the newest version.'
        : `${added}${added === maxCommits ? ' or more' : ''} changes since this version.`;
  return { components: [component(deps, newest?.sha ?? null, newest?.is_new ?? null, detail)], changelog };
}

async function readStored(db: Db): Promise<UpdateCheck | null> {
  const { rows } = await sql<{ value: UpdateCheck }>`select value from service_state where key = ${stateKey}`.execute(db);
  return rows[0]?.value ?? null;
}

async function store(db: Db, result: UpdateCheck): Promise<void> {
  await sql`insert into service_state (key, value) values (${stateKey}, ${JSON.stringify(result)}::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(db);
}
