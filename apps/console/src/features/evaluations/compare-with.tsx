import { useLocation } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { shortRef } from '../../shared/data/refs.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { Select } from '../../shared/ui/input.js';
import { rivalsOf, type Run } from './runs.js';
import { useRuns } from './use-runs.js';

/** Ways from a run to its comparison with another run of the same dataset, which is the baseline; the newest one is a click away. */
export function CompareWith({ id }: { readonly id: string }) {
  const project = useProject();
  const now = useNow();
  const [, navigate] = useLocation();
  const found = useRuns();
  const rivals = found.data ? rivalsOf(id, found.data.runs, found.data.evaluations) : [];
  const [newest] = rivals;
  if (!newest) return null;
  const pathTo = (other: string) =>
    project.path(`evaluations/compare?runs=${encodeURIComponent(other)},${encodeURIComponent(id)}`);
  const nameOf = (run: Run) => shortRef(run.model) || run.id;
  return (
    <>
      <ButtonLink kind="primary" to={pathTo(newest.id)}>
        Compare with {nameOf(newest)}
      </ButtonLink>
      {rivals.length > 1 && (
        <Select
          aria-label="Compare with another run"
          value=""
          onChange={({ target }) => navigate(pathTo(target.value))}
        >
          <option value="">or with …</option>
          {rivals.slice(1).map((run) => (
            <option key={run.id} value={run.id}>
              {nameOf(run)}, {formatAge(run.startedAt, now)}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}
