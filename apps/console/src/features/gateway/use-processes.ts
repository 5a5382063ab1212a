import type { GatewayStateDto } from '@hone/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { hone } from '../../shared/data/hone.js';
import { mergeProcesses } from './processes.js';

const POLL_MS = 2_000;
const KEY = ['gateway'];

/**
 * The processes of the gateway, read again and again while the page is visible.
 *
 * @param failures how many of each target's last failures are needed
 */
export function useProcesses(failures: number) {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const latest = await hone.inference.getGatewayState({ failures }, { signal });
      return mergeProcesses(queries.getQueryData<readonly GatewayStateDto[]>(KEY) ?? [], latest);
    },
    refetchInterval: POLL_MS,
  });
  const { refetch } = query;
  useEffect(() => {
    // What was read for fewer of them stays shown meanwhile.
    void refetch({ cancelRefetch: false });
  }, [failures, refetch]);
  return query;
}
