import { boolean, choice, databaseAddress, integer, matching, path, pathList, secret, text, url, decimal } from '../kinds.ts';

export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

/** Where the service listens and how it is reached. */
export const addressSettings = {
  SVC_HOST: text({
    default: '127.0.0.1',
    origin: 'added',
    sentence: 'Address the web server listens on; 0.0.0.0 (as in the container image) opens it to other machines.',
    check: matching(/^[A-Za-z0-9._:-]+$/, 'an IP address or a host name'),
  }),
  SVC_PORT: integer({ default: 8484, min: 0, max: 65535, origin: 'added', sentence: 'Port of the web server; 0 takes any free port.' }),
  SVC_TLS_CERT_FILE: path({
    unset: 'plain HTTP',
    mustBeReadable: true,
    origin: 'added',
    sentence: 'Certificate chain in PEM form; with SVC_TLS_KEY_FILE the server speaks HTTPS itself.',
  }),
  SVC_TLS_KEY_FILE: path({
    unset: 'plain HTTP',
    mustBeReadable: true,
    origin: 'added',
    sentence: 'Private key in PEM form that belongs to SVC_TLS_CERT_FILE.',
  }),
  SVC_PUBLIC_BASE_URL: url({
    unset: 'links are relative to the site',
    schemes: ['http', 'https'],
    prefix: true,
    sentence: 'Absolute prefix of download links in exports, reports and messages.',
  }),
  SVC_SOURCE_URL: url({
    unset: 'the address in the program itself',
    schemes: ['http', 'https'],
    origin: 'default chosen',
    sentence: 'Where people find the source code of this program, as its licence asks; set it when you run a changed version.',
  }),
};

/** The database, the search engine and the folders. */
export const coreSettings = {
  SVC_ENV_FILE: path({
    unset: '.env in the working directory, when it is there',
    origin: 'added',
    sentence: 'Environment file that is read before the settings; the process environment wins over it.',
  }),
  SVC_DATABASE_URL: databaseAddress({
    unset: 'an embedded PostgreSQL in the config folder',
    origin: 'default chosen',
    sentence: 'Connection string of the PostgreSQL database (18 or newer) that holds the catalog.',
  }),
  SVC_QUEUE_DSN: databaseAddress({
    unset: 'SVC_DATABASE_URL',
    origin: 'default chosen',
    sentence: 'Connection string of the job queue; it reaches the same database, for example past a connection pooler.',
  }),
  DB_PASSWORD: secret({
    unset: 'the connection string as it is',
    sentence: 'Password of the database user, used when SVC_DATABASE_URL names a user without a password.',
  }),
  SVC_SEARCH_URL: url({
    unset: 'the embedded search engine',
    schemes: ['http', 'https'],
    origin: 'default chosen',
    sentence: 'Address of a Meilisearch server, usually on port 7700.',
  }),
  SVC_SEARCH_MASTER_KEY: secret({
    unset: 'no key is sent',
    origin: 'default chosen',
    alsoReads: ['SEARCH_MASTER_KEY'],
    sentence: 'Master key of the Meilisearch server.',
  }),
  SVC_SEARCH_INDEX: text({
    default: 'items',
    sentence: 'Name of the search index; the passage index adds a suffix to it.',
    check: matching(/^[A-Za-z0-9_-]{1,200}$/, 'letters, digits, - and _ only'),
  }),
  SVC_CONFIG_DIR: path({
    computed: '/config when it exists and is writable, else $XDG_DATA_HOME/catalog or ~/.local/share/catalog',
    sentence: 'Folder for everything the service writes: database, thumbnails, caches, models, exports, staging, backups.',
  }),
  MEDIA_PATH: path({ unset: 'no folder is offered', sentence: 'Folder with your files; it is offered as the first library.' }),
  SVC_BROWSE_ROOTS: pathList({
    computed: 'MEDIA_PATH when set, else the home folder and those of /media, /mnt and /data that exist',
    origin: 'added',
    sentence: 'Folders the folder picker may show; nothing outside them can be browsed.',
  }),
  SVC_SHARE_MAP_PATH: path({
    computed: 'share-map.json in the config folder',
    sentence: 'File that maps folders to network shares, written by the deployment.',
  }),
  SVC_SECRET_KEY: secret({
    unset: 'alert channels and provider secrets cannot be saved',
    sentence: 'Key that encrypts stored channel and provider secrets; keep a copy, since a different key cannot read them.',
  }),
  SVC_LOG_LEVEL: choice(logLevels, { default: 'INFO', sentence: 'Least severe message that is logged.' }),
  SVC_AUTO_INIT_DB: boolean({
    default: true,
    sentence: 'Bring the database to the current schema when the app starts, retrying until the database is up.',
  }),
  SVC_STOP_GRACE_SECONDS: integer({
    default: 60,
    min: 0,
    max: 86_400,
    unit: 'seconds',
    sentence: 'How long running jobs may finish after a stop signal; keep it below the container stop timeout.',
  }),
  SVC_UPDATE_CHECK_AUTO: boolean({
    default: false,
    sentence: 'Let the console refresh a stale update check by itself; this is the only request the service makes on its own.',
  }),
};

/** Backups made by the service. */
export const backupSettings = {
  SVC_BACKUP_KEEP: integer({
    default: 7,
    min: 1,
    unit: 'bundles',
    sentence: 'Backup bundles kept by the in-app backup; the backup script reads BACKUP_KEEP.',
  }),
  SVC_PG_DUMP: path({
    unset: 'the bundled tool or the one on the PATH',
    origin: 'added',
    sentence: 'Path of the pg_dump program; its major version must not be below the server version.',
  }),
};

/**
 * Variables that the container files and the backup and restore scripts read. The service itself does not load
 * them (SEARCH_MASTER_KEY reaches it as another name of SVC_SEARCH_MASTER_KEY).
 */
export const deploymentVariables = {
  SEARCH_MASTER_KEY: secret({
    unset: 'SVC_SEARCH_MASTER_KEY',
    sentence: 'Master key given to the Meilisearch container and to the service.',
  }),
  BACKUP_DIR: path({
    computed: 'backups in the config folder',
    origin: 'default chosen',
    sentence: 'Where the backup script writes its bundles.',
  }),
  BACKUP_KEEP: integer({ default: 7, min: 1, unit: 'bundles', sentence: 'Bundles the backup script keeps.' }),
  SKIP_ENV: boolean({ default: false, sentence: 'With 1, the backup script leaves out the environment file with its secrets.' }),
  SKIP_CA: boolean({ default: false, sentence: 'With 1, the backup script leaves out the keys of the certificate authority.' }),
};

/** What happens when a disk fills up. */
export const diskSettings = {
  SVC_DISK_MONITOR_ENABLED: boolean({ default: true, sentence: 'Look at free disk space every five minutes.' }),
  SVC_DISK_WARN_FREE_GB: decimal({ default: 20, min: 0, unit: 'GB', sentence: 'Warn below this free space.' }),
  SVC_DISK_MIN_FREE_GB: decimal({
    default: 5,
    min: 0,
    unit: 'GB',
    sentence: 'Critical below this free space: what can wait stops writing.',
  }),
  SVC_DISK_WARN_PCT_FREE: decimal({ default: 10, min: 0, max: 100, unit: 'percent', sentence: 'Warn below this share of free space.' }),
  SVC_DISK_CRIT_PCT_FREE: decimal({ default: 2, min: 0, max: 100, unit: 'percent', sentence: 'Critical below this share of free space.' }),
  SVC_DISK_PG_PATH: path({
    unset: 'the disk of the database is not watched',
    sentence: 'Folder of the database data; when its disk is critical, extraction pauses.',
  }),
  SVC_DISK_GC_TARGET_FREE_GB: decimal({
    default: 0,
    min: 0,
    unit: 'GB',
    sentence: 'At critical, remove the least used thumbnails until this much is free; 0 removes none.',
  }),
};
