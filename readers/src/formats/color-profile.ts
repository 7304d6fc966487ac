/** Colour profiles (ICC): name, colour space, kind of device and date. */
import { ExtractError, type Extractor } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { profileName } from './image/image-facts.ts';

const maxBytes = 16 * 1024 * 1024;
const devices: Readonly<Record<string, string>> = {
  scnr: 'scanner or camera',
  mntr: 'display',
  prtr: 'printer',
  link: 'device link',
  spac: 'colour space',
  abst: 'abstract',
  nmcl: 'named colours',
};

export const colorProfile: Extractor = {
  name: 'color-profile',
  version: 1,
  text: false,
  extensions: ['icc', 'icm'],
  tools: [],
  keys: ['title', 'format', 'color_space', 'device', 'created'],
  read: (source) =>
    withFileBytes(source, (file) => {
      const head = file.need(0, 128);
      if (head.toString('latin1', 36, 40) !== 'acsp') throw new ExtractError('corrupt', 'The file is not a colour profile.');
      const title = profileName(file.read(0, maxBytes));
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = Array.from({ length: 6 }, (_, n) =>
        head.readUInt16BE(24 + n * 2),
      );
      const created = year > 1980 && month > 0 ? new Date(Date.UTC(year, month - 1, day, hour, minute, second)) : undefined;
      const device = devices[head.toString('latin1', 12, 16)];
      return {
        metadata: { title, format: 'ICC', color_space: head.toString('latin1', 16, 20).trim(), device, created },
        ...(title !== undefined && { title }),
      };
    }),
};
