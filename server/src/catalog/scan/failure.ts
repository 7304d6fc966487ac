/** Why a run failed: a sentence for people and a code for programs. `details` are added to the run's stats. */
export class ScanFailure extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;
  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
