import { Readable } from 'node:stream';
import { pathBytes } from '@catalog/scanner';
import type { FormPaths, RowSource } from '../reports/index.ts';
import { columnAt } from './source.ts';

/** Text in single quotes for a POSIX shell. Names may contain newlines and bytes that are not UTF-8; both stay as they are. */
export function quoteForShell(text: string): Buffer {
  return pathBytes(`'${text.replaceAll("'", `'\\''`)}'`);
}

const head = (plan: number, date: string, files: number): string => `#!/bin/sh
# Catalog cleanup plan ${plan}, ${date}. ${files} files. Nothing is deleted: files are moved to a holding folder.
#
#   sh cleanup.sh --check   checks every file and changes nothing
#   sh cleanup.sh           moves the files
#   sh cleanup.sh --undo    moves them back
#
# Before each file it checks that the kept copy and the file still have the same content. It stops at the first file that differs.
# Set HOLD to a folder on the same disk as the files, outside the libraries; otherwise every file is copied.
set -u
HOLD=\${HOLD:-"$PWD/catalog-holding-plan-${plan}"}
MODE=\${1:-}
case $MODE in ''|--check|--undo) ;; *) echo "Usage: sh $0 [--check | --undo]" >&2; exit 2 ;; esac
COUNT=0

stop() { printf 'Stopped: %s\\n%s\\n' "$1" "$2" >&2; echo "$COUNT files done." >&2; exit 1; }
digest() { { if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi; } <"$1" | cut -c 1-64; }

# hold KEEP FILE SHA256
hold() {
  if [ "$MODE" = --undo ]; then
    [ -e "$HOLD$2" ] || return 0
    [ ! -e "$2" ] && [ ! -L "$2" ] || stop 'Something else has this name now.' "$2"
    mkdir -p -- "\${2%/*}/" && mv -- "$HOLD$2" "$2" || stop 'The file could not be moved back.' "$2"
    COUNT=$((COUNT + 1)); return 0
  fi
  [ "$MODE" != --check ] && [ -e "$HOLD$2" ] && [ ! -e "$2" ] && return 0
  [ -f "$1" ] && [ ! -L "$1" ] || stop 'The kept copy is not there.' "$1"
  [ -f "$2" ] && [ ! -L "$2" ] || stop 'The file is not there.' "$2"
  [ ! "$1" -ef "$2" ] || stop 'Both names are the same file.' "$2"
  [ "$(digest "$1")" = "$3" ] || stop 'The kept copy has changed.' "$1"
  [ "$(digest "$2")" = "$3" ] || stop 'The file has changed.' "$2"
  if [ "$MODE" != --check ]; then
    [ ! -e "$HOLD$2" ] || stop 'The holding folder already has a file of this name.' "$2"
    mkdir -p -- "$HOLD\${2%/*}/" && mv -- "$2" "$HOLD$2" || stop 'The file could not be moved.' "$2"
  fi
  COUNT=$((COUNT + 1))
}

`;

const foot = `
case $MODE in
  --check) echo "$COUNT files checked. Nothing was changed." ;;
  --undo) echo "$COUNT files moved back." ;;
  *) echo "$COUNT files moved to $HOLD. Scan the libraries, and remove the folder when nothing is missing." ;;
esac
`;

interface ScriptOptions {
  plan: number;
  now: Date;
  files: number;
  /** Paths as this server sees them, or as the machine that owns the files does. */
  paths: 'server' | 'native';
  forms: FormPaths;
}

/** The script as a stream; memory holds one batch of rows. */
export function cleanupScript(source: RowSource, { plan, now, files, paths, forms }: ScriptOptions): Readable {
  const pathOf = (library: unknown, relPath: unknown): string => {
    const [server, native] = forms(String(library), String(relPath));
    return paths === 'native' && native?.startsWith('/') ? native : server;
  };
  const at = Object.fromEntries(
    ['library_id', 'rel_path', 'kept_library_id', 'kept_rel_path', 'content_hash'].map((key) => [key, columnAt(key)]),
  ) as Record<string, number>;
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(head(plan, now.toISOString().slice(0, 10), files));
    for await (const batch of source.batches({}))
      yield Buffer.concat(
        batch.flatMap((row) => [
          Buffer.from('hold '),
          quoteForShell(pathOf(row[at['kept_library_id'] as number], row[at['kept_rel_path'] as number])),
          Buffer.from(' '),
          quoteForShell(pathOf(row[at['library_id'] as number], row[at['rel_path'] as number])),
          Buffer.from(` ${String(row[at['content_hash'] as number])}\n`),
        ]),
      );
    yield Buffer.from(foot);
  }
  return Readable.from(lines(), { objectMode: false });
}
