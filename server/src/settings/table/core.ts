import { boolean, choice, databaseAddress, decimal, integer, list, matching, path, pathList, secret, text, url } from '../kinds.ts';

export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;

/** The address of the service. */
export const addressSettings = {
  SVC_HOST: text({
    default: '127.0.0.1',
    origin: 'added',
    description: 'Address the web server listens on. 0.0.0.0 (the default in the container image) accepts connections from other machines.',
    check: matching(/^[A-Za-z0-9._:-]+$/, 'an IP address or a host name'),
  }),
  SVC_PORT: integer({ default: 8484, min: 0, max: 65535, origin: 'added', description: 'Port of the web server. 0 picks a free port.' }),
  SVC_TLS_CERT_FILE: path({
    unset: 'plain HTTP',
    mustBeReadable: true,
    origin: 'added',
    description: 'Certificate chain in PEM format. Together with SVC_TLS_KEY_FILE it enables HTTPS.',
  }),
  SVC_TLS_KEY_FILE: path({
    unset: 'plain HTTP',
    mustBeReadable: true,
    origin: 'added',
    description: 'Private key in PEM format for SVC_TLS_CERT_FILE.',
  }),
  SVC_PUBLIC_BASE_URL: url({
    unset: 'links are relative to the site',
    schemes: ['http', 'https'],
    prefix: true,
    description: 'Public address of the service, used for download links in exports, reports and messages.',
  }),
  SVC_SOURCE_URL: url({
    unset: '/source.tar.gz of this service',
    schemes: ['http', 'https'],
    origin: 'default chosen',
    description: 'Where users can get the source code of this program, as its licence requires. Set it when you run a modified version.',
  }),
};

/** Database, search engine and folders. */
export const coreSettings = {
  SVC_ENV_FILE: path({
    unset: '.env in the working directory, if it exists',
    origin: 'added',
    description: 'Path of the environment file. Variables of the process override it.',
  }),
  SVC_DATABASE_URL: databaseAddress({
    unset: 'an embedded PostgreSQL in the config folder',
    origin: 'default chosen',
    description: 'Connection string of the PostgreSQL database (version 18 or newer) that stores the catalog.',
  }),
  SVC_QUEUE_DSN: databaseAddress({
    unset: 'SVC_DATABASE_URL',
    origin: 'default chosen',
    description:
      'Connection string for workers, notifications and migrations, which need sessions of their own. It must lead to the same database. Set it when SVC_DATABASE_URL leads to a connection pooler in transaction mode.',
  }),
  SVC_DATABASE_REPLICA_URL: databaseAddress({
    unset: 'every read goes to SVC_DATABASE_URL',
    origin: 'added',
    description:
      'Connection string of a streaming replica of the database. Rows of search results and pages of reports are read from it. People still see what they changed themselves at once.',
  }),
  SVC_DATABASE_REPLICA_MAX_LAG_SECONDS: integer({
    default: 10,
    min: 1,
    max: 3600,
    unit: 'seconds',
    origin: 'added',
    description: 'A replica that is further behind is left out until it has caught up.',
  }),
  DB_PASSWORD: secret({
    unset: 'the connection string is used unchanged',
    description: 'Password of the database user, used when SVC_DATABASE_URL names a user without a password.',
  }),
  SVC_SEARCH_URL: url({
    unset: 'the embedded search engine',
    schemes: ['http', 'https'],
    origin: 'default chosen',
    description: 'Address of a Meilisearch server, usually on port 7700, or of an OpenSearch cluster, usually on port 9200.',
  }),
  SVC_SEARCH_ENGINE: choice(['meilisearch', 'opensearch'], {
    default: 'meilisearch',
    origin: 'added',
    description: 'Program that runs at SVC_SEARCH_URL. The embedded engine is used while SVC_SEARCH_URL is not set.',
  }),
  SVC_SEARCH_NODES: list({
    default: [],
    origin: 'added',
    check: matching(/^https?:\/\/[^/\s]+\/?$/, 'addresses such as http://search-2:9200'),
    description: 'Addresses of further nodes of the OpenSearch cluster. They are used while SVC_SEARCH_URL does not answer.',
  }),
  SVC_SEARCH_SHARDS: integer({
    default: 1,
    min: 1,
    max: 1024,
    unit: 'shards',
    origin: 'added',
    description:
      'Number of parts into which OpenSearch divides a new index. Use one for about 20 million files. It takes effect when the index is rebuilt.',
  }),
  SVC_SEARCH_MASTER_KEY: secret({
    unset: 'no key is sent',
    origin: 'default chosen',
    alsoReads: ['SEARCH_MASTER_KEY'],
    description: 'Master key of the Meilisearch server, or user:password of the OpenSearch cluster.',
  }),
  SVC_SEARCH_INDEX: text({
    default: 'items',
    description: 'Name of the search index. The passage index adds a suffix to it.',
    check: matching(/^[A-Za-z0-9_-]{1,200}$/, 'letters, digits, - and _ only'),
  }),
  SVC_CONFIG_DIR: path({
    computed: '/config if it exists and is writable, otherwise $XDG_DATA_HOME/catalog or ~/.local/share/catalog',
    description: 'Folder for everything the service writes: database, thumbnails, caches, models, exports, temporary files and backups.',
  }),
  MEDIA_PATH: path({ unset: 'no folder is suggested', description: 'Folder with your files. It is suggested as the first library.' }),
  SVC_BROWSE_ROOTS: pathList({
    computed: 'MEDIA_PATH if set, otherwise the home folder and those of /media, /mnt and /data that exist',
    origin: 'added',
    description: 'Folders below which libraries may be created. Nothing outside them can be browsed or cataloged.',
  }),
  SVC_SHARE_MAP_PATH: path({
    computed: 'share-map.json in the config folder',
    description: 'File that maps folders to network shares. It is written by the deployment.',
  }),
  SVC_SECRET_KEY: secret({
    unset: 'with the embedded database, a key in secret.key of the config folder; otherwise secrets cannot be saved',
    description:
      'Key that encrypts stored secrets of alert channels and sign-in providers. Keep a copy: stored secrets cannot be read with another key.',
  }),
  SVC_SECRET_KEY_PREVIOUS: secret({
    unset: 'only the current key can read stored secrets',
    origin: 'added',
    description: 'The key before SVC_SECRET_KEY, while `catalog secrets rotate` encrypts stored secrets with the new one.',
  }),
  SVC_LOG_LEVEL: choice(logLevels, { default: 'INFO', description: 'Lowest level of messages that are logged.' }),
  SVC_AUTO_INIT_DB: boolean({
    default: true,
    description: 'Updates the database schema when the app starts, and retries until the database is available.',
  }),
  SVC_STOP_GRACE_SECONDS: integer({
    default: 60,
    min: 0,
    max: 86_400,
    unit: 'seconds',
    description: 'How long running jobs may continue after a stop signal. Keep it below the stop timeout of the container.',
  }),
  SVC_STOP_DELAY_SECONDS: integer({
    default: 0,
    min: 0,
    max: 300,
    unit: 'seconds',
    origin: 'added',
    description:
      'How long the app continues to accept requests after a stop signal while /api/v1/ready responds with 503. Behind a load balancer, set it above the time in which that notices.',
  }),
  SVC_METRICS_TOKEN: secret({
    unset: 'an administrator’s key is needed',
    origin: 'added',
    description: 'Token that a monitoring program sends as "Authorization: Bearer …" to read /metrics, and nothing else.',
  }),
  SVC_UPDATE_CHECK_AUTO: boolean({
    default: false,
    description: 'Lets the console refresh an outdated update check automatically. It is the only request the service makes on its own.',
  }),
};

/** Backups. */
export const backupSettings = {
  SVC_BACKUP_KEEP: integer({
    default: 7,
    min: 1,
    unit: 'bundles',
    description: 'Number of backups the service keeps. The backup script uses BACKUP_KEEP instead.',
  }),
  SVC_BACKUP_BEFORE_UPDATE: boolean({
    default: true,
    origin: 'added',
    description: 'Writes a backup before a new version changes the database schema.',
  }),
  SVC_BACKUP_PASSPHRASE: secret({
    unset: 'backups hold neither the secret key nor the settings',
    origin: 'added',
    description: 'Passphrase that protects the secret key and the settings in backups. Keep a copy: they cannot be restored without it.',
  }),
  SVC_PG_DUMP: path({
    unset: 'the one in PATH, if it is new enough',
    origin: 'added',
    description:
      'Path of the pg_dump program that adds a dump in PostgreSQL’s format to each backup. Its major version must not be older than the database server.',
  }),
};

/**
 * Variables read by the container files and the backup and restore scripts, not by the service. (The service reads SEARCH_MASTER_KEY as an
 * alias of SVC_SEARCH_MASTER_KEY.)
 */
export const deploymentVariables = {
  SEARCH_MASTER_KEY: secret({
    unset: 'SVC_SEARCH_MASTER_KEY',
    description: 'Master key for the Meilisearch container and the service.',
  }),
  BACKUP_DIR: path({
    computed: 'backups in the config folder',
    origin: 'default chosen',
    description: 'Folder in which the backup script stores backups.',
  }),
  BACKUP_KEEP: integer({ default: 7, min: 1, unit: 'bundles', description: 'Number of backups the backup script keeps.' }),
  SKIP_ENV: boolean({ default: false, description: 'With 1, the backup script leaves out the environment file and its secrets.' }),
  SKIP_CA: boolean({ default: false, description: 'With 1, the backup script leaves out the keys of the certificate authority.' }),
};

/** Free disk space. */
export const diskSettings = {
  SVC_DISK_MONITOR_ENABLED: boolean({ default: true, description: 'Checks free disk space every five minutes.' }),
  SVC_DISK_WARN_FREE_GB: decimal({ default: 20, min: 0, unit: 'GB', description: 'Free space below which a warning is shown.' }),
  SVC_DISK_MIN_FREE_GB: decimal({
    default: 5,
    min: 0,
    unit: 'GB',
    description: 'Free space below which the disk is critical and non-essential writes stop.',
  }),
  SVC_DISK_WARN_PCT_FREE: decimal({
    default: 10,
    min: 0,
    max: 100,
    unit: 'percent',
    description: 'Share of free space below which a warning is shown.',
  }),
  SVC_DISK_CRIT_PCT_FREE: decimal({
    default: 2,
    min: 0,
    max: 100,
    unit: 'percent',
    description: 'Share of free space below which the disk is critical.',
  }),
  SVC_DISK_PG_PATH: path({
    unset: 'the disk of the database is not monitored',
    description: 'Folder with the data of the database. Extraction pauses while its disk is critical.',
  }),
  SVC_DISK_GC_TARGET_FREE_GB: decimal({
    default: 0,
    min: 0,
    unit: 'GB',
    description: 'When the disk is critical, the least used thumbnails are deleted until this much space is free. 0 deletes none.',
  }),
};
