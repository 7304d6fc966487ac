export { sendToChannel } from './channels/direct.ts';
export { encryptWebhookAddresses } from './channels/service.ts';
export { missingChannels } from './channels/store.ts';
export { searchInUse, seedAlertRules } from './rules.ts';
