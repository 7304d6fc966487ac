import { Switch } from '@mantine/core';
import s from './dialogs.module.css';
import type { TabProps } from './library-fields.ts';
import { LimitInput } from './limit-input.tsx';

const MB = 1_000_000;
/** Names as the service has them; a library's own value wins over the one set for all. */
const LIMITS = [
  { name: 'extract_timeout_seconds', label: 'Longest time for one file', unit: 's', per: 1 },
  { name: 'ffprobe_timeout_s', label: 'Longest look at film or sound', unit: 's', per: 1 },
  { name: 'document_max_bytes', label: 'Largest document', unit: 'MB', per: MB },
  { name: 'email_max_bytes', label: 'Largest message', unit: 'MB', per: MB },
  { name: 'model3d_max_bytes', label: 'Largest 3D model', unit: 'MB', per: MB },
  { name: 'doc_decompressed_max', label: 'Largest document, unpacked', unit: 'MB', per: MB },
  { name: 'doc_decompression_ratio', label: 'Most a document may grow', unit: 'times', per: 1 },
  { name: 'doc_decompression_ratio_min_bytes', label: 'Growth counts from', unit: 'MB', per: MB },
] as const;

export function ContentTab({ fields, set, errorAt }: TabProps) {
  const own = fields.extract_overrides ?? {};
  return (
    <>
      <Switch
        label="Show photos on the map"
        description="Shares the place stored in photos with everybody who may see the library."
        checked={fields.expose_gps}
        onChange={(e) => set({ expose_gps: e.currentTarget.checked })}
      />
      <Switch
        label="Read text in scanned pages and pictures"
        description="Optical character recognition; slow."
        checked={fields.ocr_enabled}
        onChange={(e) => set({ ocr_enabled: e.currentTarget.checked })}
      />
      <Switch
        label="Search in passages"
        description="Long documents are also found by their parts."
        checked={fields.chunking_enabled}
        onChange={(e) => set({ chunking_enabled: e.currentTarget.checked })}
      />
      <fieldset>
        <legend className="b">Limits of this library</legend>
        <p className="muted" style={{ marginBottom: 12 }}>
          A file beyond a limit is listed with the reason and can be read again. Raise a limit here for files you trust.
        </p>
        <div className={s.grid2}>
          {LIMITS.map(({ name, ...limit }) => (
            <LimitInput
              key={name}
              {...limit}
              value={own[name] ?? null}
              error={errorAt(name)}
              onChange={(value) => set({ extract_overrides: withLimit(own, name, value) })}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

function withLimit(own: Record<string, number>, name: string, value: number | null): Record<string, number> {
  const { [name]: _former, ...others } = own;
  return value === null ? others : { ...others, [name]: value };
}
