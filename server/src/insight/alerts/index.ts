export { sendToChannel } from './channels/direct.ts';
export { encryptWebhookAddresses } from './channels/service.ts';
export { searchInUse, seedAlertRules } from './rules.ts';
