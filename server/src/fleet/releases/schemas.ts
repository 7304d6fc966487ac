import { Type } from 'typebox';

export const Version = Type.String({ maxLength: 64, pattern: '^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(-[0-9A-Za-z.-]{1,40})?$' });
