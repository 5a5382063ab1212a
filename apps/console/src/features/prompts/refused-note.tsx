import { PermissionError } from '@hone/client';

import { useProject } from '../../shared/data/project.js';
import page from '../../shared/page/page.module.css';
import { ErrorNote } from '../../shared/ui/notes.js';

interface Props {
  readonly error: Error;
  /** What was tried, as `Moving a label`. */
  readonly what: string;
  /** The role that may. */
  readonly role?: 'writer' | 'owner';
}

/** What the server says, and who may do what it refused. */
export function RefusedNote({ error, what, role = 'writer' }: Props) {
  const { entity } = useProject();
  return (
    <>
      <ErrorNote error={error} />
      {error instanceof PermissionError && (
        <p role="status" className={page['problem']}>
          {what} needs the role {role} in {entity}: ask an owner for it.
        </p>
      )}
    </>
  );
}
