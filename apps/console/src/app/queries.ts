import { AuthenticationError, InvalidRequestError, NotFoundError, PermissionError } from '@hone/client';
import { QueryClient } from '@tanstack/react-query';

/** Trying again does not help; the client itself has repeated the rest. */
const FINAL = [AuthenticationError, InvalidRequestError, NotFoundError, PermissionError];

/** All that the pages have read. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 1 && !FINAL.some((type) => error instanceof type),
      staleTime: 1_000,
      refetchOnWindowFocus: true,
    },
  },
});
