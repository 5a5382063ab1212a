import type { LibraryScorerDto, ScorerDefinitionDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useModels } from '../../shared/data/models.js';
import { useProject } from '../../shared/data/project.js';
import form from '../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { ModelField } from '../../shared/models/model-field.js';
import { Input, Select } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { emptyPairwise } from './pairwise-draft.js';
import { emptyJudge, NEW_CHECK, NEW_SERVER, type ScorerDraft, toDefinition } from './scorer-draft.js';

/** Ways to begin that no library has. */
const OWN_JUDGE = 'own judge';
const OWN_CHECK = 'own check';
const OWN_SERVER = 'own server';
const OWN_COMPARISON = 'own comparison';

/** Makes a scorer: one of the library, or one to write oneself. */
export function NewScorer({ close }: { readonly close: () => void }) {
  const project = useProject();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const models = useModels();
  const [model, setModel] = useState('');
  const [from, setFrom] = useState(OWN_JUDGE);
  const [name, setName] = useState('');
  const library = useQuery({
    queryKey: ['scorer library'],
    queryFn: async ({ signal }) => (await hone.evaluation.listScorerLibrary({}, { signal })).scorers,
    staleTime: Infinity,
  });
  const ready = library.data?.find((one) => one.name === from);
  const asked = model || (models.data?.data[0]?.id ?? '');
  const isJudge = from === OWN_JUDGE || from === OWN_COMPARISON || ready?.definition.kind === 'llm';
  const saving = useMutation({
    mutationFn: () =>
      hone.trace.createScorer(
        { entity: project.entity, project: project.name },
        {
          name: name.trim() || from,
          ...(ready && { description: ready.description }),
          definition: definitionOf(from, ready, asked),
        },
      ),
    onSuccess: async ({ object_id }) => {
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('object') });
      navigate(project.path(`scorers/${encodeURIComponent(object_id)}`));
    },
  });
  return (
    <FormDialog
      title="New scorer"
      action="Make the scorer"
      isPending={saving.isPending}
      error={saving.error}
      isReady={!isJudge || asked !== ''}
      submit={() => saving.mutate()}
      close={close}
    >
      <label>
        Begin with
        <Select value={from} onChange={({ target }) => setFrom(target.value)}>
          <option value={OWN_JUDGE}>a judge of your own</option>
          <option value={OWN_COMPARISON}>a comparison of two answers</option>
          <option value={OWN_CHECK}>a check of your own</option>
          <option value={OWN_SERVER}>a server of your own</option>
          <Ready label="Ready judges, which ask a model" kind="llm" library={library.data} />
          <Ready label="Ready checks, which cost nothing" kind="check" library={library.data} />
        </Select>
      </label>
      {library.error && <ErrorNote error={library.error} retry={() => void library.refetch()} />}
      {ready && (
        <p className={form['hint']}>
          {ready.description}
          {ready.needs.length > 0 && ` It needs ${ready.needs.join(' and ')} of a call, and skips calls without.`}
        </p>
      )}
      <label>
        Name
        <Input maxLength={128} placeholder={from} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      {isJudge && <ModelField label="Model that judges" model={asked} change={setModel} />}
    </FormDialog>
  );
}

function beginningOf(from: string, model: string): ScorerDraft {
  if (from === OWN_CHECK) return NEW_CHECK;
  if (from === OWN_SERVER) return NEW_SERVER;
  return from === OWN_COMPARISON ? emptyPairwise(model) : emptyJudge(model);
}

function definitionOf(from: string, ready: LibraryScorerDto | undefined, model: string): ScorerDefinitionDto {
  if (!ready) return toDefinition(beginningOf(from, model));
  const { llm } = ready.definition;
  return llm ? { kind: 'llm', llm: { ...llm, model } } : ready.definition;
}

interface ReadyProps {
  readonly label: string;
  readonly kind: ScorerDefinitionDto['kind'];
  readonly library: readonly LibraryScorerDto[] | undefined;
}

const Ready = ({ label, kind, library = [] }: ReadyProps) => (
  <optgroup label={label}>
    {library
      .filter(({ definition }) => definition.kind === kind)
      .map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
  </optgroup>
);
