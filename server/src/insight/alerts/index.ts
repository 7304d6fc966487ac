export { sendToChannel } from './channels/direct.ts';
export { searchInUse, seedAlertRules } from './rules.ts';
