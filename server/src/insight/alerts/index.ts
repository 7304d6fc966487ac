export { sendToChannel } from './channels/direct.ts';
export { seedAlertRules } from './rules.ts';
