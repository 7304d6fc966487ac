#!/bin/sh
# Backs up a deployment from the host: the database, the share map, the environment file, the secret key and the agents' authority.
#
#   deploy/backup.sh                          a container of deploy/compose.yaml
#   CATALOG="npm run -s catalog --" deploy/backup.sh   an installation without containers
#
# BACKUP_DIR   where to keep the backups (default: the folder backups of the config folder)
# BACKUP_KEEP  how many to keep (default 7)
# ENV_FILE     the environment file (default .env)
# SKIP_ENV=1   leave out the environment file and the secret key
# SKIP_CA=1    leave out the certificate authority of the agents
set -eu
umask 077

CATALOG=${CATALOG:-docker compose -f "$(dirname "$0")/compose.yaml" exec -T catalog node server/src/main.ts}
ENV_FILE=${ENV_FILE:-.env}

set -- backup --keep "${BACKUP_KEEP:-7}"
if [ -n "${BACKUP_DIR:-}" ]; then set -- "$@" --to "$BACKUP_DIR"; fi

if [ "${SKIP_CA:-0}" != 1 ]; then set -- "$@" --authority; fi

if [ "${SKIP_ENV:-0}" = 1 ]; then
  $CATALOG "$@" </dev/null
elif [ -f "$ENV_FILE" ]; then
  $CATALOG "$@" --environment - <"$ENV_FILE"
else
  echo "There is no environment file $ENV_FILE. Set ENV_FILE to its path, or SKIP_ENV=1 to leave it out." >&2
  exit 2
fi
