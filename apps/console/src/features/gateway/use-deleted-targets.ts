import type { GatewayStateDto } from '@hone/client';

import { useMissingModels } from '../../shared/data/missing-models.js';
import { useModels } from '../../shared/data/models.js';

const POLL_MS = 5_000;
/** Of a model that is not listed, such as an old checkpoint: each is asked for by itself. */
const SLOW_POLL_MS = 10_000;

/** Ids of the targets whose trained model or checkpoint was deleted: a process keeps their routes for some time. */
export function useDeletedTargets(routes: GatewayStateDto['routes']): ReadonlySet<string> {
  const trained = routes.filter(({ kind }) => kind === 'trained');
  const known = useModels(POLL_MS);
  const listed = known.data?.data.map(({ id }) => id);
  const missing = useMissingModels(
    trained.map(({ id }) => id),
    listed,
    SLOW_POLL_MS,
  );
  // A route may fall back to targets of its base model.
  const deleted = trained
    .filter(({ id }) => missing.includes(id))
    .flatMap(({ id, targets }) => targets.map(({ target }) => target).filter((target) => target.endsWith(`/${id}`)));
  return new Set(deleted);
}
