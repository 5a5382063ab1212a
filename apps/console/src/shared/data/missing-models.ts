import { NotFoundError } from '@hone/client';
import { useQueries } from '@tanstack/react-query';

import { hone } from './hone.js';
import { useProject } from './project.js';

/**
 * Which of these models the gateway does not have. Old checkpoints and their aliases are not listed: the gateway is asked
 * for each name that is not.
 *
 * @param listed ids of the models that it lists; undefined: not known yet
 * @param pollMs how often it is asked again; absent: never
 */
export function useMissingModels(
  models: readonly string[],
  listed: readonly string[] | undefined,
  pollMs?: number,
): readonly string[] {
  const { id: projectId } = useProject();
  const unlisted = listed ? [...new Set(models)].filter((model) => model !== '' && !listed.includes(model)) : [];
  return useQueries({
    queries: unlisted.map((id) => ({
      queryKey: ['model', projectId, id],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<boolean> => {
        try {
          await hone.inference.getModel({ id }, { signal, headers: { 'hone-project': projectId } });
          return true;
        } catch (error) {
          if (error instanceof NotFoundError) return false;
          throw error;
        }
      },
      ...(pollMs !== undefined && { refetchInterval: pollMs }),
    })),
    combine: (results) => unlisted.filter((_, at) => results[at]?.data === false),
  });
}
