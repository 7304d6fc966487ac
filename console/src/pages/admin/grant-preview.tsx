import { Select, TextInput } from '@mantine/core';
import { CircleCheck, CircleSlash } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Library } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { Note } from '../../components/status.tsx';
import { actionChoices, useSubjects } from './use-subjects.ts';
import { actionWord, reasonWord } from './words.ts';

type Decision = Awaited<ReturnType<typeof people.previewGrant>>;

/** Asks the service what it would decide, and by which rule. */
export function GrantPreview({ libraries }: { libraries: Library[] }) {
  const { users } = useSubjects();
  const [who, setWho] = useState<string | null>(null);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [action, setAction] = useState<string | null>('search_metadata');
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <Card title="What would happen?">
      <Form
        layout="line"
        submit="Try"
        ready={who !== null && library !== null}
        save={() => people.previewGrant({ principal: who!, library: library!, path: path.trim().replace(/^\/+/, ''), action: action! })}
        onSaved={setDecision}
      >
        {(errorAt) => (
          <>
            <Select label="Person" searchable value={who} onChange={setWho} data={users.map((u) => ({ value: u.id, label: u.username }))} />
            <Select label="Wants to" allowDeselect={false} value={action} onChange={setAction} data={actionChoices} />
            <Select
              label="In library"
              value={library}
              onChange={setLibrary}
              data={libraries.map((l) => ({ value: l.id, label: l.name }))}
            />
            <TextInput
              label="Path"
              placeholder="2023/Private/letter.pdf"
              value={path}
              error={errorAt('path')}
              onChange={(e) => setPath(e.currentTarget.value)}
            />
          </>
        )}
      </Form>
      <div aria-live="polite">{decision && <Decided decision={decision} />}</div>
    </Card>
  );
}

function Decided({ decision: { allowed, reason, role, winning_grant: rule } }: { decision: Decision }) {
  const { users, groups } = useSubjects();
  const subjectName = (kind: string, id: string) =>
    kind === 'group'
      ? `group ${groups.find((one) => one.id === id)?.name ?? ''}`
      : (users.find((one) => one.id === id)?.username ?? 'this person');
  return (
    <Note tone={allowed ? 'ok' : 'danger'} icon={allowed ? CircleCheck : CircleSlash}>
      <b className="b">{allowed ? 'Allowed.' : 'Refused.'}</b>{' '}
      <span className="t2">
        {reasonWord(reason)} Role: {role}.
      </span>
      {rule && (
        <p className="meta t2" style={{ marginTop: 4 }}>
          The rule that decides: {subjectName(rule.subject_kind, rule.subject_id)} {rule.effect === 'allow' ? 'may' : 'may not'}{' '}
          {actionWord(rule.action)} in <bdi className="mono">{rule.scope || 'the whole library'}</bdi>.
        </p>
      )}
    </Note>
  );
}
