import { PermissionError } from '@hone/client';

import { useProject } from '../data/project.js';
import { ErrorNote } from '../ui/notes.js';
import page from './page.module.css';

interface Props {
  readonly error: Error;
  /** What was tried, as `Moving a label`. */
  readonly what: string;
  /** The role that may. */
  readonly needed?: 'writer' | 'owner';
}

/** What the server says, and who may do what it refused. */
export function RefusedNote({ error, what, needed = 'writer' }: Props) {
  const { entity } = useProject();
  return (
    <>
      <ErrorNote error={error} />
      {error instanceof PermissionError && (
        <p role="status" className={page['problem']}>
          {what} needs the role {needed} in {entity}: ask an owner for it.
        </p>
      )}
    </>
  );
}
