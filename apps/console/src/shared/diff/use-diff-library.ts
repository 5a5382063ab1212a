import { useQuery } from '@tanstack/react-query';

/** The library that compares texts: it comes when somebody compares. */
export const useDiffLibrary = () =>
  useQuery({ queryKey: ['diff library'], queryFn: () => import('diff'), staleTime: Infinity });
