import { NotFoundError } from '@hone/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useRights } from '../../../shared/data/role.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import { SaveRow } from './save-row.js';
import { type Answer, callIdOf, type LogLevel, toCall } from './saved.js';

/** Where an answer is kept: the call that it became, or one that is made of it, and rows of datasets. */
export function SaveAs({ answer }: { readonly answer: Answer }) {
  const project = useProject();
  const { mayWrite } = useRights();
  const [isRow, setIsRow] = useState(false);
  const level = useLogLevel();
  const saving = useMutation({
    mutationFn: async () => {
      const call = toCall(project, answer, level ?? 'off');
      await hone.trace.completeProjectCalls({ entity: project.entity, project: project.name }, { batch: [call] });
      return call.id as string;
    },
  });
  const logged = level === undefined || level === 'off' ? null : callIdOf(answer.completionId);
  const shown = saving.data ?? logged;
  return (
    <>
      {shown !== null && <Link to={project.path(`calls/${encodeURIComponent(shown)}`)}>Open this call</Link>}
      {mayWrite && (
        <>
          {level !== undefined && level !== 'full' && saving.data === undefined && (
            <Button
              title="The project does not keep what chats say"
              disabled={saving.isPending}
              onClick={() => saving.mutate()}
            >
              Save as a call
            </Button>
          )}
          <Button onClick={() => setIsRow(true)}>Save as a row</Button>
        </>
      )}
      {saving.error && <ErrorNote error={saving.error} />}
      {isRow && <SaveRow answer={answer} close={() => setIsRow(false)} />}
    </>
  );
}

/** How much of chats becomes calls; a project that is not there yet keeps everything. undefined: not known yet. */
function useLogLevel(): LogLevel | undefined {
  const { id } = useProject();
  const level = useQuery({
    queryKey: ['log level', id],
    queryFn: async ({ signal }): Promise<LogLevel> => {
      try {
        return (await hone.trace.readCallLogging({ project_id: id }, { signal })).log_calls;
      } catch (error) {
        if (error instanceof NotFoundError) return 'full';
        throw error;
      }
    },
  });
  return level.data;
}
