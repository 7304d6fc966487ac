import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'opensearch');
const version = '2.19.1.0';

/** The folder with the jars: OPENSEARCH_LIB, or one in the user's cache that all checkouts share. */
function jarFolder(env = process.env) {
  return env.OPENSEARCH_LIB ?? path.join(env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'catalog', `opensearch-${version}`);
}

/** What is missing to run OpenSearch, as a sentence for each part; empty when nothing is. */
export function missingForOpenSearch(env = process.env) {
  const missing = [];
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const major = Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);
  if (major < 17) missing.push('Java 17 or later is not installed (Debian: apt-get install default-jdk-headless).');
  else if (spawnSync('javac', ['-version']).status !== 0)
    missing.push('The Java compiler is not installed (Debian: apt-get install default-jdk-headless).');
  if (!existsSync(jarFolder(env)) && spawnSync('mvn', ['-version']).status !== 0)
    missing.push('Maven, which fetches OpenSearch, is not installed (Debian: apt-get install maven).');
  return missing;
}

/** Fetches the jars (53 MB) from Maven Central unless they are there, and returns the variables that tests and benchmarks read. */
export function openSearchEnv(env = process.env) {
  const folder = jarFolder(env);
  if (!existsSync(folder)) {
    // Complete or not there: an interrupted download leaves only the temporary folder.
    const partial = `${folder}.partial-${process.pid}`;
    mkdirSync(path.dirname(folder), { recursive: true });
    process.stdout.write(`Fetching OpenSearch ${version} into ${folder} …\n`);
    const { status } = spawnSync(
      'mvn',
      ['-q', '-B', '-f', path.join(sources, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    if (status !== 0) {
      rmSync(partial, { recursive: true, force: true });
      throw new Error('Maven could not fetch OpenSearch. Check its output above.');
    }
    renameSync(partial, folder);
  }
  return { OPENSEARCH_LIB: folder };
}
