/** One finding of a diagnosis, with what to do about it. */
export interface DiagnosisVerdict {
  severity: 'ok' | 'info' | 'warning' | 'error';
  code: string;
  title: string;
  detail: string;
  actions: string[];
}

export function verdict(
  severity: DiagnosisVerdict['severity'],
  code: string,
  title: string,
  detail: string,
  actions: string[],
): DiagnosisVerdict {
  return { severity, code, title, detail, actions };
}
