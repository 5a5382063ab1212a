import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';
import { useProject } from './project.js';

/** The models that a chat of the project can name. @param pollMs how often they are read again; absent: never */
export function useModels(pollMs?: number) {
  const { id } = useProject();
  return useQuery({
    queryKey: ['models', id],
    queryFn: ({ signal }) => hone.inference.listModels({ signal, headers: { 'hone-project': id } }),
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
  });
}
