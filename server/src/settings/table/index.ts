import type { Setting } from '../setting.ts';
import { agentSettings } from './agents.ts';
import { alertSettings } from './alerts.ts';
import { extractionSettings, readingSettings, thumbnailSettings } from './content.ts';
import { addressSettings, backupSettings, coreSettings, deploymentVariables, diskSettings } from './core.ts';
import { authSettings, directorySettings, headerSignInSettings, ldapSettings, oidcSettings } from './people.ts';
import { scanningSettings } from './scanning.ts';
import { searchSettings, semanticSettings } from './search.ts';
import { backpressureSettings, exportSettings, logSettings, workerSettings } from './workers.ts';

/** All settings of the service, by environment variable. */
export const settingsTable = {
  ...addressSettings,
  ...coreSettings,
  ...authSettings,
  ...oidcSettings,
  ...headerSignInSettings,
  ...ldapSettings,
  ...directorySettings,
  ...scanningSettings,
  ...workerSettings,
  ...backpressureSettings,
  ...logSettings,
  ...searchSettings,
  ...semanticSettings,
  ...extractionSettings,
  ...readingSettings,
  ...thumbnailSettings,
  ...diskSettings,
  ...agentSettings,
  ...alertSettings,
  ...backupSettings,
  ...exportSettings,
};

export interface Section {
  readonly title: string;
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
}

/** The same settings, grouped for the manual. */
export const sections: readonly Section[] = [
  { title: 'Address', settings: addressSettings },
  { title: 'Core and connections', settings: coreSettings },
  { title: 'Authentication and sessions', settings: authSettings },
  { title: 'Single sign-on (OpenID Connect)', settings: oidcSettings },
  { title: 'Sign-in by an authenticating proxy', settings: headerSignInSettings },
  { title: 'LDAP sign-in', settings: ldapSettings },
  { title: 'Directory sync', settings: directorySettings },
  { title: 'Scanning and hashing', settings: scanningSettings },
  { title: 'Workers, queues and the reaper', settings: workerSettings },
  { title: 'Adaptive extract backpressure', settings: backpressureSettings },
  { title: 'Console log stream', settings: logSettings },
  { title: 'Search', settings: searchSettings },
  { title: 'Semantic search, passages and questions', settings: semanticSettings },
  { title: 'Extraction limits', settings: extractionSettings },
  { title: 'EXIF, OCR and content sniffing', settings: readingSettings },
  { title: 'Thumbnails', settings: thumbnailSettings },
  { title: 'Disk guardrails', settings: diskSettings },
  { title: 'Agents', settings: agentSettings },
  { title: 'Alerting', settings: alertSettings },
  { title: 'Backup', settings: backupSettings },
  { title: 'Exports', settings: exportSettings },
];

/** Read by container files and scripts, not by the service. */
export const deploymentSection: Section = { title: 'Container files and scripts', settings: deploymentVariables };
