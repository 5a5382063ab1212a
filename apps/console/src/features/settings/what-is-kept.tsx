import type { CallLoggingDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatCount } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';

const MOST_DAYS = 36_500;

const LEVELS = {
  full: 'everything: prompts, answers, tokens',
  metadata: 'who, when, how much; no content',
  off: 'nothing',
} as const;

/** How much of chats becomes calls, and how long calls stay. Its owners change it. */
export function WhatIsKept() {
  const { id } = useProject();
  const key = ['what is kept', id];
  const kept = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const of = { project_id: id };
      const [logging, retention] = await Promise.all([
        hone.trace.readCallLogging(of, { signal }),
        hone.trace.readRetention(of, { signal }),
      ]);
      return { logging, days: retention.retention_days };
    },
  });
  if (kept.error) return <ErrorNote error={kept.error} retry={() => void kept.refetch()} />;
  if (!kept.data) return <Loading what="what is kept" />;
  return (
    <>
      <LoggingForm key={kept.data.logging.log_calls} logging={kept.data.logging} queryKey={key} />
      <RetentionForm key={kept.data.days} days={kept.data.days} queryKey={key} />
    </>
  );
}

interface LoggingProps {
  readonly logging: CallLoggingDto;
  readonly queryKey: readonly string[];
}

function LoggingForm({ logging, queryKey }: LoggingProps) {
  const { id } = useProject();
  const queries = useQueryClient();
  const { mayOwn } = useRights();
  const saving = useMutation({
    // Of what is redacted only the rest is known here, so it stays as it is.
    mutationFn: (level: CallLoggingDto['log_calls']) =>
      hone.trace.updateCallLogging({ project_id: id, log_calls: level, redact: logging.redact }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <div className={page['form']}>
        <label>
          Stored of each chat
          <Select
            disabled={!mayOwn || saving.isPending}
            value={logging.log_calls}
            onChange={({ target }) => saving.mutate(target.value as CallLoggingDto['log_calls'])}
          >
            {Object.entries(LEVELS).map(([level, meaning]) => (
              <option key={level} value={level}>
                {meaning}
              </option>
            ))}
          </Select>
        </label>
      </div>
      {saving.error && <ErrorNote error={saving.error} />}
    </>
  );
}

interface RetentionProps {
  readonly days: number | null;
  readonly queryKey: readonly string[];
}

function RetentionForm({ days, queryKey }: RetentionProps) {
  const { id } = useProject();
  const queries = useQueryClient();
  const { mayOwn } = useRights();
  const [text, setText] = useState(String(days ?? ''));
  const asked = useDeferredValue(text.trim());
  const body = { project_id: id, retention_days: text.trim() === '' ? null : Number(text) };
  const isDays = /^\d+$/.test(asked) && Number(asked) >= 1 && Number(asked) <= MOST_DAYS;
  const expired = useQuery({
    queryKey: ['expired calls', id, asked],
    queryFn: async ({ signal }) => {
      const dryRun = { project_id: id, retention_days: Number(asked), dry_run: true };
      return (await hone.trace.updateRetention(dryRun, { signal })).expired_calls ?? 0;
    },
    enabled: mayOwn && isDays,
  });
  const saving = useMutation({
    mutationFn: async () => {
      const { expired_calls: expired = 0 } = await hone.trace.updateRetention({ ...body, dry_run: true });
      const question = `${formatCount(expired)} calls are older than that, and will be deleted. Go on?`;
      if (expired === 0 || confirm(question)) await hone.trace.updateRetention(body);
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={page['form']} onSubmit={submit}>
      <label>
        Days that calls are kept
        <Input
          type="number"
          min={1}
          max={MOST_DAYS}
          placeholder="for ever"
          readOnly={!mayOwn}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      {mayOwn && (
        <Button type="submit" disabled={saving.isPending}>
          Save
        </Button>
      )}
      {mayOwn && isDays && expired.data !== undefined && (
        <p role="status" className={expired.data > 0 ? page['problem'] : page['muted']}>
          {expired.data === 0
            ? 'No call is older than that.'
            : `${formatCount(expired.data)} ${expired.data === 1 ? 'call is' : 'calls are'} older than that, and would be deleted.`}
        </p>
      )}
      {saving.error && <ErrorNote error={saving.error} />}
    </form>
  );
}
