import type { QueueDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { useSpecs } from '../../shared/annotation/use-specs.js';
import { hone } from '../../shared/data/hone.js';
import { type Project, useProject } from '../../shared/data/project.js';
import { objectRef, parseRef } from '../../shared/data/refs.js';
import form from '../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { Button } from '../../shared/ui/button.js';
import { Input, TextArea } from '../../shared/ui/input.js';
import { EMPTY_SPEC, isComplete, objectIdOf, type SpecDraft, toFieldSchema } from './spec-draft.js';
import { SpecFields } from './spec-fields.js';

const DEFAULT_LEASE_SECONDS = 900;

interface Draft {
  readonly name: string;
  readonly description: string;
  /** '' is any number. */
  readonly reviewers: string;
  readonly leaseMinutes: string;
  readonly isAssignedOnly: boolean;
  readonly refs: readonly string[];
  readonly specs: readonly SpecDraft[];
}

const toDraft = (queue?: QueueDto): Draft => ({
  name: queue?.name ?? '',
  description: queue?.description ?? '',
  reviewers: String(queue?.reviewers_per_item ?? ''),
  leaseMinutes: String((queue?.lease_seconds ?? DEFAULT_LEASE_SECONDS) / 60),
  isAssignedOnly: queue?.assigned_only ?? false,
  refs: queue?.scorer_refs ?? [],
  specs: [],
});

/** Makes a queue, or changes one. */
export function QueueForm({ queue, close }: { readonly queue?: QueueDto; readonly close: () => void }) {
  const project = useProject();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(() => toDraft(queue));
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const saving = useMutation({
    mutationFn: () => save(project, draft, queue),
    onSuccess: async (id) => {
      await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => /queue|specs/.test(String(name)) });
      close();
      navigate(project.path(`annotation/${id}`));
    },
  });
  return (
    <FormDialog
      title={queue ? 'Change the queue' : 'New queue'}
      action={queue ? 'Save' : 'Make the queue'}
      isPending={saving.isPending}
      error={saving.error}
      isReady={draft.name.trim() !== '' && draft.specs.every(isComplete)}
      submit={() => saving.mutate()}
      close={close}
    >
      <label>
        Name
        <Input
          required
          autoFocus
          maxLength={256}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
        />
      </label>
      <label>
        What annotators are to do
        <TextArea rows={3} value={draft.description} onChange={({ target }) => set({ description: target.value })} />
      </label>
      <Rubric draft={draft} set={set} />
      <label>
        Annotators for each item, at most
        <Input
          type="number"
          min={1}
          max={1_000}
          placeholder="any number"
          value={draft.reviewers}
          onChange={({ target }) => set({ reviewers: target.value })}
        />
      </label>
      <label>
        Minutes that an item is reserved
        <Input
          type="number"
          required
          min={1}
          max={1_440}
          step="any"
          value={draft.leaseMinutes}
          onChange={({ target }) => set({ leaseMinutes: target.value })}
        />
      </label>
      <label className={form['inline']}>
        <input
          type="checkbox"
          checked={draft.isAssignedOnly}
          onChange={({ target }) => set({ isAssignedOnly: target.checked })}
        />
        Only those whom an item is assigned to may judge it
      </label>
    </FormDialog>
  );
}

function Rubric({ draft, set }: { readonly draft: Draft; readonly set: (part: Partial<Draft>) => void }) {
  const specs = useSpecs();
  const replace = (index: number, ...by: SpecDraft[]) => set({ specs: draft.specs.toSpliced(index, 1, ...by) });
  // A spec has a new digest with each version: the one that the queue names stays chosen.
  const chosen = new Map(draft.refs.map((ref) => [parseRef(ref)?.name, ref]));
  return (
    <fieldset>
      <legend>Criteria</legend>
      {specs.data?.map(({ ref, name, title, description }) => (
        <label key={ref} className={form['inline']}>
          <input
            type="checkbox"
            checked={chosen.has(name)}
            onChange={({ target }) =>
              set({
                refs: target.checked ? [...draft.refs, ref] : draft.refs.filter((one) => one !== chosen.get(name)),
              })
            }
          />
          <span dir="auto">
            {title} <span className={form['hint']}>{description}</span>
          </span>
        </label>
      ))}
      {draft.specs.map((spec, index) => (
        <SpecFields
          // They have no other identity until they are stored.
          key={index}
          draft={spec}
          change={(changed) => replace(index, changed)}
          remove={() => replace(index)}
        />
      ))}
      <div>
        <Button onClick={() => set({ specs: [...draft.specs, EMPTY_SPEC] })}>Add a criterion</Button>
      </div>
    </fieldset>
  );
}

/** @returns id of the queue */
async function save(project: Project, draft: Draft, queue?: QueueDto): Promise<string> {
  const made: string[] = [];
  for (const spec of draft.specs) {
    const val = { name: spec.name.trim(), description: spec.description, field_schema: toFieldSchema(spec) };
    const draftOfSpec = { object_id: objectIdOf(spec), val, builtin_object_class: 'AnnotationSpec' as const };
    const { object_id, digest } = await hone.trace.createObject({ obj: { project_id: project.id, ...draftOfSpec } });
    made.push(objectRef(project.id, object_id, digest));
  }
  const body = {
    ...{ project_id: project.id, name: draft.name.trim(), description: draft.description },
    scorer_refs: [...draft.refs, ...made],
    reviewers_per_item: draft.reviewers === '' ? null : Number(draft.reviewers),
    lease_seconds: Math.round(Number(draft.leaseMinutes) * 60),
    assigned_only: draft.isAssignedOnly,
  };
  if (!queue) return (await hone.trace.createAnnotationQueue(body)).id;
  await hone.trace.updateAnnotationQueue({ queue_id: queue.id }, body);
  return queue.id;
}
