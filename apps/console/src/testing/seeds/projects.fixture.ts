import { type Hone, NotFoundError } from '@hone/client';

/** Tells the projects of this run from those of an earlier one on the same data. */
const RUN = Date.now().toString(36);

/** A name that no other run has. */
export const ownName = (name: string): string => `${name}-${RUN}`;

/** A project with such an id, `<entity>/<name>`, unless it is there. */
export async function makeProject(hone: Hone, id: string): Promise<string> {
  const [entity = '', name = ''] = id.split('/');
  await hone.accounts.createProject({ entity, name }).catch((error: unknown) => {
    if (error instanceof NotFoundError) throw error;
  });
  return id;
}
