import type { ScorerDefinitionDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import form from '../../shared/dialog/dialog.module.css';
import page from '../../shared/page/page.module.css';
import { RefusedNote } from '../../shared/page/refused-note.js';
import type { Scorer } from '../../shared/scorers/scorer.js';
import { Button } from '../../shared/ui/button.js';
import { TextArea } from '../../shared/ui/input.js';
import { CheckFields } from './check-fields.js';
import { JudgeFields } from './judge-fields.js';
import { PairwiseFields } from './pairwise-fields.js';
import { type ScorerDraft, toDefinition, toDraft } from './scorer-draft.js';
import { ServerFields } from './server-fields.js';
import { TryCalls } from './try/try-calls.js';

interface Props {
  /** The version that the change begins from. */
  readonly scorer: Scorer;
  readonly definition: ScorerDefinitionDto;
  readonly close: () => void;
}

/** A scorer to change: the draft is tried on real calls before it is saved as a version. */
export function EditScorer({ scorer, definition, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const [, setVersion] = useSearchState('version');
  const [draft, setDraft] = useState<ScorerDraft>(() => toDraft(definition));
  const [description, setDescription] = useState(scorer.description);
  const { made, problem } = useMemo(() => read(draft), [draft]);
  const saving = useMutation({
    mutationFn: (changed: ScorerDefinitionDto) =>
      hone.trace.createScorer(
        { entity: project.entity, project: project.name },
        { name: scorer.name, description, definition: changed },
      ),
    onSuccess: async ({ version_index }) => {
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('object') });
      setVersion(`v${version_index}`);
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (made) saving.mutate(made);
  };
  return (
    <>
      <form className={form['form']} onSubmit={submit} aria-label="Change the scorer">
        <label>
          What it finds, for people
          <TextArea rows={2} dir="auto" value={description} onChange={({ target }) => setDescription(target.value)} />
        </label>
        {draft.kind === 'check' ? (
          <CheckFields draft={draft} change={setDraft} />
        ) : draft.kind === 'llm' ? (
          <JudgeFields draft={draft} change={setDraft} />
        ) : draft.kind === 'pairwise' ? (
          <PairwiseFields draft={draft} change={setDraft} />
        ) : (
          <ServerFields draft={draft} change={setDraft} />
        )}
        {problem !== null && (
          <p role="status" className={page['problem']}>
            {problem}
          </p>
        )}
        {saving.error && <RefusedNote error={saving.error} what="Saving a version" />}
        <div className={page['row']}>
          <Button type="submit" kind="primary" disabled={made === null || saving.isPending}>
            Save as a new version
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
      {made && (
        <section className={page['card']} aria-label="Try the draft">
          <h2>Try the draft</h2>
          <TryCalls
            tried={[
              { title: 'Draft', body: { definition: made } },
              { title: `v${scorer.version}`, body: { definition } },
            ]}
          />
        </section>
      )}
    </>
  );
}

/** The definition that was typed, or why it is none yet. */
function read(draft: ScorerDraft): { readonly made: ScorerDefinitionDto | null; readonly problem: string | null } {
  try {
    return { made: toDefinition(draft), problem: null };
  } catch (error) {
    return { made: null, problem: (error as Error).message };
  }
}
