import { boolean, integer, path, secret } from '../kinds/index.ts';

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
