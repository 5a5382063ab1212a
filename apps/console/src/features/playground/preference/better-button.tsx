import { useMutation } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { callRef } from '../../../shared/data/refs.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import { callIdOf } from '../save-as/saved.js';

const PREFERENCE = 'hone.preference.1';

interface Props {
  /** `chatcmpl-…`. */
  readonly completionId: string;
  /** Of the other answers to the same messages, at least one. */
  readonly rivals: readonly string[];
  /** Which of the answers was said to be the best; null: none yet. */
  readonly best: string | null;
  readonly onGiven: () => void;
}

/** Says that an answer is better than those beside it: one preference for each of these. Once for all of them. */
export function BetterButton({ completionId, rivals, best, onGiven }: Props) {
  const project = useProject();
  const isSaid = best !== null && [completionId, ...rivals].includes(best);
  const giving = useMutation({
    mutationFn: () => {
      const refOf = (id: string) => callRef(project.id, callIdOf(id));
      const chosen = refOf(completionId);
      const batch = rivals.map((rival) => ({
        ...{ project_id: project.id, trace_ref: chosen, feedback_type: PREFERENCE },
        payload: { chosen, rejected: refOf(rival) },
      }));
      return hone.trace.createFeedbackBatch({ batch });
    },
    onSuccess: onGiven,
  });
  return (
    <>
      <Button
        aria-pressed={best === completionId}
        disabled={isSaid || giving.isPending}
        onClick={() => giving.mutate()}
      >
        This one is better
      </Button>
      {giving.error && <ErrorNote error={giving.error} />}
    </>
  );
}
