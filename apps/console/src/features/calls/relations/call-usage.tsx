import { useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { formatCost, formatCount } from '../../../shared/format/format.js';
import type { CallRow } from '../call-row.js';

/** A trace of more calls is not summed for one line: it would take longer than all else of the page. */
const MOST_CALLS = 1_000;

/** What a call and those within it used, model by model; as far as the call says itself where that cannot be read. */
export function CallUsage({ row: { id, tokens, models, endedAt } }: { readonly row: CallRow }) {
  const project = useProject();
  const usage = useQuery({
    queryKey: ['usage of a call', project.id, id, endedAt],
    queryFn: async ({ signal }) => {
      const body = { project_id: project.id, call_ids: [id], include_costs: true, limit: MOST_CALLS };
      return (await hone.trace.readCallsUsage(body, { signal })).call_usage[id] ?? {};
    },
    // The calls within it are more than one request may read.
    retry: false,
  });
  const used = Object.entries(usage.data ?? {});
  if (used.length === 0 && tokens === null) return null;
  const costs = used.flatMap(([, { total_cost: cost }]) => cost ?? []);
  return (
    <>
      <dt>Tokens</dt>
      <dd>
        {used.length === 0 && `${formatCount(tokens ?? 0)} · ${models.join(', ')}`}
        {used.map(([model, { prompt_tokens: prompt = 0, completion_tokens: completion = 0, total_tokens: total }]) => (
          <div key={model}>
            {formatCount(total ?? prompt + completion)} · {model}: {formatCount(prompt)} in, {formatCount(completion)}{' '}
            out
          </div>
        ))}
      </dd>
      {costs.length > 0 && (
        <>
          <dt>Cost</dt>
          <dd>{formatCost(costs.reduce((sum, cost) => sum + cost, 0))}</dd>
        </>
      )}
    </>
  );
}
