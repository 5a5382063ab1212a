import type { QueueDto, QueueItemsAddResultDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { chunksOf } from '../../../shared/data/chunks.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { Dialog } from '../../../shared/dialog/dialog.js';
import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { formatCount } from '../../../shared/format/format.js';
import { Button } from '../../../shared/ui/button.js';
import { Input, Select } from '../../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { type BulkDialogProps, CALLS_PER_REQUEST } from './bulk-dialog.js';

/** Puts calls into a queue, and says how many were new there. */
export function AddToQueue({ callIds, close, clear }: BulkDialogProps) {
  const project = useProject();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState('');
  const [fields, setFields] = useState('');
  const queues = useQuery({
    queryKey: ['queues', project.id, ''],
    queryFn: async ({ signal }) => {
      const found: QueueDto[] = [];
      for await (const one of hone.trace.queryAnnotationQueues({ project_id: project.id }, { signal })) found.push(one);
      return found;
    },
  });
  const queueId = chosen || queues.data?.[0]?.id || '';
  const adding = useMutation({
    mutationFn: async () => {
      const display_fields = fields
        .split(',')
        .map((field) => field.trim())
        .filter(Boolean);
      const results: QueueItemsAddResultDto[] = [];
      for (const call_ids of chunksOf(callIds, CALLS_PER_REQUEST)) {
        const body = { project_id: project.id, call_ids, display_fields };
        results.push(await hone.trace.addAnnotationQueueItems({ queue_id: queueId }, body));
      }
      return results;
    },
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).includes('queue') }),
  });
  if (adding.data) {
    const done = () => {
      clear();
      close();
    };
    return <Added results={adding.data} path={project.path(`annotation/${queueId}`)} close={done} />;
  }
  return (
    <FormDialog
      title="Add to a queue"
      action={`Add ${formatCount(callIds.length)}`}
      {...{ isPending: adding.isPending, error: adding.error, close }}
      isReady={queueId !== ''}
      submit={() => adding.mutate()}
    >
      {queues.error ? (
        <ErrorNote error={queues.error} retry={() => void queues.refetch()} />
      ) : !queues.data ? (
        <Loading what="queues" />
      ) : queues.data.length === 0 ? (
        <p>
          There is no queue yet. <Link to={project.path('annotation?new=1')}>Make one</Link>, then come back.
        </p>
      ) : (
        <>
          <label>
            Queue
            <Select value={queueId} onChange={({ target }) => setChosen(target.value)}>
              {queues.data.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </label>
          <label>
            Fields that annotators see
            <Input placeholder="inputs and output" value={fields} onChange={({ target }) => setFields(target.value)} />
            <span className={form['hint']}>Paths separated by commas, for example inputs.question, output</span>
          </label>
        </>
      )}
    </FormDialog>
  );
}

interface AddedProps {
  readonly results: readonly QueueItemsAddResultDto[];
  readonly path: string;
  readonly close: () => void;
}

function Added({ results, path, close }: AddedProps) {
  const sum = (count: (one: QueueItemsAddResultDto) => number) => results.reduce((total, one) => total + count(one), 0);
  const [duplicates, missing] = [sum((one) => one.duplicates), sum(({ not_found }) => not_found.length)];
  return (
    <Dialog title="Added to the queue" close={close}>
      <div className={form['form']}>
        <p role="status">
          {formatCount(sum(({ added_count }) => added_count))} added
          {duplicates > 0 && `, ${formatCount(duplicates)} were there already`}
          {missing > 0 && `, ${formatCount(missing)} are gone`}.
        </p>
        <p>
          <Link to={path}>Open the queue</Link>
        </p>
        <div className={form['actions']}>
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
