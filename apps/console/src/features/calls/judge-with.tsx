import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { objectRef } from '../../shared/data/refs.js';
import { useRights } from '../../shared/data/role.js';
import page from '../../shared/page/page.module.css';
import { summaryOf } from '../../shared/scorers/scorer.js';
import { useScorers } from '../../shared/scorers/use-scorers.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';

const POLL_MS = 1_000;

/** Has a scorer of the project judge this one call; nothing where there is none, or one may not. */
export function JudgeWith({ callId }: { readonly callId: string }) {
  const project = useProject();
  const { mayWrite } = useRights();
  const scorers = useScorers();
  const [chosen, setChosen] = useState('');
  const usable = scorers.data?.filter(({ definition }) => definition !== null) ?? [];
  const scorer = usable.find(({ id }) => id === chosen) ?? usable[0];
  const judging = useMutation({
    mutationFn: (ref: string) =>
      hone.evaluation.createScoring({ project_id: project.id, scorer: ref, call_ids: [callId] }),
  });
  if (!mayWrite || !scorer) return null;
  return (
    <section className={page['section']} aria-label="Judge it">
      <div className={page['row']}>
        <Select aria-label="Judge it with" value={scorer.id} onChange={({ target }) => setChosen(target.value)}>
          {usable.map(({ id, name, definition }) => (
            <option key={id} value={id} title={summaryOf(definition)}>
              {name}
            </option>
          ))}
        </Select>
        <Button
          disabled={judging.isPending}
          onClick={() => judging.mutate(objectRef(project.id, scorer.id, scorer.digest))}
        >
          Judge it
        </Button>
        {judging.data && <Standing key={judging.data.id} id={judging.data.id} />}
      </div>
      {judging.error && <ErrorNote error={judging.error} />}
    </section>
  );
}

/** How far the scoring of the call is; its verdict is among the feedback once it is there. */
function Standing({ id }: { readonly id: string }) {
  const project = useProject();
  const queries = useQueryClient();
  const scoring = useQuery({
    queryKey: ['scoring', id],
    queryFn: ({ signal }) => hone.evaluation.getScoring({ scoring_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.finished_at !== null ? false : POLL_MS),
  });
  const isDone = scoring.data !== undefined && scoring.data.finished_at !== null;
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: ['feedback', project.id] });
  }, [isDone, project.id, queries]);
  if (scoring.error) return <ErrorNote error={scoring.error} retry={() => void scoring.refetch()} />;
  return <span role="status">{isDone ? saidOf(scoring.data) : 'Judging …'}</span>;
}

type Ended = Awaited<ReturnType<typeof hone.evaluation.getScoring>>;

function saidOf({ counts, problems, error, status }: Ended): string {
  const [problem] = problems;
  if (problem) return `${problem.state}: ${problem.code.replaceAll('_', ' ')}`;
  if (error !== null) return error;
  if (counts.judged_before > 0) return 'This version has judged it before: its verdict stands below.';
  return counts.done > 0 ? 'Judged.' : `${status.replaceAll('_', ' ')}: no verdict.`;
}
