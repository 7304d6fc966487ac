// Loaded with --import: the clock of the process differs by CLOCK_SKEW_MS from that of the machine.
const skew = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + skew;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now = now;
};
